"""Kills and full disks are made in ways that Windows does not have; benchmarks measure processes by `wait4`."""

import sys

import pytest

from tests.engine.inside import scrubbed

collect_ignore = ["test_kills.py", "test_rate.py", "test_memory.py"] if sys.platform == "win32" else []


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in scrubbed():
        monkeypatch.delenv(name)
