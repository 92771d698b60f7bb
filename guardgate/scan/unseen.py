"""Characters that nobody sees or that look like others: tags, selectors, zero width, bidi, look-alikes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from guardgate.scan.codes import Piece
from guardgate.scan.seen import mixed

_TAGS = re.compile("[\U000e0020-\U000e007e]{3,}")
#: The flags of England, Scotland and Wales are tags after a black flag.
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_ZERO = "\u200b-\u200f\u2060-\u2064\ufeff\u180e\u034f"
_SPLIT = re.compile(rf"[A-Za-z\u00c0-\u04ff ,.!?'\"][{_ZERO}]+(?=[A-Za-z\u00c0-\u04ff ,.!?'\"])")
_BITS = re.compile("[\u200b\u200c\u200d\u2060\ufeff]{24,}")
_BIDI = re.compile("[\u202d\u202e][^\u202c\n]{2,}")
_WIDE = re.compile("[\uff21-\uff3a\uff41-\uff5a]")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WIDE_ENOUGH = 16
#: Fewer places in a line are an accident of copying.
_ENOUGH = 4
_CANDIDATE = re.compile(f"[{_ZERO}\u202d\u202e\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef]")


class Sign(NamedTuple):
    """Characters that hide something: where (in characters), what to call them, the words."""

    start: int
    how: str
    words: str


def signs(text: str) -> Iterator[Sign]:
    """Lines in which characters hide or disguise words."""
    start = 0
    for line in text.split("\n"):
        if not line.isascii():
            if _CANDIDATE.search(line):
                yield from _hiding(start, line)
            if mixed(line) >= 3:
                yield Sign(start, "look-alikes", line)
            if len(_WIDE.findall(line)) >= _WIDE_ENOUGH and not _CJK.search(line):
                yield Sign(start, "full width", line)
        start += len(line) + 1


def _hiding(start: int, line: str) -> Iterator[Sign]:
    zero = len(_SPLIT.findall(line))
    if zero >= _ENOUGH:
        yield Sign(start, "zero width", line)
    if _TAGS.search(_FLAG.sub("", line)):
        yield Sign(start, "tag characters", line)
    if _SELECTORS.search(line) and len(_SELECTORS.search(line)[0]) >= 8:  # type: ignore[index]
        yield Sign(start, "variation selectors", line)
    if any(len(run[0].split()) > 2 for run in _BIDI.finditer(line)):
        yield Sign(start, "bidi override", line)


def unhidden(text: str) -> Iterator[Piece]:
    """What the characters say; `start` counts characters."""
    start = 0
    for line in text.split("\n"):
        if not line.isascii() and _CANDIDATE.search(line):
            yield from (piece._replace(start=start + piece.start) for piece in _said(line))
        start += len(line) + 1


def _said(line: str) -> Iterator[Piece]:
    bare = _FLAG.sub(lambda match: "\0" * len(match[0]), line)
    for match in _TAGS.finditer(bare):
        yield Piece(match.start(), "tag characters", "".join(chr(ord(char) - 0xE0000) for char in match[0]))
    for match in _SELECTORS.finditer(line):
        yield Piece(match.start(), "variation selectors", bytes(map(_byte, match[0])).decode("utf-8", "replace"))
    for match in _BITS.finditer(line):
        yield from _from_bits(match.start(), match[0])
    for match in _BIDI.finditer(line):
        yield Piece(match.start(), "bidi override", match[0][:0:-1].strip("\u202c\u202d\u202e"), odd=False)


def _byte(char: str) -> int:
    code = ord(char)
    return code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16


def _from_bits(start: int, run: str) -> Iterator[Piece]:
    """Two kinds of nothing as bits, whichever of them is 1; a third one between characters."""
    kinds = sorted(set(run), key=run.count, reverse=True)[:2]
    for zero, one in ((0, 1), (1, 0)):
        if len(kinds) < 2:
            return
        bits = "".join("01"[char == kinds[one]] for char in run if char in (kinds[zero], kinds[one]))
        text = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)).decode("utf-8", "replace")
        if text.isprintable() and "\ufffd" not in text:
            yield Piece(start, "zero width bits", text)
