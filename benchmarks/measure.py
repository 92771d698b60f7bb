"""What one child process cost: wall and CPU seconds, peak memory. Linux and macOS (it needs `wait4`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Cost:
    """One process from its start to its end. `code` is its exit code."""

    code: int
    wall: float
    cpu: float
    rss_mb: float
    out: str


def guardgate(*arguments: str) -> list[str]:
    """The command line of guardgate, in this interpreter."""
    return [sys.executable, "-m", "guardgate", *arguments]


def cost(command: Sequence[str], folder: Path | None = None, expect: int = 0) -> Cost:
    """Run a command and measure it; its output is kept. Raises RuntimeError for another exit code."""
    import resource  # noqa: F401, PLC0415 - fails early, and with a clear name, where there is no wait4

    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else every process compiles the whole package again
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        out = process.stdout.read().decode("utf-8", "replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    unit = 1 if sys.platform == "darwin" else 1024
    done = Cost(process.returncode, wall, used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 1e6, out)
    if done.code != expect:
        raise RuntimeError(f"{' '.join(command)}: found exit code {done.code}, expected {expect}\n{out[-2000:]}")
    return done


def least(costs: Sequence[Cost], key: str) -> float:
    """The least of one number over several runs: what others on the machine do can only add to it."""
    return min(float(asdict(one)[key]) for one in costs)


def say(name: str, bounds: Mapping[str, float], facts: Mapping[str, Any]) -> None:
    """Print one line of JSON: what was measured, the bounds, whether each was kept, and how busy the machine was."""
    kept = {key: facts[key] <= most for key, most in bounds.items()}
    rounded = {key: round(value, 3) if isinstance(value, float) else value for key, value in facts.items()}
    load = round(os.getloadavg()[0], 1)
    print(json.dumps({"benchmark": name, **rounded, "bounds": dict(bounds), "kept": kept, "load": load}))
