"""Every call to GitHub, with every failure: no exit and no status is ever better than without it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from guardgate.ci import job as the_job
from guardgate.ci import play
from guardgate.ci.child import Ended
from guardgate.cli import run_command_line
from guardgate.cli.printer import Printer
from guardgate.github.api import connect
from guardgate.github.exchange import Clock
from guardgate.github.settings import Settings
from guardgate.github.status import CONTEXT, live
from tests.ci.job import BASE, HEAD, LABEL, MERGE, checkout, environ_of, outputs, pull
from tests.support.github import BOT, GitHub
from tests.support.project import case, put
from tests.support.server import Answer

#: What GitHub, or something between, may do with one call. More often than anybody asks again.
FAILURES: Mapping[str, Answer] = {
    "403": Answer({"message": "Resource not accessible by integration"}, 403),
    "404": Answer({"message": "Not Found"}, 404),
    "422": Answer({"message": "Validation Failed"}, 422),
    "429": Answer({"message": "Too many requests"}, 429, {"retry-after": "3600"}),
    "500": Answer({"message": "Server Error"}, 500),
    "reset": Answer(drop=True),
    "slow": Answer(hang=True),
    "empty": Answer({}),
    "list": Answer([7]),
    "html": Answer("<html>proxy</html>"),
    "cut": Answer(b'{"data": {"viewer": ', then="cut"),
}
#: What is tried on every kind of job, and where all of them are tried; tests/slow tries all on all.
FEW = ("403", "html")
ALL = ("check-after-a-break",)
SECONDS = 0.3


@dataclass(frozen=True)
class Way:
    """One kind of job: its event, what the bot is asked, and what stands on the commit before."""

    event: str
    payload: Any
    turn: str = "nothing"
    before: tuple[str, ...] = ()
    login: str = BOT
    inputs: tuple[tuple[str, str], ...] = ()


BROKE = live(2, "0" * 64, broke="ab" * 32)
LABELED = pull("labeled", label=LABEL)
QUEUE = {"action": "checks_requested", "merge_group": {"head_sha": HEAD, "base_sha": BASE}}
WAYS: Mapping[str, Way] = {
    "live": Way("pull_request", LABELED),
    "live-breaks": Way("pull_request", LABELED, "hard"),
    "live-after-a-break": Way("pull_request", LABELED, before=("broke",)),
    "live-after-a-break-of-an-app": Way("pull_request", LABELED, before=("broke",), login="gate[bot]"),
    "dispatch-after-a-break": Way("workflow_dispatch", {}, before=("broke",)),
    "queue-after-a-break": Way("merge_group", QUEUE, before=("broke",)),
    "base": Way("pull_request", LABELED, inputs=(("config-from", "base"),)),
    "check": Way("pull_request", pull("opened")),
    "check-after-a-break": Way("pull_request", pull("edited"), before=("broke",)),
    "check-of-an-app": Way("pull_request", pull("edited"), before=("broke",), login="gate[bot]"),
    "required": Way("pull_request", pull("edited"), inputs=(("require-live", "true"),)),
    "night": Way("schedule", {}, "hard"),
}


@dataclass(frozen=True)
class Left:
    """The exit of the step, guardgate's code, and the live status of the commit, or none."""

    exit: int
    code: int
    state: str | None
    asked: tuple[str, ...] = ()


def within(arguments: Sequence[str], cwd: Path, env: Mapping[str, str], say: Callable[[str], None]) -> Ended:
    """The run of a bot in this process: here it is GitHub that fails."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()):
        code = run_command_line(list(arguments))
    return Ended(code, tuple(out.getvalue().splitlines()[-9:]))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process, no wait, and no patience with what hangs."""

    def client(given: Settings) -> Any:
        return connect(given, Clock(sleep=lambda _: None), call_seconds=SECONDS)

    monkeypatch.setattr(play, "guardgate", within)
    monkeypatch.setattr(the_job, "connect", client)


