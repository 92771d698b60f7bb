"""3,000 calls against a token bucket of 6,000 a minute, burst 20: at most 1.15 x the bound, 5 % refused, none lost.

python -m pytest tests/slow/test_rate.py -s > docs/slow/rate.txt
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.project import ROOT, environment


@pytest.mark.parametrize("more", [[], ["--retry-after"]], ids=["silent", "retry-after"])
def test_a_token_bucket(more: list[str]) -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "token_bucket.py"), *more]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=300, check=True)
    print(done.stdout, end="")
    facts = json.loads(done.stdout)
    assert facts["kept"] == dict.fromkeys(facts["bounds"], True), facts
