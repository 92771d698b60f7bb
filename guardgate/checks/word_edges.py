"""Where a pattern trusts `\\b` or `\\W` beside a letter that RE2 takes for none: to RE2 only ASCII has letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

#: A property, a code point, an escape, a class of characters, what opens and closes, parts and repeats, a character.
_TOKEN = re.compile(
    r"\\[pP](?:\{[^}]*\}|.)|\\x\{[0-9a-fA-F]+\}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]"
    r"|\(\?[imsU-]+\)|\((?:\?(?:P?<\w+>|[imsU-]*:))?|\)|\||(?:[*+?]|\{\d+(?:,\d*)?\})\??|.",
    re.DOTALL,
)
_REPEATS = re.compile(r"[*+?]\??|\{\d+(?:,\d*)?\}\??")
#: Those that may also stand for nothing.
_OPTIONAL = re.compile(r"[*?]\??|\{0\D.*|\{0\}.*")
_TRUSTING = frozenset({r"\b", r"\B", r"\W"})

Letters = frozenset[str]
_NONE: Letters = frozenset()


@dataclass(slots=True)
class _Piece:
    """One character, edge or group: the letters outside ASCII that it can begin and end with."""

    first: Letters = _NONE
    last: Letters = _NONE
    empty: bool = False
    trusts: str | None = None
    ways: list[list[_Piece]] = field(default_factory=list)


def misplaced(pattern: str) -> tuple[str, str] | None:
    """The first `\\b`, `\\B` or `\\W` beside such a letter, and the letter; the pattern is one that RE2 takes."""
    if pattern.isascii():
        return None
    return next(_walk(_parsed(iter(_TOKEN.findall(pattern))), _NONE, _NONE), None)


def _parsed(signs: Iterator[str]) -> _Piece:
    """The group that ends at the next `)` of its own, or with the pattern."""
    ways: list[list[_Piece]] = [[]]
    for sign in signs:
        if sign == ")":
            break
        if sign == "|":
            ways.append([])
        elif sign.startswith("(") and not sign.endswith(")"):
            ways[-1].append(_parsed(signs))
        elif _REPEATS.fullmatch(sign):
            if ways[-1]:
                ways[-1][-1].empty |= bool(_OPTIONAL.fullmatch(sign))
        else:
            ways[-1].append(_single(sign))
    group = _Piece(ways=ways)
    group.empty = any(all(piece.empty for piece in way) for way in ways)
    group.first = frozenset().union(*(_edge(way) for way in ways))
    group.last = frozenset().union(*(_edge(way[::-1], last=True) for way in ways))
    return group


def _single(sign: str) -> _Piece:
    if sign in ("^", "$", r"\b", r"\B", r"\A", r"\z") or sign.startswith("(?"):
        return _Piece(empty=True, trusts=sign if sign in _TRUSTING else None)
    if sign.startswith("["):
        letters = _NONE if sign.startswith("[^") else _letters(sign)
        return _Piece(letters, letters, trusts=r"\W" if r"\W" in sign else None)
    letters = _NONE if sign.startswith("\\") else _letters(sign)
    return _Piece(letters, letters, trusts=sign if sign in _TRUSTING else None)


def _letters(text: str) -> Letters:
    return frozenset(char for char in text if not char.isascii() and char.isalnum())


def _edge(way: list[_Piece], *, last: bool = False) -> Letters:
    """What a row of pieces can begin with; of a reversed row, what it can end with."""
    letters = _NONE
    for piece in way:
        letters |= piece.last if last else piece.first
        if not piece.empty:
            break
    return letters


def _walk(group: _Piece, before: Letters, after: Letters) -> Iterator[tuple[str, str]]:
    """Every place, with what can stand on its two sides."""
    for way in group.ways:
        for at, piece in enumerate(way):
            if piece.trusts is None and not piece.ways:
                continue
            left = _edge(way[:at][::-1], last=True) | (before if all(one.empty for one in way[:at]) else _NONE)
            right = _edge(way[at + 1 :]) | (after if all(one.empty for one in way[at + 1 :]) else _NONE)
            if piece.trusts is not None and left | right:
                yield piece.trusts, min(left | right)
            yield from _walk(piece, left, right)
