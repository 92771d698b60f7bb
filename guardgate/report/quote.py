"""Long text from outside as lines with a mark before each, so that no line can pass for one of ours.

`|` stands before every line, `>` before a line with the words that decided; below it `^` points at the words.
Lines without a mark are ours: a reply can imitate all but these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guardgate.report.escape import terminal_line
from guardgate.report.layout import breaks, columns

#: How much of a text stands before the words where it is cut, in characters.
BEFORE = 200
TEXT_WIDTH = 72


@dataclass(frozen=True, slots=True)
class Line:
    """One escaped line and its mark: `|`, `>`, or a space for a line of ours."""

    mark: str
    text: str

    def __str__(self) -> str:
        return f"{self.mark} {self.text}".rstrip(" ")


def quoted(text: str, words: str | None = None, limit: int | None = None) -> Iterator[Line]:
    """The text, cut after `limit` characters, with `words` pointed at; where it lacks them they stand before it."""
    start = text.find(words) if words else -1
    if words and start < 0:
        yield Line(" ", "what decided:")
        yield from (Line(">", line.text) for line in quoted(words, None, limit) if line.mark == "|")
        yield Line(" ", "the text:")
    if not text:
        yield Line(" ", "(empty)")
        return
    end = start + len(words or "")
    low, high = _window(len(text), start, limit)
    if low:
        yield Line(" ", f"[... {low} characters before]")
    yield from _lines(text, low, high, start, end)
    if high < len(text):
        yield Line(" ", f"[... {len(text) - high} more characters]")


def _window(length: int, start: int, limit: int | None) -> tuple[int, int]:
    """What is shown of a long text: its beginning, or the words with a little before them."""
    if limit is None or length <= limit:
        return 0, length
    low = max(0, min(start - BEFORE, length - limit)) if start > 0 else 0
    return low, min(length, low + limit)


def _lines(text: str, low: int, high: int, start: int, end: int) -> Iterator[Line]:
    whole = 0 <= start <= low and high <= end  # to point at everything points at nothing
    at = low
    for line in text[low:high].split("\n"):
        first, last = max(start - at, 0), min(end - at, len(line))
        at += len(line) + 1
        if whole or start < 0 or first >= last:
            yield from _plain(line.removesuffix("\r"), ">" if whole else "|")
        else:
            yield from _pointed(line.removesuffix("\r"), first, last)


def _plain(line: str, mark: str) -> Iterator[Line]:
    shown = terminal_line(line)
    for start, end in breaks(shown, TEXT_WIDTH):
        yield Line(mark, shown[start:end])


def _pointed(line: str, first: int, last: int) -> Iterator[Line]:
    """The line with carets below the characters from `first` to `last`."""
    shown = terminal_line(line)
    before, words = (len(shown) - len(terminal_line(line[part:])) for part in (first, last))
    for start, end in breaks(shown, TEXT_WIDTH):
        low, high = max(start, before), min(end, words)
        hit = low < high
        yield Line(">" if hit else "|", shown[start:end])
        if hit:
            yield Line(" ", " " * columns(shown[start:low]) + "^" * max(1, columns(shown[low:high])))
