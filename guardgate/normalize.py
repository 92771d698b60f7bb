"""Text as it is compared: pure functions, linear in the length of the text.

`plain` keeps the letter case, `fold` drops it, `skeleton` also maps look-alikes to ASCII. A `View`
leads from what was found in normalised text back to the exact words of the original.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from guardgate.confusables import BEFORE_NFKC, CONFUSABLES

Normal = Callable[[str], str]

#: Default-ignorable and format characters, fillers and controls: a reader sees none of them.
_UNSEEN = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_TYPOGRAPHIC = {
    "'": "‘’‚‛′‵ʹʻʼʽʾʿ´՚ꞌ‹›❛❜᾽᾿῾΄",
    '"': "“”„‟″‶«»❝❞〝〞〟",
    "-": "\u2010\u2011‒–—―−⸺⸻⁃˗﹘︱︲",
    " ": "\u2800",
    "'''": "‴",
    "''''": "⁗",
}
_ASCII = {char: ascii_ for ascii_, row in _TYPOGRAPHIC.items() for char in row}
_UNSEEN_ONE = re.compile(f"[{_UNSEEN}]")
#: The same for ASCII, which needs no search: a table. And what leaves of a text its white space, letters and digits.
_UNSEEN_ASCII = {code: None for code in range(128) if _UNSEEN_ONE.match(chr(code))}
_SIGNS_ASCII = {code: None for code in range(128) if not (chr(code).isalnum() or chr(code).isspace())} | _UNSEEN_ASCII
_ODD = re.compile(f"[{_UNSEEN}{''.join(_ASCII)}]")
_NON_ASCII = re.compile(r"[^\x00-\x7f]+")
_SEEN_ASCII = re.compile(r"[!-~]")
#: ASCII that stays one character each, up to a character that something may attach to.
_PIECE = re.compile(r"[!-~]+(?=[\t-\r -~]|\Z)|.", re.DOTALL)
_PRINTABLE = re.compile(r"[!-~]+")
_CJK = (
    "\u3005-\u3007\u3040-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"
    "\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_WORD = rf"[{_CJK}]|[^\s—–…{_CJK}]*[^\W_{_CJK}][^\s—–…{_CJK}]*"  # compiled only where words are counted: 3 ms
_ESCAPED = re.compile(f"[{_UNSEEN}\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029\ud800-\udfff]")


def plain(text: str) -> str:
    """NFKC, nothing invisible, typographic quotes and dashes as ASCII, white space as single spaces."""
    return " ".join(_plain(text).split())


def fold(text: str) -> str:
    """`plain` without letter case."""
    return " ".join(_fold(text).split())


def skeleton(text: str) -> str:
    """`fold` with look-alikes as ASCII and without combining marks; digits of all scripts are 0-9.

    Outside ASCII a capital may look unlike its small letter, so who searches this searches `fold`, too.
    """
    return " ".join(_skeleton(text).split())


def blank(text: str) -> bool:
    """Whether a reader sees nothing: white space, controls, format characters, lone marks."""
    if _SEEN_ASCII.search(text):
        return False
    return all(unicodedata.category(char)[0] in "ZCM" or char == "\ufffd" for char in plain(text))


def words(text: str) -> int:
    """How many words a reader counts; each Chinese or Japanese character is one."""
    if text.isascii():
        return len(text.translate(_SIGNS_ASCII).split())
    return len(re.findall(_WORD, _UNSEEN_ONE.sub("", text)))


def visible(text: str, limit: int | None = None) -> str:
    """The text with invisible, bidi and control characters (not newline, tab) shown as \\u{202e}."""
    cut = text if limit is None or len(text) <= limit else text[: max(limit - 1, 0)] + "…"
    return _ESCAPED.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", cut)


@dataclass(frozen=True)
class View:
    """Normalised text that remembers its original. `text` is what to search in."""

    text: str
    source: str
    how: Normal

    def original(self, start: int, end: int) -> str:
        """The exact words of the original behind `text[start:end]`, whole characters only."""
        if start >= end:
            return ""
        starts, ends = self._offsets
        return self.source[starts[start] : ends[end - 1]]

    @cached_property
    def _offsets(self) -> tuple[array[int], array[int]]:
        # Only worked out for a hit: almost every reply is searched in vain.
        return _offsets(self.source, _RAW[self.how])


def view(text: str, how: Normal = fold) -> View:
    """A view of the text by `plain`, `fold` or `skeleton`."""
    return View(how(text), text, how)


def find(needle: str, text: str, how: Normal = fold) -> str | None:
    """The exact words of `text` that are `needle` (already normalised), or None."""
    seen = view(text, how)
    at = seen.text.find(needle)
    return None if at < 0 or not needle else seen.original(at, at + len(needle))


def _plain(text: str) -> str:
    if text.isascii():
        return text if text.isprintable() else text.translate(_UNSEEN_ASCII)
    return _ODD.sub(_swap, unicodedata.normalize("NFKC", _ODD.sub(_swap, text)))


def _fold(text: str) -> str:
    if text.isascii():
        return _plain(text).lower()
    return _casefold(_plain(text))


def _casefold(text: str) -> str:
    return _ODD.sub(_swap, unicodedata.normalize("NFKC", text.casefold()))


def _skeleton(text: str) -> str:
    if text.isascii():
        return _fold(text)
    # Before letter case is dropped: a capital Greek nu looks like N, a small one like v.
    for char, alike in BEFORE_NFKC.items():
        text = text.replace(char, alike)
    once = _lookalikes(_plain(text))
    return _casefold(_lookalikes(_casefold(once)))


def _lookalikes(text: str) -> str:
    return _NON_ASCII.sub(lambda run: run[0].translate(_ALIKE), unicodedata.normalize("NFD", text))


class _Alike(dict[int, str]):
    """Look-alikes, marks and digits by code; the characters that are met are worked out once."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if unicodedata.category(char) in {"Mn", "Me"}:
            alike = ""
        else:
            digit = unicodedata.decimal(char, None)
            alike = char if digit is None else str(digit)
        self[code] = alike
        return alike


