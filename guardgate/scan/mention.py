"""Whether words are only mentioned: in quotation marks, in code spans, in fenced blocks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from guardgate.scan.cue import compiled
from guardgate.scan.hidden import hidden_in

#: A longer quotation is a text of its own.
LONGEST = 300
#: Behind backticks that open a fence stands none on the line; behind a mark that closes one, nothing.
_FENCE = re.compile(rb"^ {0,3}(?:(`{3,})([^`\n]*)|(~{3,})([^\n]*))$", re.MULTILINE)
_LITERAL = re.compile(
    rb"^([ \t]*+)(?:\.\. (?:code|code-block|sourcecode|parsed-literal|prompt|doctest|testcode)::[^\n]*|"
    rb"[^\n]*::[ \t]*)\n"
    rb"(?:[ \t]+:[\w-]+:[^\n]*\n){0,8}(?=[ \t]*\n)",
    re.MULTILINE,
)
#: An opening mark stands at the beginning or after a blank or bracket; `title="` and `"key": "` quote nothing.
_QUOTED = r"""(?:^|[^=\w:\s"`]|[^:=]\s|[^":]:\s)("[^"\n]{1,300}(?:\n[^"\n]{1,200})?"|`[^`\n]{1,300}`)"""

Spans = tuple[tuple[int, int], ...]


def mentions(data: bytes, fence: bytes, hidden: Spans) -> Spans:
    """Where something is mentioned, sorted, without overlap. What is hidden is not for readers, so it mentions nothing.

    `fence`: the mark of the fence in which the data begins, if any.
    """
    fenced, open_since, _ = _fences(data, fence, hidden)
    if open_since == 0 and fence:
        fenced.append((0, len(data)))
    fenced = sorted([*fenced, *(span for span in _literals(data) if not touched(tuple(fenced), *span))])
    quoted = [match.span(1) for match in compiled(_QUOTED).finditer(data) if not inside(fenced, *match.span(1))]
    quoted = [span for span in quoted if not touched(hidden, *span)]
    return tuple(sorted([*fenced, *quoted]))


def leaves_open(data: bytes, fence: bytes) -> bytes:
    """The mark of the fence that is open at the end, if any; `fence`: that with which the data begins."""
    if not fence and not _FENCE.search(data):
        return b""
    return _fences(data, fence, hidden_in(data.lower()))[2]


def inside(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a part lies in one of the spans."""
    at = bisect_right(spans, (start, 1 << 62)) - 1
    return at >= 0 and spans[at][0] <= start and end <= spans[at][1]


def touched(spans: Spans, start: int, end: int) -> bool:
    """Whether a part shares anything with one of the spans."""
    at = bisect_right(spans, (end - 1, 1 << 62)) - 1
    return at >= 0 and spans[at][1] > start


def _literals(data: bytes) -> Iterator[tuple[int, int]]:
    """Blocks that reStructuredText shows as they are: behind a line that ends in `::`, and indented more than it."""
    if b"::" not in data:
        return
    end = 0
    for match in _LITERAL.finditer(data):
        if match.start() >= end:
            end = _indented(data, match.end(), len(match[1].expandtabs()))
            yield match.end(), end


def _indented(data: bytes, start: int, least: int) -> int:
    """Where the lines end that are empty or indented more than this."""
    at = start
    while at < len(data):
        stop = data.find(b"\n", at) + 1 or len(data)
        line = data[at:stop].expandtabs()
        if line.strip() and len(line) - len(line.lstrip()) <= least:
            break
        at = stop
    return at


def _fences(data: bytes, fence: bytes, hidden: Spans) -> tuple[list[tuple[int, int]], int, bytes]:
    """The fences that are closed; where one begins that is not, and its mark."""
    spans: list[tuple[int, int]] = []
    begin, mark, end = 0, fence, 0
    for match in _FENCE.finditer(data):
        found, behind = (match[1], match[2]) if match[1] else (match[3], match[4])
        if mark:
            if found.startswith(mark) and not behind.strip():
                end = match.end()
                spans.append((begin, end))
                mark = b""
        elif not _buried(data, hidden, match.start(), end):
            begin, mark = match.start(), found
    return spans, begin, mark


def _buried(data: bytes, hidden: Spans, at: int, since: int) -> bool:
    """Whether a place lies in something hidden that begins behind a fence, and that is no example in quotes itself."""
    index = bisect_right(hidden, (at, 1 << 62)) - 1
    if index < 0 or hidden[index][1] <= at or hidden[index][0] < since:
        return False
    return data[max(hidden[index][0] - 1, 0) : hidden[index][0]] not in (b'"', b"'", b"`")
