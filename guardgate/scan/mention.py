"""Whether words are only mentioned: in quotation marks, in code spans, in fenced blocks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from guardgate.scan.cue import compiled

#: A longer quotation is a text of its own.
LONGEST = 300
_FENCE = re.compile(rb"^ {0,3}(`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_LITERAL = re.compile(
    rb"^([ \t]*+)(?:\.\. (?:code|code-block|sourcecode|parsed-literal|prompt|doctest|testcode)::[^\n]*|[^\n]*::[ \t]*)\n"
    rb"(?:[ \t]+:[\w-]+:[^\n]*\n){0,8}(?=[ \t]*\n)",
    re.MULTILINE,
)
#: An opening mark stands at the beginning or after a blank or bracket; `title="` and `"key": "` quote nothing.
_QUOTED = r"""(?:^|[^=\w:\s"`]|[^:=]\s|[^":]:\s)("[^"\n]{1,300}(?:\n[^"\n]{1,200})?"|`[^`\n]{1,300}`)"""

Spans = tuple[tuple[int, int], ...]


def mentions(data: bytes, fence_open: bool, hidden: Spans) -> Spans:
    """Where something is mentioned, sorted, without overlap. What is hidden is not for readers, so it mentions nothing.

    `fence_open`: the data begins inside a fence.
    """
    fenced = _fences(data, fence_open)
    fenced = sorted([*fenced, *(span for span in _literals(data) if not touched(tuple(fenced), *span))])
    quoted = [match.span(1) for match in compiled(_QUOTED).finditer(data) if not inside(fenced, *match.span(1))]
    quoted = [span for span in quoted if not touched(hidden, *span)]
    return tuple(sorted([*fenced, *quoted]))


def leaves_open(data: bytes, fence_open: bool) -> bool:
    """Whether a fence is open at the end."""
    return (len(_FENCE.findall(data)) % 2 == 1) != fence_open


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


def _fences(data: bytes, fence_open: bool) -> list[tuple[int, int]]:
    if not fence_open and b"```" not in data and b"~~~" not in data:
        return []
    spans: list[tuple[int, int]] = []
    begin: int | None = 0 if fence_open else None
    mark = b""
    for match in _FENCE.finditer(data):
        if begin is None:
            begin, mark = match.start(), match[1]
        elif not mark or match[1].startswith(mark):
            spans.append((begin, match.end()))
            begin, mark = None, b""
    if begin is not None and fence_open:
        spans.append((begin, len(data)))
    return spans
