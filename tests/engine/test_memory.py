"""A run takes no more memory for more attempts. 100,000 of them: tests/slow/test_long_run.py. Linux and macOS."""

from __future__ import annotations

from pathlib import Path

from tests.support.project import case, guardgate, write

SIZE = """
import atexit, resource, sys
atexit.register(lambda: print("size", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr))
"""


def size(root: Path, repeats: int, *more: str) -> int:
    """Peak memory of a run, in the unit of the system."""
    out = f"{repeats}{len(more)}.jsonl"
    ran = guardgate(root, "run", "--quiet", "--repeats", str(repeats), "--out", out, *more, before=SIZE)
    assert ran.code == 0, ran
    return int(ran.err.split()[-1])


def test_memory_does_not_grow_with_attempts(tmp_path: Path) -> None:
    say = "I keep that to myself. " * 20
    root = write(tmp_path, [{"say": say}], cases=[case(f"c{n:02}") for n in range(20)], run={"concurrency": 32})
    few, many = size(root, 2), size(root, 200)
    assert many < few * 1.1, (few, many)
    again = size(root, 200, "--resume", "2000.jsonl")
    assert again < few * 1.15, (few, again)
