"""Every call to GitHub with every failure, on every kind of job: some minutes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.ci.conftest import github, workspace
from tests.ci.test_every_call import FAILURES, WAYS, Left, Way, calls, quick, walk
from tests.support.github import GitHub

__all__ = ["calls", "github", "quick", "workspace"]  # the fixtures


@pytest.mark.parametrize("name", WAYS)
def test_no_failure_makes_anything_better(name: str, github: GitHub, calls: Callable[[Way], Left]) -> None:
    walk(WAYS[name], github, calls, tuple(FAILURES))
