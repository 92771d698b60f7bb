"""Windows has no kills, full disks, memory limits or shells as these tests use them, and no `wait4` for benchmarks."""

import sys

import pytest

from tests.engine.inside import scrubbed

UNIX = ["test_kills.py", "test_rate.py", "test_memory.py", "test_workflow.py"]
collect_ignore = UNIX if sys.platform == "win32" else []


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in scrubbed():
        monkeypatch.delenv(name)
