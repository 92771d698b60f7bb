"""Rows that need signals, or the size of a process."""

from __future__ import annotations

import json
import signal
import threading
from pathlib import Path

from tests.support.project import bot, case, ended, guardgate, http, lines, run, same_gate, start, write
from tests.support.server import PATIENCE, Answer, Server


def test_a13_an_interrupted_run_is_3_and_keeps_its_results(tmp_path: Path) -> None:
    reached = threading.Event()

    def say(turn: str) -> Answer | str:
        if turn != "c2":
            return "No."
        reached.set()
        return Answer(hang=True)

    with Server(bot(say)) as server:
        cases = [case(f"c{number}") for number in range(5)]
        root = write(tmp_path, http(server.url), cases=cases, run={"concurrency": 1})
        process = start(root, "run", "--out", "results.jsonl")
        assert reached.wait(PATIENCE)
        process.send_signal(signal.SIGINT)
        ran = same_gate(ended(process, root / "results.jsonl"))
    assert ran.code == 3
    assert ran.verdicts == {"c0": "held", "c1": "held", "c2": "undecided"}
    assert ran.kinds["c2"] == "cancelled"
    assert "SIGINT" in ran.first


SIZE = """
import atexit, resource, sys
atexit.register(lambda: print("size", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr))
"""


def _repeated(file: Path, count: int) -> Path:
    """The results of a run of one attempt, as if it had been repeated."""
    (head,), (attempt,) = lines(file, "run"), lines(file, "attempt")
    middle = [*lines(file, "file"), *lines(file, "case")]
    grown = file.with_name(f"{count}.jsonl")
    with grown.open("w") as out:
        for line in [{**head, "repeats": count, "attempts": count}, *middle]:
            out.write(json.dumps(line) + "\n")
        replies = [{**reply, "state": "x" * 4000} for reply in attempt["replies"]]
        text = json.dumps({**attempt, "n": "N", "repeat": "R", "replies": replies})
        for number in range(count):
            out.write(text.replace('"N"', str(number)).replace('"R"', str(number)) + "\n")
        out.write(json.dumps(lines(file, "end")[0]) + "\n")
    return grown


def test_d08_memory_does_not_grow_with_the_results(tmp_path: Path) -> None:
    small = run(write(tmp_path, [{"say": "No."}])).file
    assert small is not None
    large = _repeated(small, 5000)
    assert large.stat().st_size > 20_000_000
    sizes = {}
    for file in (_repeated(small, 50), large):
        ran = guardgate(tmp_path, "gate", str(file), before=SIZE)
        assert ran.code == 0
        sizes[file.name] = int(ran.err.split()[-1])
    assert sizes["5000.jsonl"] < sizes["50.jsonl"] * 1.1, sizes
