"""Ten runs of 2,000 attempts that end too early, at random points: nothing is lost, nothing is paid twice.

Two hundred of them: tests/slow/test_kills.py. `KILL_SEED=N` plays the same points again.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.engine.kills import Chain


@pytest.mark.parametrize("chain", [1, 2])
def test_ten_random_ends(tmp_path: Path, chain: int) -> None:
    seed = int(os.environ.get("KILL_SEED") or random.randrange(10**9)) + chain
    print(f"KILL_SEED={seed - chain}, chain {chain}")
    Chain(tmp_path, 2000, random.Random(seed)).play(5)
