"""Cues: patterns (RE2, over bytes of folded text) that stand for one family and weigh something.

In a pattern a blank is whatever separates words, line ends and comment marks among it. `~4` is up to four words, each
with the blank after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import re2

from guardgate.scan.finding import Family

#: Between two words: white space, emphasis, quotes, marks of comments, quotations and tables.
BETWEEN = r"""(?:[\s*`"'>#|/\\+]+)"""
_WORD = r"""[^\s.!?*`"'>#|/\\+]+"""
#: An escaped character and a class stay as they are; a gap; a blank.
_TOKEN = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|( ?)~(\d) ?| ")
_MEMORY = 64 << 20
#: A cue that needs a beginning before it does not begin with that.
_BEFORE = frozenset(b" \t\n.?:;,\"'(>")


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern of a family. From 4 on a cue is a finding of its own; a lighter one needs company.

    Of several cues of one `kind` near each other only the heaviest counts; without a kind it is the family.
    """

    family: Family
    weight: int
    pattern: str
    kind: str = ""


class Hit(NamedTuple):
    """Where a cue stands in the bytes."""

    start: int
    end: int
    family: Family
    weight: int
    kind: str


def one_of(*rows: str) -> str:
    """Alternatives, from rows that are separated by |."""
    return f"(?:{'|'.join(rows)})"


def spelled_out(pattern: str) -> str:
    """The pattern in RE2's syntax."""
    return _TOKEN.sub(_spelled, pattern)


def _spelled(match: re.Match[str]) -> str:
    if match[2]:
        return f"{BETWEEN if match[1] else ''}(?:{_WORD}{BETWEEN}){{0,{match[2]}}}?"
    if match[0] == " ":
        return BETWEEN
    return match[0].replace(" ", r"\s") if match[0].startswith("[") else match[0]


@cache
def compiled(pattern: str) -> Any:
    """A pattern over bytes, in linear time, with letter case."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    return re2.compile(pattern, options)


@dataclass(frozen=True, slots=True)
class Net:
    """Cues of the same family, weight and kind as one pattern."""

    family: Family
    weight: int
    kind: str
    pattern: str


def nets(cues: Iterable[Cue]) -> tuple[Net, ...]:
    """The cues, joined where they say the same: one pass over the text for each."""
    joined: dict[tuple[Family, int, str], list[str]] = {}
    for cue in cues:
        joined.setdefault((cue.family, cue.weight, cue.kind or cue.family), []).append(spelled_out(cue.pattern))
    return tuple(Net(*key, one_of(*patterns)) for key, patterns in joined.items())


def hits(net: Iterable[Net], data: bytes, begin: int, end: int) -> Iterator[Hit]:
    """Every hit of every net in a part of the data, net by net."""
    for one in net:
        for match in compiled(one.pattern).finditer(data, begin, end):
            start, stop = match.span()
            while start < stop - 1 and data[start] in _BEFORE:
                start += 1
            yield Hit(start, stop, one.family, one.weight, one.kind)
