"""Which ideas stand in a text: words of words/*.yaml, also where they are written in a code."""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

#: Scripts that write words without spaces between them, or grow them at both ends.
_UNSPACED = re.compile("[\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
#: A text with more than so many of these words is English.
_SOME = 1
_COMMON = re.compile(r"\b(?:a|and|are|in|is|it|me|my|of|the|to|what|you|your)\b")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-f]{2} ?){12,}", re.IGNORECASE)
_MORSE = re.compile(r"[.-]{1,5}(?:[ /]+[.-]{1,5}){4,}")
_ALL = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
CODES = dict(zip("abcdefghijklmnopqrstuvwxyz", _ALL.split(), strict=True))


@cache
def lexicon() -> dict[str, list[str]]:
    """The entries of each idea, of all languages."""
    found: dict[str, list[str]] = {}
    for file in sorted((Path(__file__).parent / "words").glob("*.yaml")):
        for idea, listed in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            found.setdefault(idea, []).extend(split(listed))
    return found


def split(listed: str) -> list[str]:
    """The entries of a list with commas."""
    return [entry.strip() for entry in listed.split(",")]


def pattern(entry: str) -> str:
    """An entry as a regular expression: `*` ends a word anyhow, `..` leaves up to five words out."""
    parts = [r"\W+".join(map(re.escape, part.split())).replace(r"\*", r"\w*") for part in entry.split("..")]
    body = r"\W+(?:\w+\W+){0,5}?".join(parts)
    if _UNSPACED.search(entry):
        return body
    before = r"(?<!\w)" if entry[0].isalnum() else ""
    return f"{before}{body}(?!\\w)" if entry[-1].isalnum() else f"{before}{body}"


@cache
def any_of(entries: tuple[str, ...]) -> re.Pattern[str]:
    """One expression for all of them."""
    return re.compile("|".join(map(pattern, entries)), re.IGNORECASE)


def ideas(text: str) -> frozenset[str]:
    """The ideas that the text holds."""
    return frozenset(idea for idea, entries in lexicon().items() if any_of(tuple(entries)).search(text))


def clear(text: str) -> str:
    """The text with plain quotes and, where it is written in a code, as it reads in clear."""
    plain = text.replace("\u2019", "'")
    ways = [plain, *_decoded(plain), plain[::-1], codecs.decode(plain, "rot13")]
    return max(ways, key=lambda way: (len(_COMMON.findall(way.lower())) > _SOME, way == plain))


def _decoded(text: str) -> Iterator[str]:
    for blob in _BASE64.findall(text):
        whole = blob.rstrip("=")
        whole = whole[:-1] if len(whole) % 4 == 1 else whole
        yield base64.b64decode(whole + "=" * (-len(whole) % 4)).decode("utf-8", "replace")
    for blob in _HEX.findall(text):
        yield bytes.fromhex(blob).decode("utf-8", "replace")
    for blob in _MORSE.findall(text):
        letters = {code: letter for letter, code in CODES.items()}
        yield "".join(letters.get(code, " ") for code in re.split(r" |(/)", blob) if code is not None)
