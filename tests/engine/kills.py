"""Ends runs at random points in every way there is, and goes on from what they left. Linux and macOS."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from guardgate.errors import Refused
from guardgate.results import open_results
from tests.judging.court import here
from tests.support.project import HELLO, case, forbids, http, start, turn_of, write
from tests.support.server import PATIENCE, Answer, Seen, Server

IN_FLIGHT = 16
WAYS = ("SIGKILL", "SIGINT", "SIGTERM", "half a line", "full disk", "closed pipe")

#: Writes half of one line, and dies by SIGKILL.
HALF_A_LINE = """
import os, signal
import guardgate.results as results

class Dying:
    left = {writes}
    def __getattr__(self, name):
        return getattr(os, name)
    def write(self, number, data):
        self.left -= 1
        if self.left < 0:
            os.write(number, data[:len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return os.write(number, data)

results.os = Dying()
"""
#: Progress after every attempt, so that a closed pipe is met at once.
TALKATIVE = "import guardgate.cli.progress as progress\nprogress.SAY = 0\n"


def reply(turn: str) -> str:
    """What the target says: always the same to the same words."""
    number = int(turn[1:])
    return "It is ZEBRA." if number % 97 == 3 else f"No, not {turn}. " + "I keep that to myself. " * (number % 7)


def verdict(turn: str) -> str:
    return "broke" if "ZEBRA" in reply(turn) else "held"


class Target:
    """A server that always answers alike, keeps who asked, and calls `at` when so many requests have come."""

    def __init__(self) -> None:
        self.turns: list[str] = []
        self._lock = threading.Lock()
        self._left, self._then = 0, _nothing

    def expect(self, requests: int, then: Callable[[], None]) -> None:
        """Call `then` with the request of this number, from 1."""
        with self._lock:
            self.turns, self._left, self._then = [], requests, then

    def __call__(self, seen: Seen) -> Answer:
        turn = turn_of(seen)
        with self._lock:
            self._left -= 1
            now = self._left == 0
            if turn != HELLO:
                self.turns.append(turn)
        if now:
            self._then()
        return Answer({"answer": "Hello to you." if turn == HELLO else reply(turn)})


def _nothing() -> None:
    pass


@dataclass
class Chain:
    """One plan, played by processes that end too early, until one comes to the end."""

    root: Path
    attempts: int
    dice: random.Random
    log: Callable[[str], None] = print
    files: list[Path] = field(default_factory=list)
    kills: int = 0
    number: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    kept: set[str] = field(default_factory=set)

    def play(self, kills: int, ways: Iterable[str] = WAYS) -> None:
        """So many processes that are ended, then one that is not; everything that must hold is checked."""
        target = Target()
        with Server(target) as server:
            cases = [case(f"c{n:05}") for n in range(self.attempts)]
            settings = {"concurrency": IN_FLIGHT, "limits": {"call_seconds": 30}}
            write(self.root, http(server.url), cases=cases, rules=[forbids()], run=settings)
            while self.kills < kills:
                self._ended(target, self.dice.choice(tuple(ways)))
            self._whole(target)

    def _ended(self, target: Target, way: str) -> None:
        done = decided(self.files[-1]) if self.files else {}
        rest = self.attempts - len(done)
        at = self.dice.randint(1, rest + 1)
        out = self.root / f"{self.number}.jsonl"
        lines = self.attempts + 2 + len(done) + at
        writes = self.dice.randrange(lines)
        process = self._start(target, out, way, at, writes)
        code = process.wait(PATIENCE * 3)
        self.asked.update(target.turns)
        if self._refused(process, out):
            return
        self.kills += 1
        late = code == 2 and len(decided(out)) == self.attempts  # it came when there was nothing left to interrupt
        assert late or code in (3, -signal.SIGKILL), (way, code, (self.root / "err.txt").read_text())
        again = sorted(self.kept & set(target.turns))
        assert again == [], f"asked again although their replies were kept: {again[:5]}"
        kept = self._check(out) if out.exists() else {}
        self.kept |= set(kept)
        lost = {turn for turn in done if turn not in kept}
        assert not lost or not fresh(out), f"lost on the way: {sorted(lost)[:5]}"
        self.log(
            f"kill {self.kills}: {way}, {len(target.turns)} new calls, {len(done)} kept before, {len(kept)} after, "
            f"exit {code}"
        )
        if usable(out):
            self.files.append(out)

    def _start(self, target: Target, out: Path, way: str, at: int, writes: int) -> subprocess.Popen[bytes]:
        self.number += 1
        arguments = ["run", "--quiet"] if way != "closed pipe" else ["run"]
        arguments += ["--out", out.name, *(["--resume", self.files[-1].name] if self.files else [])]
        before, limit, begun = None, None, threading.Event()
        stderr: Any = (self.root / "err.txt").open("wb")  # empty, also where it is not used
        then: Callable[[], None] = _nothing
        match way:
            case "SIGKILL" | "SIGINT" | "SIGTERM":

                def then() -> None:
                    begun.wait(PATIENCE)
                    process.send_signal(signal.Signals[way])
            case "half a line":
                before = HALF_A_LINE.format(writes=writes)
            case "full disk":
                limit = _no_file_over(self.dice.randrange(200, 500 * (writes + 1)))
            case "closed pipe":
                before = TALKATIVE
                stderr.close()
                reader, stderr = os.pipe()
                closing = threading.Event()
                then = closing.set
                threading.Thread(target=_drain, args=(reader, closing), daemon=True).start()
        target.expect(at, then)
        streams = {"stdout": subprocess.DEVNULL, "stderr": stderr}
        process = start(self.root, *arguments, before=before, preexec_fn=limit, **streams)
        begun.set()
        if isinstance(stderr, int):
            os.close(stderr)
        else:
            stderr.close()
        return process

    def _refused(self, process: subprocess.Popen[bytes], out: Path) -> bool:
        """Whether the file to go on from was refused: then it had nothing of its own, and the one before it serves."""
        said = (self.root / "err.txt").read_text(encoding="utf-8", errors="replace")
        if "cut off before it had a reply of its own" not in said:
            return False
        assert process.returncode == 3
        assert not out.exists()
        assert not fresh(self.files[-1])
        self.files.pop()
        return True

    def _check(self, out: Path) -> dict[str, str]:
        """What a file of an ended run must be: no line twice, no verdict that differs, counts that equal its lines."""
        if not usable(out):
            return {}
        kept, every = decided(out), rows(out)
        numbers = [row["n"] for row in every]
        assert len(numbers) == len(set(numbers)), "a line twice"
        assert kept == {turn: verdict(turn) for turn in kept}
        ran = here(self.root, "gate", out.name, "--json")
        counts = json.loads(ran.out)
        assert ran.code == (2 if len(kept) == self.attempts else 3)
        assert counts["attempts"] == self.attempts
        assert counts["held"] + counts["broke"] == len(kept)
        assert sum(counts["undecided"].values()) == self.attempts - len(kept)
        return kept

    def _whole(self, target: Target) -> None:
        """The last process comes to the end."""
        while True:
            done = decided(self.files[-1]) if self.files else {}
            out = self.root / f"{self.number}.jsonl"
            process = self._start(target, out, "none", 0, 0)
            code = process.wait(PATIENCE * 3)
            self.asked.update(target.turns)
            if not self._refused(process, out):
                break
        assert code == 2, (self.root / "err.txt").read_text()
        expected = {f"c{n:05}": verdict(f"c{n:05}") for n in range(self.attempts)}
        assert decided(out) == expected
        assert sorted(row["n"] for row in rows(out)) == list(range(self.attempts))
        assert len(target.turns) == self.attempts - len(self.kept), "what was kept was not asked again"
        copied = [row for row in rows(out) if all(one["copied"] for one in row["replies"])]
        assert len(copied) == len(done)
        assert {row["replies"][0]["text"] for row in rows(out)} == {reply(turn) for turn in expected}
        counts = json.loads(here(self.root, "gate", out.name, "--json").out)
        assert (counts["attempts"], counts["held"] + counts["broke"]) == (self.attempts, self.attempts)
        self.log(f"the end: {len(target.turns)} new calls, {len(done)} copied, {self.asked.total()} calls in all")


def rows(file: Path) -> list[dict[str, Any]]:
    """The attempts of a file; a tail without its newline is none."""
    whole = file.read_bytes().rpartition(b"\n")[0].splitlines()
    return [line for raw in whole if (line := json.loads(raw))["t"] == "attempt"]


def decided(file: Path) -> dict[str, str]:
    return {row["case"]: row["verdict"] for row in rows(file) if row["verdict"] != "undecided"}


def fresh(file: Path) -> bool:
    """Whether a file has a reply of its own."""
    return file.exists() and any(not one["copied"] for row in rows(file) for one in row["replies"])


def usable(file: Path) -> bool:
    """Whether the head and the plan came to the file whole."""
    try:
        open_results(file)
    except Refused:
        return False
    return True


def _no_file_over(size: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def _drain(reader: int, closing: threading.Event) -> None:
    """Read until it is time to close."""
    while not closing.is_set() and os.read(reader, 65_536):
        pass
    os.close(reader)
