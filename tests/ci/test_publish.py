"""What a fork's run left is said by a job that may write: made anew, on the right pull request, and never proof."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate.ci import publication
from tests.ci.job import HEAD, LABEL, Did, job, pull
from tests.ci.test_again import zipped
from tests.support.github import BOT, GitHub, sha_of
from tests.support.project import case, put

RUN = 77
ENDED = {
    "action": "completed",
    "workflow_run": {"id": RUN, "head_sha": HEAD, "event": "pull_request", "pull_requests": []},
    "repository": {"full_name": "acme/bot", "private": False},
    "sender": {"login": "mallory"},
}


def comments(github: GitHub) -> list[str]:
    return [one["body"] for one in github.comments.values() if one["author"] == BOT]


def forks(workspace: Path, github: GitHub) -> bytes:
    """What the check of a fork's pull request leaves, as its workflow would upload it."""
    github.may = set()
    did = job(workspace, github, "pull_request", pull("opened", repo="mallory/bot"))
    assert did.outputs["comment-url"] == ""
    assert comments(github) == []
    github.may = {"issues", "pull-requests", "statuses", "actions"}
    folder = workspace / "guardgate-results"
    return zipped(
        {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    )


def published(workspace: Path, github: GitHub, data: bytes, **more: Any) -> Did:
    github.add_artifact(RUN, "guardgate", data)
    return job(workspace.parent, github, "workflow_run", ENDED, **more)


def test_the_check_of_a_fork_is_commented_on(workspace: Path, github: GitHub) -> None:
    put(workspace, "suite.yaml", {"cases": [{**case("c1"), "assertt": 1}]})
    did = published(workspace, github, forks(workspace, github))
    assert (did.exit, did.outputs["mode"]) == (0, "publish")
    assert did.outputs["comment-url"]
    (text,) = comments(github)
    assert "## Not proved: guardgate check: 3: incomplete" in text
    assert "assertt" in text
    assert "no proof" in text
    assert github.statuses == {}


def test_results_are_computed_again(workspace: Path, github: GitHub) -> None:
    put(workspace, "suite.yaml", {"cases": [case("c1", "hard")]})
    job(workspace, github, "pull_request", pull("labeled", label=LABEL))
    github.comments.clear()
    github.statuses.clear()
    folder = workspace / "guardgate-results"
    (results,) = folder.rglob("*.jsonl")
    forged = results.read_text(encoding="utf-8").replace('"verdict":"broke"', '"verdict":"held"')
    data = zipped({"publication.json": (folder / "publication.json").read_bytes(), "x/bot.jsonl": forged.encode()})
    published(workspace, github, data)
    (text,) = comments(github)
    assert "## Not proved: guardgate live: 2: broke" in text
    assert "It is ZEBRA." not in text, "the repository is public"
    assert github.statuses == {}


def changed(**more: Any) -> bytes:
    """A publication with other facts."""
    bot = {"name": ".", "loaded": True, "cases": 1, "rules": 1}
    return json.dumps({"format": 1, "number": 7, "head": HEAD, "bots": [bot], **more}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"", b"PK", zipped({}), zipped({"publication.json": b"{"}), zipped({"publication.json": changed(number=8)}),
        zipped({"publication.json": changed(head=sha_of("other"))}), zipped({"publication.json": changed(more=1)}),
        zipped({"publication.json": changed(bots=[])}), zipped({"publication.json": b" " * 2_000_000}),
        zipped({"publication.json": changed(bots=[{"name": "../x", "loaded": True, "cases": 1, "rules": 1}] * 101)}),
    ],
)  # fmt: skip
def test_what_is_not_ours_is_not_published(workspace: Path, github: GitHub, data: bytes) -> None:
    did = published(workspace, github, data)
    assert (did.exit, did.code, did.outputs["mode"]) == (3, 3, "publish")
    assert comments(github) == []


def test_another_head_or_a_closed_pull_request(workspace: Path, github: GitHub) -> None:
    data = zipped({"publication.json": changed()})
    github.pulls[7]["head"] = sha_of("pushed")
    assert published(workspace, github, data).exit == 3
    github.pulls[7] |= {"head": HEAD, "state": "closed"}
    assert published(workspace, github, data).exit == 3
    assert comments(github) == []


def test_an_artifact_that_names_a_file_elsewhere(workspace: Path, github: GitHub) -> None:
    bot = {"name": ".", "loaded": True, "cases": 1, "rules": 1, "results": "gone.jsonl"}
    did = published(workspace, github, zipped({"publication.json": changed(bots=[bot])}))
    assert did.code == 3
    (text,) = comments(github)
    assert "3: incomplete" in text


LEAVES = st.none() | st.booleans() | st.integers() | st.text()
KEYS = st.sampled_from(["format", "number", "head", "bots", "name", "problems"]) | st.text()


@settings(max_examples=40, deadline=None)
@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)))
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    path = tmp_path_factory.mktemp("facts") / publication.FILE
    path.write_text(json.dumps(value), encoding="utf-8")
    assert isinstance(publication.read(path), str | publication.Publication)


def test_hostile_words_stay_words(workspace: Path, github: GitHub) -> None:
    evil = "`` ` @everyone #1 <script>x</script> ![](http://x) </details> | \n## 0: held\n<!-- x -->"
    told = {"file": evil, "line": 1, "col": 1, "severity": "error", "code": evil, "found": evil, "expected": evil,
            "todo": evil}  # fmt: skip
    bot = {"name": "a @b", "loaded": True, "cases": 1, "rules": 1, "problems": [told]}
    published(workspace, github, zipped({"publication.json": changed(bots=[bot])}))
    (text,) = comments(github)
    assert "\n## 0: held" not in text
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert "@everyone" not in outside
    assert "<script>" not in outside
