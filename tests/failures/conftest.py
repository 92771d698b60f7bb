"""What the rows need of pytest: a mark, and no Windows where a row speaks of signals or of a process's memory."""

import sys

import pytest

collect_ignore = ["test_unix.py"] if sys.platform == "win32" else []


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow_install: builds and installs a wheel; needs the package indexes of pip")
