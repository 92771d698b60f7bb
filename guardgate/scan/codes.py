"""Text in a code that anyone undoes: base64, hex and the like, escapes of URLs, HTML and strings."""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import unquote_plus

from guardgate.scan.cue import compiled
from guardgate.scan.prose import prose, readable


class Piece(NamedTuple):
    """A decoded text: where its code begins in the bytes, what was undone, what it says.

    `odd`: nobody writes like this for people, so that a sentence in it is a finding.
    """

    start: int
    how: str
    text: str
    odd: bool = True


class _Code(NamedTuple):
    how: str
    pattern: str
    decode: Callable[[bytes], str]


_MORSE = {
    ".-": "a", "-...": "b", "-.-.": "c", "-..": "d", ".": "e", "..-.": "f", "--.": "g", "....": "h", "..": "i",
    ".---": "j", "-.-": "k", ".-..": "l", "--": "m", "-.": "n", "---": "o", ".--.": "p", "--.-": "q", ".-.": "r",
    "...": "s", "-": "t", "..-": "u", "...-": "v", ".--": "w", "-..-": "x", "-.--": "y", "--..": "z", "-----": "0",
    ".----": "1", "..---": "2", "...--": "3", "....-": "4", ".....": "5", "-....": "6", "--...": "7", "---..": "8",
    "----.": "9", "--..--": ",", ".-.-.-": ".", "..--..": "?",
}  # fmt: skip
_HEAD = 64
#: So long is a run that may have letters before its beginning.
_SHIFTED = 32
#: So far before a run its headers may begin.
_HEADERS = 500
_BASE64_NEXT = re.compile(
    rb"(?i:content-transfer-encoding:[ \t]*base64[^\n]*\n(?:[ \t]*[\w-]+[:=][^\n]*\n)*\s*|"
    rb"=\?[\w-]{2,20}\?b\?|\bdata:[\w/+.;=-]{0,60};base64,)$"
)
_GARBLED = re.compile("[\ufffd\x00-\x08\x0b-\x1f\x7f]")
_PAIR = re.compile(rb"[0-9a-fA-F]{2}")
_NUMBER = re.compile(rb"\d+")
_BITS = re.compile(rb"[01]{7,8}")
_ESCAPE = re.compile(
    r"\\u\{([0-9a-fA-F]{1,6})\}|\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\U([0-9a-fA-F]{8})|"
    r"\\([0-7]{3})"
)


def pieces(data: bytes) -> Iterator[Piece]:
    """Everything in the data that a code of this module turns into readable text, code by code."""
    for code in _CODES:
        for match in compiled(code.pattern).finditer(data):
            text = code.decode(match[0])
            if text and _says(text):
                yield Piece(match.start(), code.how, text, odd=not _declared(data, match.start()))
    for how, pattern, undo in _ESCAPED:
        for match in compiled(pattern).finditer(data):
            before = match[0].decode("utf-8", "replace")
            text = undo(before)
            if text != before:
                yield Piece(match.start(), how, text, odd=bool(compiled(_LETTERS).search(match[0])))


def _declared(data: bytes, start: int) -> bool:
    """Whether what stands before says that base64 follows, as mails and addresses of data do."""
    before = data[max(0, start - _HEADERS) : start]
    return (b"ase64" in before or before[-3:].lower() == b"?b?") and bool(_BASE64_NEXT.search(before))


def _base64(run: bytes) -> str:
    if run.islower():
        return ""
    letters = b"".join(run.split()).rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
    if letters.isdigit():
        return ""
    for skipped in range(4 if len(letters) >= _SHIFTED else 1):
        head = _unbased(letters[skipped : skipped + _HEAD])
        if head and _says(head):
            return _unbased(letters[skipped:])
    return _ending(letters) if len(letters) >= _SHIFTED else ""


