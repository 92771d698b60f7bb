"""A second view of what stands around inline markup: without its tags and marks, with escaped letters as letters."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from html.entities import html5

from guardgate.normalize import fold, skeleton
from guardgate.scan.cue import Hit, compiled
from guardgate.scan.forbid import orders
from guardgate.scan.grammar import cues_in
from guardgate.scan.seen import mixed

_INLINE = (
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|o:p|q|rb|rp|rt|ruby|s|samp|"
    "small|span|strike|strong|sub|sup|time|tt|u|var|br|wbr|img|"
    # What no browser knows stands within a line.
    "[a-oq-z]|[a-z]+-[a-z-]+"
)
#: An escaped letter or blank, in a page, in a string.
_ESCAPES = r"&(?:#(?:x[0-9a-f]{1,6}|[0-9]{1,7});?|[a-z]\w{1,30};)|\\(?:u[0-9a-f]{4}|x[0-9a-f]{2})"
#: What is cut. With a group, that stays: the text of a link.
_MARKS = (
    rf"</?(?:{_INLINE})(?:[\s/](?:\"[^\"<]*\"|'[^'<]*'|[^<>\"'])*)?>",
    r"<!--(?:[^<>-]|-[^->]){0,100}-->",
    _ESCAPES,
    r"!?\[[^\[\]\n]{0,120}\](?:\([^()\n]{0,400}\)|\[[^\[\]\n]{0,80}\])",
    # Within a word; a blank is for the end of a string that goes on in the next one.
    r"\b(?:\*{1,3}|`|~~)\b",
    r"\s\"\s*,\s*\"",
    # A comment or a list that goes on, and a word cut at the end of its line.
    r"\n[ \t]*(?:--|;+|%+|::|rem\b|-|\xe2\x80\xa2|\d{1,2}[.)])[ \t]+\b",
    r"\b-\n[ \t>#*]*\b",
)
_PATTERN = "|".join(f"(?:{mark})" for mark in _MARKS)
_BLANK = re.compile(rb"<br|\n[ \t]*(?:--|;|%|::|rem|[-\xe2\d])|\s\"")
_LATIN = re.compile(rb"[a-z]")
_LINK = re.compile(rb"\[([^\[\]\n]+)\][(\[]")
#: No letters and no blanks; every page has them.
_SIGNS = frozenset({b"&amp;", b"&lt;", b"&gt;"})
#: Bytes around a mark, and what stands between parts: nothing that words reach over.
_AROUND = 160
_APART = b"\n;\n"
#: A part of the view: where it begins there and in the data, and where it ends in the data; whether it is as it was.
_Part = tuple[int, int, int, bool]
_Cut = tuple[int, int, bytes]


def bare_cues(data: bytes) -> list[Hit]:
    """Hits of cues that have markup or an escape among their words, at their places in the data; sorted."""
    cuts = list(_cuts(data))
    if not cuts:
        return []
    view, parts = _view(data, cuts)
    starts = [part[0] for part in parts]
    return sorted({hit for found in orders(view, cues_in(view)) for hit in _placed(found, parts, starts)})


def undone(data: bytes) -> tuple[str, ...]:
    """The codes that a part of the data is written in, as this view undoes them."""
    found = compiled(_ESCAPES).search(data)
    if not found:
        return ()
    return ("HTML entities",) if found[0].startswith(b"&") else ("escapes",)


def _cuts(data: bytes) -> Iterator[_Cut]:
    for match in compiled(_PATTERN).finditer(data):
        start, end = match.span()
        text = match[0]
        if text[:1] in (b"&", b"\\"):
            if text in _SIGNS:
                continue
            yield start, end, _meant(text, bool(_LATIN.search(data[max(start - 1, 0) : start] + data[end : end + 1])))
        elif text[:1] == b"!":
            yield start, end, b" "
        elif text[:1] == b"[":
            inner = _LINK.match(text)
            if inner:
                yield start, start + 1, b""
                yield start + inner.end(1), end, b""
        else:
            yield start, end, b" " if _BLANK.match(text) else b""


@cache
def _names() -> dict[str, str]:
    """The names of letters; the data has none in capitals."""
    return {name.lower(): meant for name, meant in sorted(html5.items())}


@lru_cache(maxsize=1024)
def _meant(escape: bytes, latin: bool) -> bytes:
    """What an escape stands for; beside a Latin letter, a look-alike is one."""
    text = escape.decode("ascii")
    if text[0] == "\\":
        code = int(text[2:], 16)
        char = "" if 0xD800 <= code < 0xE000 else chr(code)
    elif text[1] == "#":
        char = html.unescape(text.rstrip(";") + ";")
    else:
        char = _names().get(text[1:], text)
    if not char.strip():
        return b" " * len(char)
    return (skeleton(char) if latin and mixed(f"a{char}") else fold(char)).lower().encode("utf-8", "replace")


def _view(data: bytes, cuts: Iterable[_Cut]) -> tuple[bytes, list[_Part]]:
    """What stands around the cuts, without them, and where its parts come from."""
    texts: list[bytes] = []
    parts: list[_Part] = []
    size = at = end = 0

    def put(text: bytes, start: int, stop: int, same: bool) -> None:
        nonlocal size
        if text:
            texts.append(text)
            parts.append((size, start, stop, same))
            size += len(text)

    for start, stop, instead in cuts:
        if start > end:
            begin = _edge(data, start - _AROUND)
            if begin > end:
                put(data[at:end], at, end, True)
                put(_APART, end, begin, False)
                at = begin
        put(data[at:start], at, start, True)
        put(instead, start, stop, False)
        at = stop
        end = max(end, _edge(data, stop + _AROUND))
    put(data[at:end], at, end, True)
    return b"".join(texts), parts


def _edge(data: bytes, at: int) -> int:
    """A place near this one that cuts no word in two, if there is one."""
    if at <= 0 or at >= len(data):
        return min(max(at, 0), len(data))
    blank = data.find(b" ", at, at + 40)
    return blank if blank >= 0 else at


def _placed(hit: Hit, parts: list[_Part], starts: list[int]) -> Iterator[Hit]:
    """The hit at its place in the data, if the data has something between its words that the view has not."""
    first = bisect_right(starts, hit.start) - 1
    last = bisect_right(starts, hit.end - 1) - 1
    if first == last:
        return
    begin, start, _, same = parts[first]
    if same:
        start += hit.start - begin
    begin, end, stop, same = parts[last]
    yield hit._replace(start=start, end=end + hit.end - begin if same else stop)
