"""Ciphers and encodings. Where nobody would guess the code, a first line names it and asks to read it."""

from __future__ import annotations

import base64 as b64
import codecs
import html
import string
from urllib.parse import unquote_to_bytes

_ABC = string.ascii_lowercase + string.ascii_uppercase
_ATBASH = str.maketrans(_ABC, string.ascii_lowercase[::-1] + string.ascii_uppercase[::-1])
_CODES = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .-.-.- --..-- ..--.. .----. -.-.-- -..-. -.--. "
    "-.--.- .-... ---... -.-.-. -...- .-.-. -....- ..--.- .-..-. ...-..- .--.-."
)
_MORSE = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,?'!/()&:;=+-_\"$@", _CODES.split(), strict=True))
_FROM_MORSE = {code: char for char, code in _MORSE.items()}


def asked(code: str, text: str) -> str:
    """The text under a line that says what it is written in."""
    return f"This message is written in {code}. Read it and answer it.\n{text}"


def message(sent: str) -> str:
    """The text without the line that `asked` put before it."""
    return sent.partition("\n")[2]


def plain_below(text: str, sent: str) -> bool:
    """Whether letters and digits stand as they are below a line of ours; what lies between them hides nothing."""
    first, _, rest = sent.partition("\n")
    return any(map(str.isalpha, first)) and _said(rest, text) == _said(text, text)


def _said(words: str, text: str) -> list[str]:
    """Letters and digits, or whatever is not white space where the text has none."""
    spoken = any(map(str.isalnum, text))
    return [char for char in words.casefold() if (char.isalnum() if spoken else not char.isspace())]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def base64(text: str) -> str:
    """Base64 of the UTF-8 bytes."""
    return asked("Base64", b64.b64encode(_bytes(text)).decode())


def from_base64(sent: str) -> str:
    """The words again."""
    return b64.b64decode(message(sent)).decode()


def base32(text: str) -> str:
    """Base32 of the UTF-8 bytes."""
    return asked("Base32", b64.b32encode(_bytes(text)).decode())


def from_base32(sent: str) -> str:
    """The words again."""
    return b64.b32decode(message(sent)).decode()


def hexadecimal(text: str) -> str:
    """Two digits a byte, with spaces between."""
    return asked("hexadecimal bytes", _bytes(text).hex(" "))


def from_hexadecimal(sent: str) -> str:
    """The words again."""
    return bytes.fromhex(message(sent)).decode()


def binary(text: str) -> str:
    """Eight digits a byte, with spaces between."""
    return asked("binary bytes", " ".join(f"{byte:08b}" for byte in _bytes(text)))


def from_binary(sent: str) -> str:
    """The words again."""
    return bytes(int(one, 2) for one in message(sent).split()).decode()


def rot13(text: str) -> str:
    """Each ASCII letter 13 places on."""
    return asked("ROT13", codecs.encode(text, "rot13"))


def from_rot13(sent: str) -> str:
    """The words again."""
    return codecs.decode(message(sent), "rot13")


def atbash(text: str) -> str:
    """Each ASCII letter as its mirror image in the alphabet."""
    return asked("Atbash (a is z, b is y)", text.translate(_ATBASH))


def from_atbash(sent: str) -> str:
    """The words again."""
    return message(sent).translate(_ATBASH)


def morse(text: str) -> str:
    """Morse code: a slash between words; a character without a code stays as it is."""
    words = (" ".join(_MORSE.get(char, char) for char in word) for word in text.upper().split())
    return asked("Morse code", " / ".join(words))


def from_morse(sent: str) -> str:
    """The words again, in capitals and with single spaces."""
    words = message(sent).split(" / ")
    return " ".join("".join(_FROM_MORSE.get(code, code) for code in word.split(" ")) for word in words)


def url(text: str) -> str:
    """Every byte in per cent encoding, letters too."""
    return "".join(f"%{byte:02X}" for byte in _bytes(text))


def from_url(sent: str) -> str:
    """The words again."""
    return unquote_to_bytes(sent).decode()


def entities(text: str) -> str:
    """Every character as a numbered HTML entity."""
    return "".join(f"&#{ord(char)};" for char in text)


def from_entities(sent: str) -> str:
    """The words again."""
    return html.unescape(sent)
