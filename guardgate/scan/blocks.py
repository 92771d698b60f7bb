"""A text of any length in stretches that overlap, so that memory does not grow with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from guardgate.scan.mention import leaves_open
from guardgate.scan.seen import lines_unified

#: Characters. What spreads over more than the overlap may be missed where two stretches meet.
SIZE, OVERLAP = 128 * 1024, 4 * 1024


class Block(NamedTuple):
    """A stretch of text, the line of the file on which it begins, and the mark of the fence in which it begins."""

    text: str
    line: int
    fence: bytes


def blocks(pieces: Iterable[str]) -> Iterator[Block]:
    """The stretches of a text that comes in pieces. Where they are cut depends on neither the pieces nor line ends."""
    rest, line, fence = "", 1, b""
    for piece in _unified(pieces):
        rest += piece
        while len(rest) > SIZE:
            cut = _cut(rest, SIZE)
            yield Block(rest[:cut], line, fence)
            again = _cut(rest, cut - OVERLAP)
            line += rest.count("\n", 0, again)
            fence = leaves_open(rest[:again].encode("utf-8", "replace"), fence)
            rest = rest[again:]
    if rest:
        yield Block(rest, line, fence)


def _unified(pieces: Iterable[str]) -> Iterator[str]:
    """Bounded pieces with one kind of line ends; a carriage return waits for what follows."""
    waiting = ""
    for piece in pieces:
        for start in range(0, len(piece), SIZE):
            whole = waiting + piece[start : start + SIZE]
            waiting = "\r" if whole.endswith("\r") else ""
            yield lines_unified(whole[: len(whole) - len(waiting)])
    if waiting:
        yield "\n"


def _cut(text: str, near: int) -> int:
    """Behind the last line end in some characters before a place, else the last blank, else the place itself."""
    low = max(near - OVERLAP // 4, 0)
    at = text.rfind("\n", low, near)
    if at < 0:
        at = text.rfind(" ", low, near)
    return near if at < 0 else at + 1
