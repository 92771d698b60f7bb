"""Signals that end a program, wherever they meet a command: 3, and what was written is kept. Linux and macOS."""

from __future__ import annotations

import signal
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

import guardgate.__main__ as main
from guardgate import stopping
from tests.support.project import (
    HELLO,
    Ran,
    case,
    ended,
    gated,
    guardgate,
    http,
    lines,
    put,
    run,
    same_gate,
    start,
    turn_of,
    write,
)
from tests.support.server import PATIENCE, Answer, Seen, Server

BOTH = [signal.SIGINT, signal.SIGTERM]
ALL = [*BOTH, signal.SIGHUP]
CASES = [case(f"c{number}") for number in range(9)]


class Slow:
    """A bot that answers what comes before `holds`, and then hangs; `reached` is set when it does."""

    def __init__(self, holds: str) -> None:
        self.reached = threading.Event()
        self._holds = holds

    def __call__(self, seen: Seen) -> Answer:
        turn = turn_of(seen)
        if turn >= self._holds and (turn != HELLO or self._holds == HELLO):
            self.reached.set()
            return Answer(hang=True)
        return Answer({"answer": "It is ZEBRA." if turn == "c1" else "No."})


def interrupted(root: Path, signals: list[signal.Signals], holds: str = "c3", **project: Any) -> Ran:
    """A run that gets signals while its target hangs."""
    slow = Slow(holds)
    with Server(slow) as server:
        settings = {"concurrency": 1, **project}
        process = start(write(root, http(server.url), cases=CASES, run=settings), "run", "--out", "results.jsonl")
        assert slow.reached.wait(PATIENCE)
        for number in signals:
            process.send_signal(number)
        return same_gate(ended(process, root / "results.jsonl"))


@pytest.mark.parametrize("number", ALL)
def test_in_the_middle_of_a_run(tmp_path: Path, number: signal.Signals) -> None:
    ran = interrupted(tmp_path, [number])
    assert ran.code == 3
    assert ran.verdicts == {"c0": "held", "c1": "broke", "c2": "held", "c3": "undecided"}
    assert ran.kinds["c3"] == "cancelled"
    assert f"interrupted by {number.name}" in ran.first
    assert "a hard rule broke: R1" in ran.first
    assert "9 attempts: 2 held, 1 broke, 6 undecided (target 0, judge 0, guardgate 6)" in ran.first
    assert lines(ran.file, "end")[0]["reason"] == f"interrupted by {number.name}"


@pytest.mark.parametrize("signals", [[signal.SIGTERM] * 2, [signal.SIGINT] * 3, [*BOTH]])
def test_more_than_once(tmp_path: Path, signals: list[signal.Signals]) -> None:
    ran = interrupted(tmp_path, signals)
    assert ran.code == 3
    assert ran.verdicts == {"c0": "held", "c1": "broke", "c2": "held", "c3": "undecided"}
    assert lines(ran.file, "end")


def test_a_lost_terminal_ends_nothing_under_nohup(tmp_path: Path) -> None:
    slow = Slow("c3")
    with Server(slow) as server:
        root = write(tmp_path, http(server.url), cases=CASES, run={"concurrency": 1})
        ignore: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)}
        process = start(root, "run", "--out", "results.jsonl", **ignore)
        assert slow.reached.wait(PATIENCE)
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        ran = same_gate(ended(process, root / "results.jsonl"))
    assert lines(ran.file, "end")[0]["reason"] == "interrupted by SIGTERM"


def test_run_and_command_line_heed_the_same_signals() -> None:
    assert stopping._ending_signals() == main.ending_signals()
    assert set(ALL) <= set(main.ending_signals())


def test_with_many_in_flight(tmp_path: Path) -> None:
    ran = interrupted(tmp_path, [signal.SIGINT], "c0", concurrency=8)
    assert ran.code == 3
    assert set(ran.verdicts.values()) == {"undecided"}
    assert set(ran.kinds.values()) == {"cancelled"}


@pytest.mark.parametrize("number", BOTH)
def test_in_the_preflight(tmp_path: Path, number: signal.Signals) -> None:
    ran = interrupted(tmp_path, [number], HELLO)
    assert ran.code == 3
    assert ran.file is None
    assert ran.out == ""
    assert number.name in ran.err


APP = """
import socket, threading

def reply(turn, *, session, port):
    if turn == "c1":
        line = socket.create_connection(("127.0.0.1", port))
        line.sendall(b"here")
        threading.Event().wait()
    return "No."
"""


