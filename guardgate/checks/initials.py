"""A secret that the lines of a text begin with, one sign a line, as in an acrostic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from guardgate.checks.spelled import Span, in_words
from guardgate.normalize import skeleton

#: Nobody writes a poem of more lines to tell a secret, and each line is held against each sign.
LONGEST = 100
HOW = "in the first letters of the lines"
#: A slash between spaces ends a line of a poem that is written in one.
_ENDS = re.compile(r"[\r\n\v\f\u2028\u2029]+| / |\Z")
#: So much of a line is looked at, and so much of its skeleton matters: marks of a list, and up to two words.
_MUCH = 200
_MARKDOWN = re.compile(r"[*_`~]+")
_HEAD = re.compile(r"[\W_]*(?:\d{1,3}[.):] )?[\W_]*([^\W_]+(?:[- ][^\W_]+)?)")
_SIGN = re.compile(r"[\W_]*(?:-|(?:dash|hyphen|minus)(?![^\W_]))")


class _Line(NamedTuple):
    """What a line may stand for; `sign`: a hyphen too."""

    start: int
    end: int
    says: tuple[str, ...]
    sign: bool


def _says(words: str) -> tuple[str, ...]:
    """The first character, a number as a whole, and the digits of a number in words."""
    first = re.split(r"[- ]", words)[0]
    numbers = {one for one in (in_words(words), in_words(first)) if one.isdigit()}
    return tuple({words[:1]} | numbers)


def _lines(text: str, ends: list[re.Match[str]]) -> Iterator[_Line]:
    """The lines with a letter or a digit: blank lines and rows of stars are none."""
    starts = [0, *(end.end() for end in ends)]
    for start, end in zip(starts, ends, strict=False):
        bare = _MARKDOWN.sub("", skeleton(text[start : min(end.start(), start + _MUCH)]))
        head = _HEAD.match(bare)
        if head:
            yield _Line(start, end.start(), _says(head[1]), bool(_SIGN.match(bare)))


def _further(secret: str, at: int, line: _Line) -> set[int]:
    """How much of the secret is there after this line, when `at` was before it; signs need no line."""
    after: set[int] = set()
    while at < len(secret):
        after |= {at + len(one) for one in line.says if secret.startswith(one, at)}
        if secret[at].isalnum():
            break
        at += 1
        after |= {at} if line.sign else set()
    return after


def initials(secret: str, text: str) -> Span | None:
    """Where lines of a text that follow each other begin with the whole secret (its skeleton)."""
    secret = secret.strip("".join({char for char in secret if not char.isalnum()}))
    ends = list(_ENDS.finditer(text))
    if not 0 < len(secret) <= LONGEST or len(ends) < sum(map(str.isalpha, secret)):
        return None
    begun: dict[int, int] = {}
    for line in _lines(text, ends):
        open_ones = {0: line.start} | begun
        begun = {after: start for at, start in open_ones.items() for after in _further(secret, at, line)}
        if len(secret) in begun:
            return Span(begun[len(secret)], line.end, HOW)
    return None
