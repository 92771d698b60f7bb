"""What a machine lacks is left out on purpose, by name, or its tests fail: `GUARDGATE_WITHOUT=npm,containers`."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

VARIABLE = "GUARDGATE_WITHOUT"
#: Everything that may be left out. A misspelt name leaves out nothing and fails.
NAMES = ("browser", "containers", "npm", "python")


def left_out(name: str) -> bool:
    """Whether the variable names it."""
    assert name in NAMES
    given = {word.strip() for word in os.environ.get(VARIABLE, "").split(",")} - {""}
    assert given <= set(NAMES), f"{VARIABLE}: found {sorted(given)}; expected some of {', '.join(NAMES)}"
    return name in given


def skip_if_left_out(name: str) -> None:
    """Skip the test where the variable says so, and nowhere else."""
    if left_out(name):
        pytest.skip(f"{VARIABLE} leaves out {name}")


def missing(name: str, found: str) -> NoReturn:
    """Fail the test: something is not there, and nobody said that it may be missing."""
    pytest.fail(f"found {found}; expected {name}; install it, or leave its tests out with {VARIABLE}={name}")