def test_no_worker_outlives_an_interrupted_run(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        put(tmp_path, "app.py", APP)
        target = {"backend": "python", "entry": "app:reply", "params": {"port": listener.getsockname()[1]}}
        root = write(tmp_path, target, cases=CASES, run={"concurrency": 1})
        process = start(root, "run", "--out", "results.jsonl")
        line = listener.accept()[0]
        with line:
            line.settimeout(PATIENCE)
            assert line.recv(4) == b"here"
            process.send_signal(signal.SIGTERM)
            assert line.recv(1) == b""
        ran = same_gate(ended(process, root / "results.jsonl"))
    assert ran.code == 3
    assert ran.verdicts == {"c0": "held", "c1": "undecided"}


SLOW_IMPORT = """
import os, socket

line = socket.create_connection(("127.0.0.1", int(os.environ["PORT"])))
line.sendall(b"here")
line.recv(1)
"""


def test_no_worker_outlives_an_interrupted_import(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        put(tmp_path, "app.py", SLOW_IMPORT)
        target = {"backend": "python", "entry": "app:reply", "env": [f"PORT={listener.getsockname()[1]}"]}
        process = start(write(tmp_path, target), "run", "--out", "results.jsonl")
        line = listener.accept()[0]
        with line:
            line.settimeout(PATIENCE)
            assert line.recv(4) == b"here"
            process.send_signal(signal.SIGTERM)
            assert line.recv(1) == b""
        ran = ended(process, tmp_path / "results.jsonl")
    assert (ran.code, ran.file) == (3, None)
    assert "SIGTERM" in ran.err


def test_no_worker_outlives_a_killed_run(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        put(tmp_path, "app.py", APP)
        target = {"backend": "python", "entry": "app:reply", "params": {"port": listener.getsockname()[1]}}
        process = start(write(tmp_path, target, cases=CASES, run={"concurrency": 1}), "run", "--out", "results.jsonl")
        line = listener.accept()[0]
        with line:
            line.settimeout(PATIENCE)
            assert line.recv(4) == b"here"
            process.kill()
            process.wait(PATIENCE)
            assert line.recv(1) == b""
        process.communicate()
    assert [one["verdict"] for one in lines(tmp_path / "results.jsonl", "attempt")] == ["held"]
    assert gated(tmp_path / "results.jsonl") == 3


@pytest.mark.parametrize("number", ALL)
@pytest.mark.parametrize("command", [["check"], ["gate", "results.jsonl"]], ids=" ".join)
def test_while_a_command_reads(tmp_path: Path, command: list[str], number: signal.Signals) -> None:
    """It reads the rules from us; once it has taken more than a pipe can hold, it is in the middle of that."""
    root = write(tmp_path, [{"say": "No."}])
    run(root)
    process = start(root, *command, "--constraints", "-", stdin=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    process.stdin.write(b"#" * 1_000_000)
    process.send_signal(number)
    ran = ended(process)
    assert ran.code == 3
    assert ran.out == ""
    assert ran.err == f"guardgate: interrupted by {number.name}; exit 3\n"


SECOND = """
import os, signal, sys
import guardgate.cli.check as command

def twice(*_, **__):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    finally:
        os.kill(os.getpid(), signal.SIGINT)
        print("cleared up", file=sys.stderr)

command.checked = twice
"""
LATE = """
import atexit, os, signal, sys

class Late:
    def __init__(self, stream):
        self._stream = stream
    def flush(self):
        os.kill(os.getpid(), signal.SIGINT)
        self._stream.flush()
    def __getattr__(self, name):
        return getattr(self._stream, name)

sys.stderr = Late(sys.stderr)
atexit.register(os.kill, os.getpid(), signal.SIGTERM)
"""


def test_a_second_one_disturbs_nothing_that_the_first_began(tmp_path: Path) -> None:
    root = write(tmp_path, [{"say": "No."}])
    ran = guardgate(root, "check", before=SECOND + LATE)
    assert ran.code == 3
    assert ran.err == "cleared up\nguardgate: interrupted by SIGTERM; exit 3\n"


def test_one_that_comes_after_the_verdict_changes_nothing(tmp_path: Path) -> None:
    root = write(tmp_path, [{"say": "No."}])
    assert guardgate(root, "check", before=LATE).code == 0
