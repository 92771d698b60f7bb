"""Elements of a page that nobody sees: by a style, an attribute or their kind, with all that is nested in them."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from guardgate.scan.cue import compiled

#: An element that ends further away is the page itself, hidden until it is loaded.
_LONGEST = 8_000
_LEN = r"(?:px|pt|em|rem|ex|ch|vw|vh|%)?"
_END = r"(?:[;\"'!}>\s]|$)"
_NOTHING = r"(?:0(?:\.0\d*)?|\.0\d*)"
_WHITE = (
    r"(?:white\b|snow\b|(?:#fff|#(?:f[c-f]){3})\b|transparent\b|rgba?\(\s*25[0-5][\s,]+25[0-5][\s,]+25[0-5]|"
    r"rgba\([^)]*[,/]\s*0\s*\)|hsla?\([^)%]*%[\s,]+(?:100|9[89])(?:\.\d+)?%)"
)
_STYLE = (
    r"(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|content-visibility\s*:\s*hidden|"
    rf"font-size\s*:\s*(?:[01]{_LEN}|0?\.\d+(?:px|pt)|0?\.[01]\d*{_LEN}){_END}|font\s*:\s*[01]{_LEN}\s*/|"
    rf"opacity\s*:\s*{_NOTHING}%?{_END}|[\"';{{\s]color\s*:\s*{_WHITE}|"
    r"(?:left|right|top|bottom|text-indent|margin(?:-left|-top)?)\s*:\s*-(?:\d{3,}|\d{2,}(?:r?em|v[wh]|%))|"
    rf"(?:max-)?(?:height|width)\s*:\s*0{_LEN}{_END}|clip\s*:\s*rect\([01]|"
    r"clip-path\s*:\s*(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0|polygon\(\s*0(?:px|%)?[\s,]+0(?:px|%)?\s*\))|"
    rf"transform\s*:[^;]*scale[xy]?\(\s*{_NOTHING}\s*[,)])"
)
_ATTRIBUTES = r"\s(?:hidden(?:\s|=|/|>)|aria-hidden\s*=\s*.?true|color\s*=\s*.?(?:white|#f{6}))"
_KINDS = r"<(?:template|noscript)[\s>]|<script\s[^<>]*json"
_HIDDEN = rf"style\s*=[^<]*{_STYLE}|{_ATTRIBUTES}|{_KINDS}"
#: Tags that need a closer look; an escaped colon is one, and so is a ground that may have the letters' colour.
_HINT = rf"<[a-z][^<]*?(?:style\s*=[^<]*(?:{_STYLE}|&|background(?:-color)?\s*:)|{_ATTRIBUTES})|{_KINDS}"
_TAG = r"""<([a-z][a-z0-9:-]*)(?:[\s/](?:"[^"<]*"|'[^'<]*'|[^<>"'])*)?>"""
_COLOR = r"[\"';{\s]color\s*:\s*([^;\"'!]+)"
_GROUND = r"background(?:-color)?\s*:\s*([^;\"'!]+)"
#: Where no end is found: the words behind the tag, over a few tags of the kind that stands within a line.
_BEHIND = r"[^<]*(?:<(?:b|i|p|br|em|span|img|a|li|strong)\b[^<]*)*"
_EMPTY = frozenset(b"area base br col embed hr img input link meta param source track wbr".split())

Spans = tuple[tuple[int, int], ...]


class _Tag(NamedTuple):
    start: int
    end: int
    name: bytes


def elements(data: bytes) -> Iterator[tuple[int, int]]:
    """Where hidden elements of folded data stand, each from its tag to its end tag."""
    if b"<" not in data:
        return
    tags = list(_hiding(data))
    ends = _ends(data, {tag.name for tag in tags} - _EMPTY)
    done = 0
    for tag in tags:
        if tag.start < done:
            continue
        done = ends.get(tag.start, 0)
        if done - tag.start > _LONGEST or not done:
            behind = compiled(_BEHIND).match(data, tag.end)
            done = tag.end if tag.name in _EMPTY or not behind else behind.end()
        yield tag.start, done


def _hiding(data: bytes) -> Iterator[_Tag]:
    """The tags that hide something."""
    for hint in compiled(_HINT).finditer(data):
        tag = compiled(_TAG).match(data, hint.start())
        if tag and _hides(tag[0]):
            yield _Tag(tag.start(), tag.end(), tag[1])


def joined(spans: Iterable[tuple[int, int]]) -> Spans:
    """Sorted, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def _ends(data: bytes, names: set[bytes]) -> dict[int, int]:
    """Of each tag with one of these names: where the end tag of its element begins."""
    ends: dict[int, int] = {}
    opened: dict[bytes, list[int]] = defaultdict(list)
    pattern = rb"<(/?)(" + b"|".join(map(re.escape, sorted(names))) + rb")(?=[\s/>])"
    for match in re.finditer(pattern, data) if names else ():
        if not match[1]:
            opened[match[2]].append(match.start())
        elif opened[match[2]]:
            ends[opened[match[2]].pop()] = match.start()
    return ends


def _hides(tag: bytes) -> bool:
    if b"&" in tag:
        tag = html.unescape(tag.decode("utf-8", "replace")).lower().encode("utf-8", "replace")
    if compiled(_HIDDEN).search(tag):
        return True
    color, ground = compiled(_COLOR).search(tag), compiled(_GROUND).search(tag)
    return bool(color and ground and color[1].strip() == ground[1].strip())
