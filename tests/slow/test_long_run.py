"""100,000 attempts in one run, and gone on from: memory as for a thousand.

python -m pytest tests/slow/test_long_run.py -s > docs/slow/long_run.txt
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from tests.engine.test_memory import SIZE
from tests.support.project import case, start, write


def cost(root: Path, *arguments: str) -> tuple[int, int, float]:
    """Exit code, peak memory, seconds."""
    begun = time.monotonic()
    process = start(root, *arguments, before=SIZE, stdout=subprocess.DEVNULL)
    _, err = process.communicate(timeout=900)
    return process.returncode, int(err.split()[-1]), time.monotonic() - begun


def test_a_hundred_thousand_attempts(tmp_path: Path) -> None:
    say = "I keep that to myself. " * 20
    root = write(tmp_path, [{"say": say}], cases=[case(f"c{n:03}") for n in range(1000)], run={"concurrency": 64})
    found = {}
    for name, arguments in {
        "run 1,000": ("run", "--quiet", "--out", "few.jsonl"),
        "run 100,000": ("run", "--quiet", "--repeats", "100", "--out", "many.jsonl"),
        "resume 100,000": ("run", "--quiet", "--repeats", "100", "--out", "again.jsonl", "--resume", "many.jsonl"),
        "gate 100,000": ("gate", "many.jsonl"),
    }.items():
        code, size, seconds = cost(root, *arguments)
        found[name] = size
        print(f"{name}: exit {code}, {size / 1024:.1f} MB, {seconds:.1f} s")
        assert code == 0
    assert max(found.values()) < found["run 1,000"] * 1.15, found