def _ending(letters: bytes) -> str:
    """What is readable at the end of letters whose beginning is of no code."""
    near = max(len(letters) - _HEAD, 0)
    for start in range(near, near + 4):
        if _says(_unbased(letters[start:])):
            whole = letters[start % 4 :]
            text = base64.b64decode(whole[: len(whole) // 4 * 4] + _padded(whole)).decode("utf-8", "replace")
            return _GARBLED.split(text)[-1]
    return ""


def _says(text: str) -> bool:
    return readable(text) or ("&#" in text and readable(html.unescape(text)))


def _unbased(letters: bytes) -> str:
    try:
        return _text(base64.b64decode(letters[: len(letters) // 4 * 4] + _padded(letters)))
    except (binascii.Error, ValueError):
        return ""


def _padded(letters: bytes) -> bytes:
    """The last letters that are no four, if they stand for something."""
    rest = letters[len(letters) // 4 * 4 :]
    return rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b""


def _base32(run: bytes) -> str:
    letters = run.rstrip(b"=")
    try:
        return _text(base64.b32decode(letters + b"=" * (-len(letters) % 8)))
    except (binascii.Error, ValueError):
        return ""


def _text(data: bytes) -> str:
    """UTF-8, or UTF-16 as it is in encoded commands; a cut character at the end does no harm."""
    if data[1:9:2] == b"\0\0\0\0":
        return data.decode("utf-16-le", "ignore")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data[: error.start].decode("utf-8") if error.start >= len(data) - 3 else ""


def _hex(run: bytes) -> str:
    bare = run.replace(b"0x", b" ").replace(b"\\x", b" ")
    text = _text(bytes(int(pair, 16) for pair in _PAIR.findall(bare)))
    return text if readable(text, 0.75) else ""


def _binary(run: bytes) -> str:
    text = _text(bytes(int(bits, 2) for bits in _BITS.findall(run)))
    return text if readable(text, 0.75) else ""


def _decimal(run: bytes) -> str:
    numbers = [int(number) for number in _NUMBER.findall(run)]
    text = "".join(map(chr, numbers)) if all(9 <= number < 127 for number in numbers) else ""
    return text if prose(text) else ""


def _morse(run: bytes) -> str:
    words = re.split(r" */ *| *\| *| {3,}|\n", run.decode("utf-8", "replace").replace("·", ".").replace("–", "-"))
    text = " ".join("".join(_MORSE.get(letter, "") for letter in word.split()) for word in words)
    return text if prose(text) else ""


def _escapes(text: str) -> str:
    def char(match: re.Match[str]) -> str:
        base = 8 if match.lastindex == 5 else 16
        code = int(match[match.lastindex or 0], base)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"

    return _ESCAPE.sub(char, text)


def _quoted_printable(text: str) -> str:
    return quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")


_CODES = (
    _Code("base64", r"[A-Za-z0-9+/_-]{16,}(?:[ \t]*\n[ \t>#*]*[A-Za-z0-9+/_-]{16,})*={0,2}", _base64),
    _Code("base32", r"\b[A-Z2-7]{24,}={0,6}", _base32),
    _Code("hex", r"(?:(?:\\x|0x)?[0-9a-fA-F]{2}[ :,;\n-]{0,2}){10,}", _hex),
    _Code("binary", r"(?:[01]{7,8}[\s,;]{0,2}){6,}", _binary),
    _Code("decimal", r"(?:\b\d{2,3}[ ,;]{1,2}){8,}\d{2,3}", _decimal),
    _Code("morse", r"(?:(?:[.·–-]{1,6}) {1,3}(?:[/|] ?)?){12,}[.·–-]{0,6}", _morse),
)  # fmt: skip
#: Letters have no need of an escape, and what is no address none of an address's.
_LETTERS = (
    r"(?:%[46][1-9A-Fa-f]|%[57][0-9Aa]){6}|(?:&#(?:x[4567][0-9a-fA-F]|6[5-9]|[789]\d|"
    r"1[012]\d);){6}|(?:\\(?:u00|x|u\{)[4567][0-9a-fA-F]\}?){6}|"
    r"^[^=/:?&]*(?:%20[^=/:?&]*){5,}$"
)
_ESCAPED: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("URL", r"[^\s\"'<>()]*(?:%[0-9A-Fa-f]{2}[^\s\"'<>()%]*){3,}", unquote_plus),
    ("HTML entities", r"[^\n]*(?:&#?\w{2,8};[^\n&]*){3,}", html.unescape),
    (
        "escapes",
        r"[^\n\\]*(?:\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|u\{|[0-7]{3})[^\n\\]*){4,}",
        _escapes,
    ),
    ("quoted-printable", r"[^\n=]*(?:=(?:[0-9A-F]{2}|\n)[^\n=]*){3,}", _quoted_printable),
)
