"""A short run against a token bucket on a real socket, in a process of its own: nothing is lost, little is refused.

How fast it is, and 3,000 calls of it, is tests/slow/test_rate.py.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.project import PATIENCE, ROOT, environment

IN_FLIGHT = 64


def bucket(*arguments: str) -> dict[str, float]:
    """The line that the benchmark prints."""
    command = [sys.executable, str(ROOT / "benchmarks" / "token_bucket.py"), *arguments]
    done = subprocess.run(command, env=environment(), capture_output=True, timeout=PATIENCE * 2, check=True)
    facts: dict[str, float] = json.loads(done.stdout)
    return facts


@pytest.mark.parametrize("more", [[], ["--retry-after"]], ids=["silent", "retry-after"])
def test_nothing_is_lost_and_little_is_refused(more: list[str]) -> None:
    facts = bucket("--calls", "400", "--per-second", "200", *more)
    assert facts["lost"] == 0
    assert facts["answered"] == 400
    assert facts["refused"] <= IN_FLIGHT + 0.05 * 400, "what was in flight when it began to refuse, and 5 %"
    assert facts["most_in_flight"] <= IN_FLIGHT
