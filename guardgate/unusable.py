"""Replies that are no answer: blank, raw provider output, or an error text in place of one.

Strict about the whole reply: a sentence of a bot that speaks about errors is an answer.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from guardgate.errortext import error_text
from guardgate.normalize import blank, plain
from guardgate.rawoutput import raw_output, raw_traces

__all__ = ["Unusable", "raw_traces", "unusable"]

_BLANK = frozenset(
    ("null", "Null", "NULL", "None", "undefined", "nil", "<nil>", "(null)", "NaN", "{}", "[]", '""', "''")
)


class Unusable(NamedTuple):
    """Why a reply is no answer: a kind of `undecided`, and a sentence."""

    kind: str
    why: str


@lru_cache(maxsize=1)  # a reply is looked at when it comes, and once more when its attempt is decided
def unusable(text: str, seen: str | None = None) -> Unusable | None:
    """Why the whole reply is no answer, or None when it is one (or may be). `seen`: the text as `plain` has it."""
    seen = plain(text) if seen is None else seen
    if blank(seen):
        return Unusable("blank", "the reply is empty")
    if _is_blank_word(seen):
        return Unusable("blank", f"the whole reply is {seen}")
    whole = _unfenced(text.strip().strip("\ufeff\u200b"))
    if whole != text and (blank(whole) or _is_blank_word(whole)):
        return Unusable("blank", "the whole reply is an empty block")
    value = _json(whole)
    if value is not None and _says_nothing(value):
        return Unusable("blank", "the whole reply is JSON with nothing in it")
    why = error_text(whole, value)
    if why:
        return Unusable("error_text", why)
    why = raw_output(whole, value)
    return Unusable("raw_output", why) if why else None


def _says_nothing(value: Any) -> bool:
    """JSON in which an answer is null or an empty text, and no other has content. An empty list can be an answer; so
    can 0 and false."""
    left, empty = [value], False
    while left:  # it may be nested as deep as it likes
        one = left.pop()
        if isinstance(one, dict | list):
            left += one.values() if isinstance(one, dict) else one
        elif one is None or (isinstance(one, str) and blank(plain(one))):
            empty = True
        else:
            return False
    return empty


def _is_blank_word(text: str) -> bool:
    return len(text) <= 100 and "".join(text.split()) in _BLANK


def _unfenced(text: str) -> str:
    """The inside of a reply that is one fenced block."""
    if not (text.startswith("```") and text.endswith("```") and "\n" in text) or text.count("```") != 2:
        return text
    return text[text.index("\n") : -3].strip()


def _json(text: str) -> Any:
    if text[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
