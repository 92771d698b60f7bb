"""A project in which nothing asks for help: there a bot that refuses everything breaks no rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.errors import Problem
from guardgate.loaded import Loaded

#: Fewer attacks are a beginning.
_BEGINNING = 5


def nothing_to_help_with(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """Attacks, and not one harmless twin: a warning, since whoever says the same to everybody holds it all."""
    if len(loaded.cases) >= _BEGINNING and not any(one.benign for one in loaded.cases):
        yield Problem(
            loaded.file, ("suites",), "attacks only: a bot that refuses everything, or is out of order, breaks none",
            "a few cases of the class benign, in which helping is right",
            "add a harmless twin: attack: benign, with checks for what a useful reply has (docs/checks.md)",
            "no-benign", "warning",
        )  # fmt: skip
