"""Regular expressions in linear time (RE2), never rewritten, without letter case."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import re2

from guardgate.checks.base import Fault

MAX_PATTERN = 2_000


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Any:
    """The compiled pattern; raises ValueError with RE2's reason."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"longer than {MAX_PATTERN} characters")
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = 16 << 20
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else "not a pattern"
        raise ValueError(reason.decode() if isinstance(reason, bytes) else str(reason)) from error


def found(pattern: str, text: str) -> tuple[int, int] | None:
    """Start and end of the first match that is not empty."""
    for match in compiled(pattern).finditer(text):
        if match.end() > match.start():
            return match.start(), match.end()
    return None


def pattern_faults(pattern: str, path: tuple[str | int, ...]) -> Iterator[Fault]:
    """Patterns that RE2 refuses, and patterns that match an empty text (they would match anything)."""
    try:
        expression = compiled(pattern)
    except ValueError as error:
        yield Fault(
            path,
            f"the pattern {pattern!r}, which RE2 refuses: {error}",
            "a pattern in RE2 syntax (no look-around, no back-references: it runs in linear time)",
            "rewrite the pattern; two patterns, or a second check, often do what look-around did",
        )
        return
    if expression.fullmatch(""):
        yield Fault(
            path,
            f"the pattern {pattern!r}, which matches the empty text",
            "a pattern that needs at least one character",
            "replace a * by a +, or drop the alternative that is empty",
        )
