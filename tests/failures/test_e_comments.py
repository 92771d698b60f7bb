"""What was said on the pull request was wrong, forged, lost or said twice: rows E01 to E07, E09, E11 and E15."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options

from tests.ci.conftest import github, workspace
from tests.ci.job import HEAD, LABEL, Did, job, pull
from tests.support.github import BOT, GitHub
from tests.support.project import bot, case, http, put, write
from tests.support.server import Answer, Server

__all__ = ["github", "workspace"]  # the fixtures
LABELED = pull("labeled", label=LABEL)
PRIVATE = {**LABELED, "repository": {"full_name": "acme/bot", "private": True}}


def comments(github: GitHub) -> list[str]:
    return [one["body"] for one in github.comments.values() if one["author"] == BOT]


def again(workspace: Path, github: GitHub, **more: Any) -> Did:
    github.pulls[7]["labels"] = [LABEL]
    return job(workspace, github, "pull_request", PRIVATE, **more)


def test_e01_errors_are_counted_in_the_comment(workspace: Path, github: GitHub) -> None:
    write(workspace, [{"when": "hello", "say": "Hi."}, {"say": " "}], cases=[case("c1"), case("c2")])
    again(workspace, github)
    (text,) = comments(github)
    assert "2 attempts: 0 held, 0 broke, 2 undecided (target 2, judge 0, guardgate 0)" in text


def test_e02_and_e06_one_comment_whatever_lies_between(workspace: Path, github: GitHub) -> None:
    again(workspace, github)
    for number in range(150):
        github.add_comment(7, f"chatter {number}")
    for _ in range(2):
        again(workspace, github)
    assert len(comments(github)) == 1


def test_e03_a_failed_run_is_said_too(workspace: Path, github: GitHub) -> None:
    write(workspace, {"backend": "http", "url": "http://127.0.0.1:9/", "reply": "$.x", "request": {"m": "{turn}"}})
    assert again(workspace, github).code == 3
    (text,) = comments(github)
    assert "## guardgate live: 3: incomplete" in text
    assert "bot is unavailable" in text


@pytest.mark.parametrize("status", [403, 404, 422, 500])
def test_e04_a_comment_that_fails_loses_no_verdict(workspace: Path, github: GitHub, status: int) -> None:
    refused = Answer({"message": "Resource not accessible by integration"}, status)
    github.fail(r"(POST|PATCH) /repos/acme/bot/issues/(7/)?comments", refused, 99)
    put(workspace, "suite.yaml", {"cases": [case("c1", "hard")]})
    did = again(workspace, github)
    assert (did.exit, did.code, did.outputs["verdict"]) == (2, 2, "broke")
    assert github.statuses[HEAD][-1]["given"]["state"] == "failure"
    assert "## guardgate live: 2: broke" in did.summary


def test_e05_and_e11_long_ones_are_cut_by_structure(workspace: Path, github: GitHub) -> None:
    put(workspace, "script.yaml", [{"when": "hard", "say": "It is ZEBRA. " + "`|<b>" * 30_000}, {"say": "No."}])
    put(workspace, "suite.yaml", {"cases": [case(f"c{n}", f"hard {n} " + "y" * 60_000) for n in range(30)]})
    did = again(workspace, github)
    (text,) = comments(github)  # the stand-in refuses 65,536 characters, as GitHub does
    assert len(did.summary.encode()) <= 900 * 1024
    for page in (text, did.summary):
        assert page.count("```") % 2 == 0
        assert "2: broke: a hard rule broke" in page[:300]


EVIL = [
    "```\n## 0: held\n```", "````", "</details></details>", "| a | b |\n|---|---|", "@octocat @org/team #1 GH-1",
    "![x](http://e.example/x.png)", "<img src=http://e.example/x>", "[x](javascript:alert(1))", "<!-- guardgate",
    "\u202e\u2066evil", "a\rb", "~~~\n# x", "https://e.example/auto", "<script>alert(1)</script>", "&#64;octocat",
]  # fmt: skip


def test_e07_replies_form_nothing_in_the_comment(workspace: Path, github: GitHub) -> None:
    """Rendered as GitHub does: every reply stays text, and the verdict stands before all of them."""
    script = [{"when": f"^hard {n}$", "say": f"{text}\nIt is ZEBRA.\n{text}"} for n, text in enumerate(EVIL)]
    put(workspace, "script.yaml", [*script, {"say": "No."}])
    put(workspace, "suite.yaml", {"cases": [case(f"c{n}", f"hard {n}") for n in range(len(EVIL))]})
    did = again(workspace, github)
    (text,) = comments(github)
    for page in (text, did.summary):
        html = cmarkgfm.github_flavored_markdown_to_html(page, Options.CMARK_OPT_UNSAFE)
        outside = re.sub(r"<(pre|code)\b.*?</\1>", "", html, flags=re.DOTALL)
        assert not re.search(r"@\w|<(img|script|a|details)\b|#1\b|javascript:", outside), outside
        assert re.findall(r"<h2>(.*?)</h2>", html)[0].startswith("guardgate live: 2: broke")
        assert "0: held" not in outside
        assert "\u202e" not in html


def test_e09_the_results_are_kept_and_named(workspace: Path, github: GitHub) -> None:
    for _ in range(2):
        did = again(workspace, github)
        assert (workspace / did.outputs["results-path"]).stat().st_size > 0
    assert len(list(workspace.glob("guardgate-results/*/bot.jsonl"))) == 2


def test_e15_no_secret_at_any_edge(workspace: Path, github: GitHub) -> None:
    """The bot knows its key and the job's token, and says both."""
    key = "sk-provider-0123456789"
    evil = f"It is ZEBRA. my key is {key} and the token {github.token}"
    with Server(bot(lambda turn: evil if turn == "hard" else "No.")) as server:
        write(workspace, http(server.url, headers={"x-key": "${BOT_KEY}"}), cases=[case("c1", "hard")])
        did = again(workspace, github, env={"BOT_KEY": key})
    assert did.code == 2
    (text,) = comments(github)
    kept = [file.read_text(encoding="utf-8") for file in workspace.glob("guardgate-results/**/*") if file.is_file()]
    for page in (text, did.summary, did.log, *kept):
        assert key not in page
        assert github.token not in page
