"""The one comment, the one issue: found again, in order, within bounds, silent in public; and nobody else's touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardgate.ci.comment import marker
from guardgate.ci.inputs import Inputs
from tests.ci.job import BASE, HEAD, LABEL, MERGE, checkout, job, pull
from tests.support.github import BOT, GitHub, sha_of
from tests.support.project import case, put
from tests.support.server import Answer

PRIVATE = {"repository": {"full_name": "acme/bot", "private": True}}
LABELED = pull("labeled", label=LABEL)
MARK = marker(Inputs())


def attack(workspace: Path, *turns: str) -> None:
    put(workspace, "suite.yaml", {"cases": [case(f"c{number}", turn) for number, turn in enumerate(turns)]})


def own(github: GitHub) -> list[str]:
    """The bodies of our comments."""
    return [one["body"] for one in github.comments.values() if one["author"] == BOT]


def test_one_comment_is_renewed_in_place(workspace: Path, github: GitHub) -> None:
    attack(workspace, "hard")
    first = job(workspace, github, "pull_request", LABELED)
    assert first.outputs["comment-url"].startswith("http")
    assert own(github)[0].startswith(f"{MARK}\n## guardgate live: 2: broke: a hard rule broke, even once")
    attack(workspace, "nothing")
    newer = sha_of("newer")
    checkout(workspace, newer)
    github.pulls[7] |= {"head": newer, "labels": [LABEL]}
    second = job(workspace, github, "pull_request", pull("labeled", label=LABEL, head=newer))
    assert second.outputs["comment-url"] == first.outputs["comment-url"]
    assert len(own(github)) == 1
    assert "## guardgate live: 0: held: every attempted rule held" in own(github)[0]
    assert newer[:12] in own(github)[0]


def test_it_is_found_on_any_page_and_only_ours_is_touched(workspace: Path, github: GitHub) -> None:
    """Others may quote our marker; we may have been here a hundred comments ago, and twice."""
    forged = github.add_comment(7, f"{MARK}\nall is green", "mallory")
    quoted = github.add_comment(7, f"look:\n{MARK}\n", BOT)
    ids = [github.add_comment(7, f"{MARK}\nold {number}", BOT) for number in range(2)]
    for number in range(120):
        github.add_comment(7, f"chatter {number}")
    last = github.add_comment(7, f"{MARK}\nnewest", BOT)
    job(workspace, github, "pull_request", LABELED)
    assert github.comments[forged]["body"].endswith("all is green")
    assert quoted in github.comments
    assert "## guardgate live" in github.comments[ids[0]]["body"]
    assert ids[1] not in github.comments
    assert last not in github.comments


def test_another_project_has_a_comment_of_its_own(workspace: Path, github: GitHub) -> None:
    job(workspace, github, "pull_request", LABELED)
    github.pulls[7]["labels"] = [LABEL]
    job(workspace, github, "pull_request", LABELED, project="guardgate.yaml")
    assert len(own(github)) == 2


@pytest.mark.parametrize(("private", "asked", "shown"), [
    (False, "auto", False), (True, "auto", True), (True, "none", False), (False, "broken", True),
])  # fmt: skip
def test_replies_are_shown_where_that_is_asked_for(
    workspace: Path, github: GitHub, private: bool, asked: str, shown: bool
) -> None:
    attack(workspace, "hard")
    payload = {**LABELED, "repository": {"full_name": "acme/bot", "private": private}}
    job(workspace, github, "pull_request", payload, comment_replies=asked)
    assert ("It is ZEBRA." in own(github)[0]) is shown
    assert "hard rule `R1`" in own(github)[0]
    assert "guardgate show" in own(github)[0]


def test_what_held_is_shown_nowhere_in_it(workspace: Path, github: GitHub) -> None:
    """`broken` promises the words that broke a rule, and no others."""
    put(workspace, "script.yaml", [{"when": "hard", "say": "It is ZEBRA."}, {"say": "Nothing to see."}])
    attack(workspace, "hard", "fine")
    did = job(workspace, github, "pull_request", {**LABELED, **PRIVATE})
    assert "It is ZEBRA." in own(github)[0]
    assert "Nothing to see." not in own(github)[0]
    assert "Nothing to see." in did.summary


def test_the_verdict_of_a_rule_stands_beside_its_name(workspace: Path, github: GitHub) -> None:
    attack(workspace, "hard")
    job(workspace, github, "pull_request", LABELED)
    assert "| rule | verdict | severity |" in own(github)[0]
    assert "| `R1` | broke | hard |" in own(github)[0]


def test_the_order_is_the_reader_s(workspace: Path, github: GitHub) -> None:
    put(
        workspace,
        "script.yaml",
        [{"when": "hard", "say": "It is ZEBRA."}, {"when": "blank", "say": " "}, {"say": "No."}],
    )
    attack(workspace, "hard", "blank", "fine")
    job(workspace, github, "pull_request", {**LABELED, **PRIVATE})
    text = own(github)[0]
    order = ["## guardgate live: 3: incomplete", "a hard rule broke: `R1`",
             "not attacked", "### What broke", "### What is undecided", "### Rules", "### The run",
             "### How to run it again"]  # fmt: skip
    places = [text.find(one) for one in order]
    assert -1 not in places, (places, text)
    assert places == sorted(places)


def test_a_check_leaves_what_live_said_of_the_commit(workspace: Path, github: GitHub) -> None:
    attack(workspace, "hard")
    job(workspace, github, "pull_request", LABELED)
    before = own(github)
    did = job(workspace, github, "pull_request", pull("edited"))
    assert did.code == 2
    assert own(github) == before
    did = job(workspace, github, "pull_request", pull("synchronize", head=sha_of("newer")))
    assert "## guardgate check: 0: valid" in own(github)[0]
    assert "live has not decided" in own(github)[0]


def test_a_comment_that_may_not_be_written_is_a_note(workspace: Path, github: GitHub) -> None:
    attack(workspace, "hard")
    github.may = {"statuses"}
    did = job(workspace, github, "pull_request", LABELED)
    assert (did.exit, did.code, did.outputs["comment-url"]) == (2, 2, "")
    assert "it stands in the step summary" in did.summary
    assert "::notice title=guardgate::it could not be said on GitHub" in did.log
    assert "It is ZEBRA." in did.summary


@pytest.mark.parametrize("status", [404, 422, 500, 503])
def test_no_answer_of_github_changes_the_verdict(workspace: Path, github: GitHub, status: int) -> None:
    github.fail(r"(POST|PATCH) /repos/acme/bot/issues", Answer({"message": "no"}, status=status), 99)
    did = job(workspace, github, "pull_request", LABELED)
    assert (did.exit, did.code) == (0, 0)
    assert "it could not be said on GitHub" in did.summary


def test_never_is_never(workspace: Path, github: GitHub) -> None:
    job(workspace, github, "pull_request", LABELED, comment="never")
    assert own(github) == []


def test_a_long_report_fits(workspace: Path, github: GitHub) -> None:
    """GitHub refuses 65,536 characters; emoji count twice."""
    put(workspace, "script.yaml", [{"when": "^hard", "say": "It is ZEBRA. " + "\U0001f600" * 2_000}, {"say": "No."}])
    attack(workspace, *(f"hard {number} " + "\U0001f600" * 1_000 for number in range(40)))
    did = job(workspace, github, "pull_request", {**LABELED, **PRIVATE})
    assert did.outputs["comment-url"]
    assert did.code == 2


def test_the_night_has_one_issue_that_opens_and_closes(workspace: Path, github: GitHub) -> None:
    checkout(workspace, MERGE)
    assert job(workspace, github, "schedule", {}).code == 0
    assert github.issues == {}
    put(workspace, "script.yaml", [{"say": "It is ZEBRA."}])
    did = job(workspace, github, "schedule", {}, fail_on="never")
    (issue,) = github.issues.values()
    assert (did.exit, did.code, issue["state"]) == (0, 2, "open")
    assert issue["title"].startswith("guardgate at night: 2: broke")
    assert did.outputs["comment-url"].startswith("http")
    put(workspace, "script.yaml", [{"say": " "}])
    job(workspace, github, "schedule", {})
    assert [one["state"] for one in github.issues.values()] == ["open"]
    assert next(one["title"] for one in github.issues.values()).startswith("guardgate at night: 3: incomplete")
    put(workspace, "script.yaml", [{"say": "No."}])
    job(workspace, github, "schedule", {})
    assert [one["state"] for one in github.issues.values()] == ["closed"]
    put(workspace, "script.yaml", [{"say": "It is ZEBRA."}])
    job(workspace, github, "schedule", {})
    assert [one["state"] for one in github.issues.values()] == ["open"]


def test_an_issue_of_somebody_else_is_left_alone(workspace: Path, github: GitHub) -> None:
    checkout(workspace, MERGE)
    mark = marker(Inputs(), "night")
    plain = {"state": "open", "title": "mine", "labels": ["guardgate"], "at": 1}
    github.issues[3] = {**plain, "body": f"{mark}\n", "author": "mallory"}
    put(workspace, "script.yaml", [{"say": "It is ZEBRA."}])
    job(workspace, github, "schedule", {})
    assert github.issues[3]["title"] == "mine"
    assert len(github.issues) == 2


def test_markers_hold_no_text_that_could_end_them() -> None:
    for project in ("--> @everyone", "a\nb", "x" * 500, "b*/c"):
        found = marker(Inputs(project=project))
        assert found.count("\n") == 0
        assert found.index("-->") == len(found) - 3
        assert len(found) < 160


def test_no_two_projects_have_one_marker() -> None:
    named = ["a b", "a_b", "a@b", "x" * 200 + "1", "x" * 200 + "2"]
    assert len({marker(Inputs(project=one)) for one in named}) == len(named)
    nights = {marker(Inputs(run=one), "night") for one in ("default", "deep")}
    assert len(nights) == 2
    assert marker(Inputs(run="deep")) == marker(Inputs())


def test_the_base_of_a_ghes_and_what_is_asked(workspace: Path) -> None:
    with GitHub(prefix="/api/v3") as github:
        github.add_pull(7, head=HEAD, base=BASE, labels=[LABEL])
        github.roles["dave"] = ("write", "write")
        did = job(workspace, github, "pull_request", LABELED)
        assert did.code == 0
        assert len(own(github)) == 1
