"""200 runs of 2,000 attempts that end too early, at random points; each is gone on from, to the end.

python -m pytest tests/slow/test_kills.py -s > docs/slow/kills.txt     `KILL_SEED=N` for other points
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.engine.kills import Chain

SEED = int(os.environ.get("KILL_SEED") or 20_261_130)


@pytest.mark.parametrize("chain", range(20))
def test_ten_random_ends(tmp_path: Path, chain: int) -> None:
    print(f"\nchain {chain}, seed {SEED + chain}")
    Chain(tmp_path, 2000, random.Random(SEED + chain)).play(10)
