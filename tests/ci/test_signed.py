"""A person's mark can turn a judge's break green, by name; a pull request cannot sign for itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guardgate.github.status import live
from guardgate.marks import MARKS_FILE
from tests.ci.job import BASE, HEAD, LABEL, MERGE, Did, checkout, job, pull
from tests.judging.court import bench, cases, honest, project
from tests.support.github import GitHub
from tests.support.project import guardgate
from tests.support.server import Answer, Server

LABELED = pull("labeled", label=LABEL)


@pytest.fixture
def judged(workspace: Path) -> Iterator[Path]:
    """A bot that its judge finds breaking a hard rule."""
    with Server(bench(honest)) as server:
        yield project(workspace, server.url, cases=cases("bad"))


def play(workspace: Path, github: GitHub, **more: Any) -> Did:
    github.pulls[7]["labels"] = [LABEL]
    return job(workspace, github, "pull_request", LABELED, **more)


def mark(workspace: Path, did: Did) -> bytes:
    """Alice reads the reply and signs that it holds."""
    ran = guardgate(workspace, "mark", did.outputs["results-path"], "0", "held", "--by", "alice", "--note", "a quote")
    assert ran.code == 0, ran
    return (workspace / MARKS_FILE).read_bytes()


def test_a_mark_of_the_base_branch_ends_what_stuck(judged: Path, github: GitHub) -> None:
    first = play(judged, github)
    assert first.code == 2
    github.files[BASE, MARKS_FILE] = mark(judged, first)
    (judged / MARKS_FILE).unlink()
    did = play(judged, github)
    assert (did.exit, did.code, did.outputs["held"]) == (0, 0, "1")
    assert "alice" in did.summary
    assert github.statuses[HEAD][-1]["given"]["state"] == "success"
    assert "earlier 2" in github.statuses[HEAD][-1]["given"]["description"]


def test_a_pull_request_cannot_sign_for_itself(judged: Path, github: GitHub) -> None:
    mark(judged, play(judged, github))
    assert (judged / MARKS_FILE).exists()
    did = play(judged, github)
    assert (did.exit, did.code) == (2, 2)


def test_at_night_the_marks_are_those_that_are_checked_out(judged: Path, github: GitHub) -> None:
    checkout(judged, MERGE)
    first = job(judged, github, "schedule", {})
    mark(judged, first)
    assert job(judged, github, "schedule", {}).code == 0


QUEUE = {"action": "checks_requested", "merge_group": {"head_sha": HEAD, "base_sha": BASE}}


@pytest.mark.parametrize(("event", "payload"), [("workflow_dispatch", {}), ("merge_group", QUEUE)])
def test_nor_in_a_merge_queue_or_where_somebody_starts_it_by_hand(
    judged: Path, github: GitHub, event: str, payload: Any
) -> None:
    """What is checked out is a pull request's commit; who started the run stands on another one."""
    mark(judged, job(judged, github, event, payload))
    assert job(judged, github, event, payload).code == 2


def test_a_mark_of_one_break_ends_no_other(judged: Path, github: GitHub) -> None:
    """The judge's break is signed; the one of the code, that came before, is not."""
    first = play(judged, github)
    signed = mark(judged, first)
    (judged / MARKS_FILE).unlink()
    told = live(2, "0" * 64, broke="ab" * 32)
    github.add_status(HEAD, context="guardgate/live", state=told.state, description=told.description)
    github.files[BASE, MARKS_FILE] = signed
    did = play(judged, github)
    assert (did.exit, did.code, did.outputs["held"]) == (2, 2, "1")
    assert github.statuses[HEAD][-1]["given"]["state"] == "failure"


def test_marks_that_github_does_not_give_may_be_breaks(workspace: Path, github: GitHub) -> None:
    github.fail(f"GET /repos/acme/bot/contents/{MARKS_FILE}", Answer({"message": "no"}, status=403), 9)
    did = play(workspace, github)
    assert (did.exit, did.code) == (3, 3)
    assert "marks were not read" in did.verdict
    assert github.statuses[HEAD][-1]["given"]["state"] == "error"


def test_marks_that_nobody_can_read_sign_nothing(judged: Path, github: GitHub) -> None:
    github.files[BASE, MARKS_FILE] = mark(judged, play(judged, github)) + b"{}\n"
    did = play(judged, github)
    assert did.code == 2
    assert "marks were not read" in did.summary