def begun(way: Way, github: GitHub, workspace: Path) -> None:
    """A pull request and its commit as they are before the job."""
    github.login = way.login
    github.statuses.clear()
    github.comments.clear()
    github.issues.clear()
    github.created.clear()
    github.remaining = 1_000
    github.pulls[7]["labels"] = [LABEL]
    github.files[BASE, "guardgate.yaml"] = (workspace / "guardgate.yaml").read_bytes()
    github.changed[BASE, HEAD] = {"suite.yaml": "modified"}
    github.files[BASE, "suite.yaml"] = b'{"cases": [{"id": "c0", "attack": "x", "rule": "R1", "turns": ["a"]}]}'
    checkout(workspace, MERGE if way.event == "schedule" else HEAD)
    put(workspace, "suite.yaml", {"cases": [case("c1", way.turn)]})
    for _ in way.before:
        github.add_status(HEAD, context=CONTEXT, state=BROKE.state, description=BROKE.description)


def did(way: Way, github: GitHub, workspace: Path) -> Left:
    """The job, and what it left."""
    begun(way, github, workspace)
    before = len(github.seen)
    env = environ_of(workspace, github, way.event, way.payload, dict(way.inputs), {})
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        exit_ = the_job.run(env, Printer(debug=False))
    code = int(outputs(workspace.parent / "runner" / "output")["exit-code"])
    stood = github.statuses.get(MERGE if way.event == "schedule" else HEAD, [])
    state = stood[-1]["given"]["state"] if stood else None
    return Left(exit_, code, state, tuple(dict.fromkeys(map(kind_of, github.asked[before:]))))


def kind_of(line: str) -> str:
    """A call as a pattern of all calls of its kind."""
    return re.sub(r"/(\d+)(?=/|$)", r"/\\d+", re.sub(r"[0-9a-f]{40}", "[0-9a-f]{40}", line.replace(".", r"\.")))


def better(now: Left, was: Left) -> bool:
    """Whether a failure made anything look better than it is."""
    return now.code < was.code or now.exit < was.exit or (now.state == "success" != was.state)


@pytest.fixture
def calls(workspace: Path, github: GitHub, quick: None) -> Callable[[Way], Left]:
    return lambda way: did(way, github, workspace)


def walk(way: Way, github: GitHub, calls: Callable[[Way], Left], failures: Sequence[str]) -> None:
    """Each call with each failure, and each change also carried out though its answer is lost."""
    was = calls(way)
    assert len(was.asked) > 2, was
    assert not github.problems
    found = []
    for call in was.asked:
        faults = [(name, FAILURES[name], False) for name in failures]
        faults += [] if call.startswith("GET") else [("done", FAILURES["reset"], True)]
        for name, answer, done in faults:
            github.faults.clear()
            github.fail(f"^{call}$", answer, 99, done=done)
            now = calls(way)
            if better(now, was):
                found.append((call, name, now, was))
    assert found == []


@pytest.mark.parametrize("name", WAYS)
def test_no_failure_makes_anything_better(name: str, github: GitHub, calls: Callable[[Way], Left]) -> None:
    walk(WAYS[name], github, calls, tuple(FAILURES) if name in ALL else FEW)


def test_what_is_expected_without_a_failure(calls: Callable[[Way], Left]) -> None:
    """The walk compares with these: were all of them red, it would find nothing."""
    told = {name: (found.code, found.state) for name, way in WAYS.items() if (found := calls(way))}
    assert told == {
        "live": (0, "success"), "live-breaks": (2, "failure"), "live-after-a-break": (2, "failure"),
        "live-after-a-break-of-an-app": (2, "failure"), "dispatch-after-a-break": (2, "failure"),
        "queue-after-a-break": (2, "failure"), "base": (0, "success"), "check": (0, "pending"),
        "check-after-a-break": (2, "failure"), "check-of-an-app": (2, "failure"), "required": (3, "pending"),
        "night": (2, "failure"),
    }  # fmt: skip
