"""Colour for a terminal, where it is asked for. Text alone carries the meaning."""

from __future__ import annotations

from collections.abc import Callable

_STYLES = {"": "1", "bad": "1;31", "open": "1;33", "good": "1;32"}

Paint = Callable[[str, str], str]


def painter(colour: bool) -> Paint:
    """A function that dresses one line in a mood, or leaves it as it is."""
    return (lambda line, mood: f"\x1b[{_STYLES[mood]}m{line}\x1b[0m") if colour else (lambda line, _mood: line)
