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
_WORD = r"""[^\s.!?*`"'>#|/\\+{};=]+"""
#: An escaped character stays as it is; a gap; a blank; a class, and up to how many; what is not ASCII.
_TOKEN = re.compile(
    r"\\.|(?P<first> ?)~(?P<gap>\d) ?| |(?P<set>\[(?:\\.|[^\]\\])*\])(?:\{0,(?P<most>\d+)\})?|(?P<wide>[^\x00-\x7f])"
)
_ESCAPE = r"\x{:02x}"
_WIDE = re.compile(r"[^\x00-\x7f]")
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
    """The pattern in RE2's syntax, in ASCII: other letters are the bytes of their UTF-8."""
    return _TOKEN.sub(_spelled, pattern)


def _spelled(match: re.Match[str]) -> str:
    if match["gap"]:
        return f"{BETWEEN if match['first'] else ''}(?:{_WORD}{BETWEEN}){{0,{match['gap']}}}?"
    if match["wide"]:
        return _bytes(match[0])
    if match["set"]:
        return _set(match["set"].replace(" ", r"\s"), match["most"])
    return BETWEEN if match[0] == " " else match[0]


def _bytes(char: str) -> str:
    return f"(?:{''.join(map(_ESCAPE.format, char.encode()))})"


def _set(chars: str, most: str | None) -> str:
    """A class over bytes. One that excludes may take up to three bytes for a character, and excludes ASCII only."""
    wide = _WIDE.findall(chars)
    plain = _WIDE.sub("", chars)
    if not wide:
        return chars + (f"{{0,{most}}}" if most else "")
    if chars.startswith("[^"):
        return plain + (f"{{0,{3 * int(most)}}}" if most else "")
    return one_of(*([plain] if plain != "[]" else []), *map(_bytes, wide)) + (f"{{0,{most}}}" if most else "")


@cache
def compiled(pattern: str) -> Any:
    """A pattern over bytes, in linear time, with letter case. With \\p or what is not ASCII it takes whole letters."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    if not pattern.isascii() or r"\p" in pattern:
        return re2.compile(pattern, options)
    # An automaton over bytes has a fraction of the states of one over UTF-8.
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(pattern.encode(), options)


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
