"""The scanner's speed, and 10 MB of each hostile text in time that grows no faster than the text.

python -m pytest tests/slow/test_scan.py -s > docs/slow/scan.txt
"""

from __future__ import annotations

import json
import subprocess
import sys

from tests.support.project import ROOT, environment


def test_the_bounds_of_the_benchmark_are_kept() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "scan.py")]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=900, check=True)
    print(done.stdout, end="")
    facts = json.loads(done.stdout)
    assert facts["kept"] == dict.fromkeys(facts["bounds"], True), facts
