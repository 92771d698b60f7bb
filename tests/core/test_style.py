"""The house rules that tools can check."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.project import ROOT


@pytest.mark.parametrize(
    "arguments",
    [["ruff", "check", "--no-cache"], ["ruff", "format", "--check", "--no-cache"], ["mypy", "--no-error-summary"]],
    ids=["lint", "format", "types"],
)
def test_the_tools_find_nothing(arguments: list[str]) -> None:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
