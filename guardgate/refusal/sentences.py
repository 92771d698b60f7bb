"""A reply as its sentences: what code blocks, quotations and lists hold is told apart from what is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from guardgate.normalize import Normal, fold

#: Sentences of a reply, and characters of a sentence, that are read. No refusal needs as many.
MOST, LONGEST = 400, 2_000

_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_BULLET = re.compile(r"[ \t]*+(?:[-*•‣·]|\(?\d{1,3}[.):]|\(?[a-z][.)])[ \t]+", re.IGNORECASE)
# A run of stops is entered at its first character only, and no quotation runs over another's beginning: linear time.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)*_]*+(?=\s|\Z)|[。！？｡؟।][」』”’）]*+")
_QUOTED = re.compile(r"\"[^\"\n]*+\"|“[^“”\n]*+”|„[^„“”\n]*+[“”]|«[^«»\n]*+»|「[^「」\n]*+」|『[^『』\n]*+』")
_LEAD = "*_#> \t"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its place in the reply, its normalised text without quotations, and what it is."""

    start: int
    end: int
    text: str
    listed: bool = False
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The sentences that the reply says itself, where its first code block begins, and whether all of it was read."""

    sentences: tuple[Sentence, ...]
    code: int | None
    whole: bool


def read(reply: str, how: Normal = fold) -> Reading:
    """The reply's sentences in order, without code blocks and block quotes; at most `MOST`."""
    said, code = _prose(_unquoted(reply))
    found = tuple(islice(_sentences(said, how), MOST + 1))
    return Reading(found[:MOST], code, len(found) <= MOST)


def _unquoted(reply: str) -> str:
    """The reply with its quotations blanked, character for character; a reply that is one quotation is said."""
    if _QUOTED.fullmatch(reply.strip()):
        return reply
    return _QUOTED.sub(lambda match: " " * len(match[0]), reply)


def _prose(reply: str) -> tuple[list[tuple[int, str]], int | None]:
    """The lines that are neither code nor a block quote, each with its place, and where the first code begins."""
    lines: list[tuple[int, str]] = []
    code: int | None = None
    fenced = False
    at = 0
    for line in reply.splitlines(keepends=True):
        if _FENCE.match(line):
            code, fenced = at if code is None else code, not fenced
        elif not fenced and not line.isspace() and not line.lstrip().startswith(">"):
            lines.append((at, line))
        at += len(line)
    return lines, code


def _sentences(lines: list[tuple[int, str]], how: Normal) -> Iterator[Sentence]:
    for at, line in lines:
        bullet = _BULLET.match(line)
        begin = bullet.end() if bullet else 0
        for end in _ends(line, begin):
            piece = line[begin:end]
            text = how(piece[:LONGEST]).strip(_LEAD)
            if text:
                start = at + begin + len(piece) - len(piece.lstrip())
                yield Sentence(start, at + begin + len(piece.rstrip()), text, bullet is not None, text[-1] in "?؟")
            begin = end


def _ends(line: str, begin: int) -> Iterator[int]:
    """Where the sentences of a line end."""
    yield from (stop.end() for stop in _STOP.finditer(line, begin))
    yield len(line)
