"""Every line is in the file before its slot goes on; making it durable stops nobody."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from guardgate import results
from guardgate.errors import Refused
from guardgate.results import Writer
from tests.judging.court import run_here
from tests.support.project import bot, case, http, turn_of, write
from tests.support.server import PATIENCE, Server


class Disk:
    """The `os` of the writer, with an fsync that waits until it may end."""

    def __init__(self, *, slow: bool = True) -> None:
        self.may_end, self.began, self.synced = threading.Event(), threading.Event(), 0
        if not slow:
            self.may_end.set()

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def fsync(self, _number: int) -> None:
        self.began.set()
        assert self.may_end.wait(PATIENCE)
        self.synced += 1


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    made = Disk()
    monkeypatch.setattr(results, "os", made)
    return made


def test_a_disk_that_is_slow_to_make_durable_stops_no_line(tmp_path: Path, disk: Disk) -> None:
    file = tmp_path / "results.jsonl"
    writer = Writer(file, str)
    for number in range(1000):
        writer.line({"n": number})
        if number == 64:
            assert disk.began.wait(PATIENCE), "64 lines are a reason to make them durable"
    assert [json.loads(line)["n"] for line in file.read_text().splitlines()] == list(range(1000))
    assert disk.synced == 0
    disk.may_end.set()
    writer.close()
    assert disk.synced >= 1


def test_nor_a_run(tmp_path: Path, disk: Disk) -> None:
    """Not one fsync comes back before the last case was asked."""
    asked = []

    def say(turn: str) -> str:
        asked.append(turn)
        if len(asked) == 200:
            disk.may_end.set()
        return "No."

    with Server(bot(say)) as server:
        ran = run_here(write(tmp_path, http(server.url), cases=[case(f"c{n:03}") for n in range(200)]))
    assert ran.code == 0
    assert disk.synced >= 1


def test_an_attempt_is_in_the_file_before_the_next_one_begins(tmp_path: Path) -> None:
    """At each call the file holds every attempt whose call came before, but for the one in hand."""
    file, seen = tmp_path / "results.jsonl", []

    def say(turn: str) -> str:
        kept = [json.loads(line) for line in file.read_text().splitlines()]
        seen.append((turn, sum(line["t"] == "attempt" for line in kept)))
        return "No."

    with Server(bot(say)) as server:
        every = [case(f"c{n:02}") for n in range(20)]
        assert run_here(write(tmp_path, http(server.url), cases=every, run={"concurrency": 1})).code == 0
        assert [turn_of(one) for one in server.seen[1:]] == [f"c{n:02}" for n in range(20)], "in the order of the plan"
    assert seen == [(f"c{n:02}", n) for n in range(20)]


def test_a_disk_that_loses_what_was_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(Disk):
        def fsync(self, _number: int) -> None:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(results, "os", Failing())
    writer = Writer(tmp_path / "results.jsonl", str)
    writer.line({"n": 1})
    with pytest.raises(Refused, match="Input/output error"):
        writer.close()
