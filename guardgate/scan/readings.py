"""Second readings of a line: with blanks where invisible characters join words, and without marks on its letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardgate.normalize import skeleton
from guardgate.scan.codes import Piece

_INVISIBLE = (
    "\x00-\x08\x0e-\x1f\x7f\u034f\u061c\u180e\u206a-\u206f\ufff9-\ufffb"
    "\u00ad\u115f\u1160\u200b-\u200d\u2060-\u2064\u3164\uffa0\ufeff"
)
#: Joined where these are taken away, and apart where they are blanks.
_JOINT = re.compile(rf"(?<=[A-Za-z])[{_INVISIBLE}]+(?=[A-Za-z])")
_UNSEEN = re.compile(f"[{_INVISIBLE}]")
#: Text of nothing else has one reading.
_WORTH = re.compile(r"[^\t\n -~]")
_LATIN = re.compile("[A-Za-z]")
#: Latin letters with a mark, and marks by themselves: more than any language has, Vietnamese for one.
_MARKED = re.compile("[\u00c0-\u024f\u1e00-\u1eff\u0300-\u036f]")
_MANY, _SHARE = 8, 0.3
#: Small capitals and other phonetic letters. A word in phonetic script has fewer.
_PHONETIC = re.compile("[\u0250-\u02af\u1d00-\u1d25\ua730\ua731]")
_PHONETIC_MANY = 10


def readings(text: str) -> Iterator[Piece]:
    """What else the lines of a text may say; `start` counts characters."""
    start = 0
    for line in text.split("\n"):
        if _WORTH.search(line):
            yield from (Piece(start, how, read, odd=False) for how, read in _of(line))
        start += len(line) + 1


def _of(line: str) -> Iterator[tuple[str, str]]:
    apart, joints = _JOINT.subn(" ", line)
    if joints:
        yield "zero width", _UNSEEN.sub("", apart)
    marked = len(_MARKED.findall(line))
    if (marked >= _MANY and marked >= _SHARE * (marked + len(_LATIN.findall(line)))) or (
        len(_PHONETIC.findall(line)) >= _PHONETIC_MANY
    ):
        yield "look-alikes", skeleton(line)