def _swap(match: re.Match[str]) -> str:
    return _ASCII.get(match[0], "")


_ALIKE = _Alike(CONFUSABLES)
_RAW: dict[Normal, Normal] = {plain: _plain, fold: _fold, skeleton: _skeleton}


def _offsets(source: str, raw: Normal) -> tuple[array[int], array[int]]:
    """For each normalised character, where its piece of the source begins and ends."""
    starts, ends = array("q"), array("q")
    space = True
    for begin, end, piece in _pieces(source):
        if _PRINTABLE.fullmatch(piece):
            starts.extend(range(begin, end))
            ends.extend(range(begin + 1, end + 1))
            space = False
            continue
        for char in raw(piece):
            if not (space and char.isspace()):
                starts.append(begin)
                ends.append(end)
            space = char.isspace()
    return starts, ends


def _pieces(source: str) -> list[tuple[int, int, str]]:
    """The source cut where normalisation cannot reach across; the end leaves out what is invisible."""
    pieces: list[tuple[int, int, str]] = []
    begin = end = 0
    for match in _PIECE.finditer(source):
        text = match[0]
        if len(text) > 1 or not _joins(text):
            if match.start():
                pieces.append((begin, end, source[begin : match.start()]))
            begin = match.start()
            end = match.end()
        elif not _UNSEEN_ONE.fullmatch(text):
            end = match.end()
    if source:
        pieces.append((begin, max(end, begin), source[begin:]))
    return pieces


@cache
def _joins(char: str) -> bool:
    """Whether normalisation may merge the character with the one before it."""
    if char.isascii() and char >= " ":
        return False
    first = unicodedata.normalize("NFKD", char)[0]
    return (
        bool(_UNSEEN_ONE.fullmatch(char))
        or unicodedata.combining(first) != 0
        or unicodedata.category(first)[0] == "M"
        or "\u1160" <= first <= "\u11ff"
        or "\U00016d63" <= first <= "\U00016d6a"
    )
