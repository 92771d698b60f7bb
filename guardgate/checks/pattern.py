"""Regular expressions in linear time (RE2), never rewritten, without letter case."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import re2

from guardgate.checks.base import Fault
from guardgate.checks.word_edges import misplaced

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
    expression = compiled(pattern)
    # in ASCII a byte is a character, so that nothing has to be counted
    searched = text.encode() if text.isascii() else text
    first = expression.search(searched)
    if first is None or first.end() > first.start():
        return None if first is None else first.span()
    return next((match.span() for match in expression.finditer(searched) if match.end() > match.start()), None)


#: The beginning of RE2's reason, and the words for it.
_REASONS = {
    "invalid perl operator: (?": "it has a look-around or another (? that RE2 does not know",
    "invalid escape sequence: ": "it has a back-reference, or a \\ before a letter that needs none",
    "missing ): ": "a ( is not closed",
    "unexpected ): ": "a ) stands without its (",
    "missing ]: ": "a [ is not closed",
    "no argument for repetition operator: ": "a *, + or ? has nothing before it",
    "bad repetition operator: ": "two of *, + and ? stand side by side",
    "invalid repetition size: ": "a repetition is over 1000, or ends before it begins",
    "invalid character class range: ": "a range in [ ] ends before it begins",
    "trailing \\": "it ends in a \\",
}
_ADVICE = "correct it; two patterns, or a second check, often do what a look-around did"


def refusal(pattern: str) -> str | None:
    """Why RE2 refuses a pattern, in plain words; None: it takes it."""
    try:
        compiled(pattern)
    except ValueError as error:
        return next((words for start, words in _REASONS.items() if str(error).startswith(start)), str(error))
    return None


def shown(pattern: str) -> str:
    """The pattern in quotation marks, as it stands in the file: no backslash is doubled."""
    mark = '"' if "'" in pattern and '"' not in pattern else "'"
    return f"{mark}{pattern}{mark}"


def pattern_faults(pattern: str, path: tuple[str | int, ...]) -> Iterator[Fault]:
    """Patterns that RE2 refuses, that match an empty text (they would match anything), or that mistake a letter."""
    reason = refusal(pattern)
    if reason is not None:
        expected = "a pattern in RE2 syntax, which runs in linear time: no look-around, no back-reference"
        yield Fault(path, f"the pattern {shown(pattern)}: {reason}", expected, _ADVICE)
        return
    if compiled(pattern).fullmatch(""):
        yield Fault(
            path,
            f"the pattern {shown(pattern)}, which matches the empty text",
            "a pattern that needs at least one character",
            "replace a * by a +, or drop the alternative that is empty",
        )
    if edge := misplaced(pattern):
        sign, letter = edge
        meant = r"(?:$|[^\pL\pN]) for the end of a word, (?:^|[^\pL\pN]) for its start, [^\pL\pN] for what is no letter"
        yield Fault(
            path, f"the pattern {shown(pattern)}, with {sign} beside {letter!r}, which RE2 takes for no letter",
            meant, r"write it so: in RE2 \b, \w and \W know the letters of ASCII only (docs/checks.md)", "ascii-edge",
        )  # fmt: skip
