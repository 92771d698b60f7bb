"""Lines that fit: the width of text in columns, and where to break it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

WIDTH = 80


def columns(text: str) -> int:
    """How many columns a terminal uses for the text."""
    return len(text) if text.isascii() else sum(_width(char) for char in text)


def _width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def breaks(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Start and end of each piece that fits into `width` columns: after a space where there is one, else anywhere."""
    start = used = at = 0
    space = -1
    while at < len(text):
        need = _width(text[at])
        if used + need > width and at > start:
            end = space if space > start else at
            yield start, end
            start, used, space = end, columns(text[end:at]), -1
            continue
        used += need
        at += 1
        if text[at - 1] == " ":
            space = at
    if start < len(text) or not text:
        yield start, len(text)


def wrapped(text: str, width: int = WIDTH, indent: str = "", hang: str | None = None) -> Iterator[str]:
    """Prose in lines of at most `width` columns: the first behind `indent`, the others behind `hang`."""
    later = indent if hang is None else hang
    for number, (start, end) in enumerate(breaks(text, width - max(len(indent), len(later)))):
        line = text[start:end].rstrip(" ") if number == 0 else text[start:end].strip(" ")
        if line or number == 0:
            yield (later if number else indent) + line
