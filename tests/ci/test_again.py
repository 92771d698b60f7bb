"""A night that gave 3 is gone on with; one that decided is not, and no artifact can make a verdict."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from guardgate.ci.artifacts import Packed
from tests.ci.job import BASE, MERGE, Did, checkout, job
from tests.support.github import GitHub
from tests.support.project import bot, case, http, put, turn_of, write
from tests.support.server import Answer, Seen, Server

RUN = 55
AGAIN = {"GITHUB_RUN_ATTEMPT": "2", "GITHUB_RUN_ID": str(RUN), "GITHUB_TRIGGERING_ACTOR": "dave"}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """What actions/upload-artifact makes of files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


@dataclass
class Moody:
    """A bot whose answers a test can change while it runs."""

    server: Server
    say: Callable[[str], Answer | str]

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def seen(self) -> list[Seen]:
        return self.server.seen


@pytest.fixture
def server() -> Iterator[Moody]:
    """A bot that is down for one turn until the test says otherwise."""
    moods: list[Moody] = []
    with Server(bot(lambda turn: moods[0].say(turn))) as found:  # noqa: PLW0108 - the mood comes later
        moods.append(Moody(found, lambda turn: Answer("no", 500) if turn == "down" else "No."))
        yield moods[0]


@pytest.fixture
def night(workspace: Path, github: GitHub, server: Moody) -> Did:
    """The first attempt of a night: two held, one without an answer."""
    limits = {"attempt_seconds": 1}
    write(workspace, http(server.url), cases=[case("one"), case("two"), case("down")], run={"limits": limits})
    checkout(workspace, MERGE)
    did = job(workspace, github, "schedule", {}, env={"GITHUB_RUN_ID": str(RUN)})
    assert (did.code, did.outputs["held"], did.outputs["undecided"]) == (3, "2", "1")
    return did


def asked(server: Moody) -> list[str]:
    return [turn_of(seen) for seen in server.seen]


def test_a_rerun_plays_only_what_is_missing(workspace: Path, github: GitHub, server: Moody, night: Did) -> None:
    data = (workspace / night.outputs["results-path"]).read_bytes()
    github.add_artifact(RUN, "guardgate", zipped({"2026/bot.jsonl": data, "2026/bot.md": b"#"}))
    before = len(server.seen)
    server.say = lambda _: "No."
    did = job(workspace, github, "schedule", {}, env=AGAIN)
    assert (did.exit, did.code, did.outputs["held"]) == (0, 0, "3")
    assert [turn for turn in asked(server)[before:] if turn in ("one", "two", "down")] == ["down"]
    assert "2 of 3 replies copied from a run before" in did.summary


@pytest.mark.parametrize("name", ["guardgate", "other"])
def test_what_decided_is_not_gone_on_from(
    workspace: Path, github: GitHub, server: Moody, night: Did, name: str
) -> None:
    """A 2 is no accident to be repaired, and a file of another artifact is nobody's."""
    server.say = lambda turn: "It is ZEBRA." if turn == "down" else "No."
    broke = job(workspace, github, "schedule", {})
    data = (workspace / broke.outputs["results-path"]).read_bytes()
    github.add_artifact(RUN, name, zipped({"bot.jsonl": data}))
    server.say = lambda _: "No."
    before = len(server.seen)
    did = job(workspace, github, "schedule", {}, env=AGAIN)
    assert len({"one", "two", "down"} & set(asked(server)[before:])) == 3
    assert "everything is played again: no artifact" in did.summary
    assert did.code == 2, "the break sticks to its commit"


def test_another_plan_is_played_from_the_start(workspace: Path, github: GitHub, server: Moody, night: Did) -> None:
    data = (workspace / night.outputs["results-path"]).read_bytes()
    github.add_artifact(RUN, "guardgate-results", zipped({"bot.jsonl": data}))
    put(workspace, "suite.yaml", {"cases": [case("one"), case("new")]})
    did = job(workspace, github, "schedule", {}, env=AGAIN)
    assert (did.code, did.outputs["held"]) == (0, "2")
    assert "everything is played again" in did.summary


def test_on_a_pull_request_nothing_is_taken_over(workspace: Path, github: GitHub, server: Moody, night: Did) -> None:
    """Its workflow is its own, and could upload whatever it likes."""
    data = (workspace / night.outputs["results-path"]).read_bytes()
    github.add_artifact(RUN, "guardgate", zipped({"bot.jsonl": data}))
    payload = {"action": "checks_requested", "merge_group": {"head_sha": MERGE, "base_sha": BASE}}
    did = job(workspace, github, "merge_group", payload, env=AGAIN)
    assert "/actions/runs/" not in " ".join(github.asked)
    assert did.code == 3


@pytest.mark.parametrize(
    "data",
    [b"", b"PK\x03\x04 cut", zipped({"bot.jsonl": b"{}\n"}), zipped({"bot.jsonl": b'{"t":"run"}\n'}),
     zipped({"../../bot.jsonl": b"x"}), zipped({"bot.jsonl": b"\xff" * 4096})],
    ids=["empty", "cut", "no-run", "bare-run", "outside", "bytes"],
)  # fmt: skip
def test_a_hostile_artifact_is_as_good_as_none(
    workspace: Path, github: GitHub, server: Moody, night: Did, data: bytes
) -> None:
    github.add_artifact(RUN, "guardgate", data)
    server.say = lambda _: "No."
    did = job(workspace, github, "schedule", {}, env=AGAIN)
    assert (did.code, did.outputs["held"]) == (0, "3")
    assert "everything is played again" in did.summary
    assert not (workspace.parent / "bot.jsonl").exists()


def test_a_bomb_is_cut(tmp_path: Path) -> None:
    bomb = Packed("guardgate", zipped({"bot.jsonl": b"0" * 5_000_000, "small/bot.jsonl": b"fine"}))
    found = list(bomb.unpack(lambda name: name == "bot.jsonl", tmp_path, most=1_000_000))
    assert [path.read_bytes() for path in found] == [b"fine"]
    assert all(path.stat().st_size <= 1_048_576 for path in tmp_path.iterdir())


def test_without_the_permission_it_says_so(workspace: Path, github: GitHub, server: Moody, night: Did) -> None:
    github.may -= {"actions"}
    server.say = lambda _: "No."
    did = job(workspace, github, "schedule", {}, env=AGAIN)
    assert did.code == 0
    assert "could not be had" in did.summary
