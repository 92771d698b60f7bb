"""A secret in another code: hex, URL, HTML and JSON escapes, decimal, binary, Morse, base64, base32."""

from __future__ import annotations

import base64
import html
import re
from functools import lru_cache
from typing import Any, NamedTuple

import re2

from guardgate.checks.spelled import Span, Track
from guardgate.normalize import fold

#: Of a longer secret its beginning is looked for: who sends that has sent enough.
LONGEST = 64
_SPACELESS = Track("", re.compile(r"\S+"))
_MORSE = {
    "a": ".-", "b": "-...", "c": "-.-.", "d": "-..", "e": ".", "f": "..-.", "g": "--.", "h": "....", "i": "..",
    "j": ".---", "k": "-.-", "l": ".-..", "m": "--", "n": "-.", "o": "---", "p": ".--.", "q": "--.-", "r": ".-.",
    "s": "...", "t": "-", "u": "..-", "v": "...-", "w": ".--", "x": "-..-", "y": "-.--", "z": "--..", "0": "-----",
    "1": ".----", "2": "..---", "3": "...--", "4": "....-", "5": ".....", "6": "-....", "7": "--...", "8": "---..",
    "9": "----.",
}  # fmt: skip
#: Escapes of URLs, JSON and programs; those of HTML have a decoder of their own.
_ESCAPES = re.compile(r"%([0-9a-fA-F]{2})|\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})")


def unescaped(text: str) -> str:
    """The text with its single escapes undone; the text itself where it holds none."""
    if not {"%", "\\", "&"} & set(text):
        return text
    return html.unescape(_ESCAPES.sub(lambda match: chr(int(match[match.lastindex or 0], 16)), text))


class _Code(NamedTuple):
    """A code that writes one unit a character: the pattern of a secret in it, and how to call it."""

    how: str
    pattern: Any


def encoded(secret: str, text: str) -> Span | None:
    """Where a text (folded) holds the secret in one of the codes. Letter case never counts."""
    for code in _codes(secret):
        match = code.pattern.search(text)
        if match:
            return Span(match.start(1), match.end(1), code.how)
    left = "".join(text.split())
    for needle, how in _packed(secret):
        span = _SPACELESS.find(needle, text, left) if needle in left else None
        if span is not None:
            return span._replace(how=how)
    return None


@lru_cache(maxsize=512)
def _codes(secret: str) -> tuple[_Code, ...]:
    """Patterns over the units of the secret's characters; its own separators may be missing."""
    chars = secret[:LONGEST]
    hexes = [_unit(char, lambda byte: f"{byte:02x}", "") for char in chars]
    found = [
        # 5a45, 5a 45, 5a:45, 0x5a 0x45, \x5a\x45, %5a%45, \u005a\u0045, &#x5a;&#x45;
        _code("in hex", hexes, r"[^0-9a-z]{0,4}(?:0x|x|u0{0,2}|u\+0{0,2})?", ""),
        _code("in decimal codes", [_unit(char, str, " ") for char in chars], r"[^0-9]{1,8}", r"(?:^|[^0-9])"),
        _code("in binary", [_unit(char, lambda byte: f"{byte:08b}", "") for char in chars], r"[^01]{0,4}", ""),
    ]
    if all(char in _MORSE for char in fold(chars) if char.isalnum()):
        found.append(_code("in Morse code", [_morse(char) for char in fold(chars)], "", r"(?:^|[^.-])"))
    return tuple(found)


def _morse(char: str) -> str:
    code = _MORSE.get(char, "-....-")
    unit = re2.escape(code) + r"(?:[\s/|]+|$)"
    return unit if char in _MORSE else f"(?:{unit})?"


def _unit(char: str, write: Any, between: str) -> str:
    """A character in a code, small or capital; one that is no letter or digit may be left out."""
    forms = dict.fromkeys((char.lower(), char.upper()))
    written = "|".join(f"{between}".join(write(byte) for byte in form.encode("utf-8", "replace")) for form in forms)
    return f"(?:{written})" if char.isalnum() else f"(?:{written})?"


def _code(how: str, units: list[str], between: str, before: str) -> _Code:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = 64 << 20
    return _Code(how, re2.compile(f"{before}({between.join(units)})", options))


@lru_cache(maxsize=512)
def _packed(secret: str) -> tuple[tuple[str, str], ...]:
    """Codes in which several characters share a unit: each way to write the secret, folded, at each boundary."""
    plain = secret[:LONGEST]
    bare = "".join(char for char in plain if char.isalnum())
    found: dict[str, str] = {}
    for way in dict.fromkeys(case for text in (plain, bare) for case in (text, text.lower(), text.upper())):
        raw = way.encode("utf-8", "replace")
        for shift in range(3):  # inside a longer text a secret can begin at each of three boundaries
            body = base64.b64encode(b"\0" * shift + raw).decode().rstrip("=")
            core = body[(0, 2, 3)[shift] : len(body) - (1 if (shift + len(raw)) % 3 else 0)]
            found |= dict.fromkeys((fold(core), fold(core.replace("+", "-").replace("/", "_"))), "in base64")
        for shift in range(5):
            body = base64.b32encode(b"\0" * shift + raw).decode().rstrip("=")
            bits, start = (shift + len(raw)) * 8, (shift * 8 + 4) // 5
            found[fold(body[start : bits // 5])] = "in base32"
    return tuple(found.items())
