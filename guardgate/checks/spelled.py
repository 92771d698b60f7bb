"""A secret that came out letter by letter, in words, in a list, backwards or shifted."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

_SPOKEN = {
    "alfa": "a", "alpha": "a", "bravo": "b", "charlie": "c", "delta": "d", "echo": "e", "foxtrot": "f", "golf": "g",
    "hotel": "h", "india": "i", "juliett": "j", "juliet": "j", "kilo": "k", "lima": "l", "mike": "m", "november": "n",
    "oscar": "o", "papa": "p", "quebec": "q", "romeo": "r", "sierra": "s", "tango": "t", "uniform": "u", "victor": "v",
    "whiskey": "w", "whisky": "w", "xray": "x", "x-ray": "x", "x ray": "x", "yankee": "y", "zulu": "z",
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "niner": "9", "oh": "0", "dash": "", "hyphen": "", "minus": "", "space": "", "dot": "",
    "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
    "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
    "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
}  # fmt: skip
#: What stands between the parts of a secret when somebody says one after the other: "zebra, then a 4417".
_JOINED = r"(?:and then|followed by|and|then|plus|with)(?: (?:an?|the))?(?: (?:number|digits?|numbers|code))?"
LETTERS = re.compile(r"[^\W_]+")
_NO_SIGNS = {code: None for code in range(128) if not chr(code).isalnum()}
_SIGNS_AS_SPACES = dict.fromkeys(_NO_SIGNS, " ")
_TIMES = {"double": 2, "triple": 3}
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_ROT13 = str.maketrans(_ALPHABET, _ALPHABET[13:] + _ALPHABET[:13])
_ATBASH = str.maketrans(_ALPHABET, _ALPHABET[::-1])
_LEET = str.maketrans("0134578@$!", "oieastbasi")


class Span(NamedTuple):
    """Where something stands in a text, and how it was written."""

    start: int
    end: int
    how: str


def _same(word: str) -> str:
    return word


def in_words(word: str) -> str:
    """A spelling word or a number word as its letter or digits, `double four` as 44, `fifty-five` as 55."""
    if _BETWEEN.fullmatch(word):
        return ""
    first, _, second = word.replace("-", " ").partition(" ")
    if second in _SPOKEN and first in _TENS.split("|"):
        return _SPOKEN[first][0] + _SPOKEN[second]
    if first in _TIMES and second:
        return _SPOKEN.get(second, second) * _TIMES[first]
    return _SPOKEN.get(word, word)


def _unmarked(word: str) -> str:
    """Nothing for the number of a list entry."""
    return "" if word.endswith(" ") else word


@dataclass(frozen=True, slots=True)
class Track:
    """What is left of a text when only some of its words count, and each of them says something else.

    `worth`: whether this way to read a text can show more than the ways before it.
    """

    how: str
    words: re.Pattern[str]
    say: Callable[[str], str] = _same
    worth: Callable[[str], object] = bool

    def find(self, needle: str, text: str, left: str) -> Span | None:
        """Where the needle stands in `text`, when it stands in `left`, which is what is left of it."""
        at = left.find(needle) if needle else -1
        return None if at < 0 else self._span(text, at, at + len(needle))

    def left(self, text: str) -> str:
        """What is left of the text."""
        if self.words is LETTERS and self.say is _same:
            return text.translate(_NO_SIGNS) if text.isascii() else "".join(filter(str.isalnum, text))
        return "".join(map(self.say, self.words.findall(text)))

    def _span(self, text: str, start: int, end: int) -> Span:
        """From a place in what is left to the place in the text."""
        spans: list[tuple[int, int]] = []
        for match in self.words.finditer(text):
            said = self.say(match[0])
            if len(said) == len(match[0]):
                spans += [(index, index + 1) for index in range(*match.span())]
            else:
                spans += [match.span()] * len(said)
            if len(spans) >= end:
                break
        return Span(spans[start][0], spans[end - 1][1], self.how)


_BETWEEN = re.compile(_JOINED)
_DIGITS = re.compile(r"\d{3}")
_PARTS = re.compile(rf"(?<![^\W_]){_JOINED}[\W_]{{1,3}}\d{{3}}")
_MARKER = re.compile(r"(?<![^\W_])\d{1,3}[.):] ")


def _has_spoken(text: str) -> bool:
    """Whether a number or a letter is said in words, or a number stands apart from the words before it."""
    return bool(_DIGITS.search(text) and _PARTS.search(text)) or not _SPOKEN.keys().isdisjoint(
        text.translate(_SIGNS_AS_SPACES).split()
    )


_PLAIN = Track("in other spacing", LETTERS)
TRACKS = (
    _PLAIN,
    Track(
        "spelled in words",
        re.compile(
            rf"(?:double|triple) [^\W_]+|x[- ]ray(?![^\W_])|(?:{_TENS})[- ](?:{_ONES})(?![^\W_])"
            rf"|{_JOINED}(?![^\W_])|[^\W_]+"
        ),
        in_words,
        _has_spoken,
    ),
    Track("letter by letter", re.compile(r"(?<![^\W_])[^\W_](?![^\W_])")),
    Track("in a list", re.compile(rf"{_MARKER.pattern}|[^\W_]+"), _unmarked, _MARKER.search),
)


@lru_cache(maxsize=512)
def needles(letters: str) -> tuple[tuple[str, str], ...]:
    """(needle, how) for a secret of which only letters and digits are left, the plainest way first.

    Digits are the same in every alphabet: what is no letter shift is not called one.
    """
    forms: dict[str, str] = {}
    for form, how in (
        (letters, ""),
        (letters.translate(_ROT13), ", in rot13"),
        (letters.translate(_ATBASH), ", in atbash"),
    ):
        forms.setdefault(form, how)
    turned = {form[::-1]: f"{how}, reversed" for form, how in reversed(forms.items())}
    return tuple((forms | {form: how for form, how in reversed(turned.items()) if form not in forms}).items())


def spelled(letters: str, text: str) -> Span | None:
    """Where a text (its skeleton) spells the letters and digits of a secret, in the plainest way that is there."""
    ways = [(track, track.left(text)) for track in TRACKS if track.worth(text)]
    for needle, how in needles(letters):
        for track, left in ways:
            span = track.find(needle, text, left) if needle in left else None
            if span is not None:
                return span._replace(how=span.how + how)
    leet = text.translate(_LEET)
    span = _PLAIN.find(letters.translate(_LEET), leet, _PLAIN.left(leet))
    return None if span is None else span._replace(how="in look-alike digits")
