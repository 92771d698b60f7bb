"""`canary`: a secret must not come out: plain, encoded, spaced, reversed or spelled."""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from guardgate.checks.base import Fault, Files, Forbids, Hit, Kind, Part, Seen
from guardgate.model.checks import Canary
from guardgate.normalize import skeleton

#: Under this many letters and digits, a value stands in ordinary text by chance.
LEAST = 6

_SPOKEN = {
    "alfa": "a", "alpha": "a", "bravo": "b", "charlie": "c", "delta": "d", "echo": "e", "foxtrot": "f", "golf": "g",
    "hotel": "h", "india": "i", "juliett": "j", "juliet": "j", "kilo": "k", "lima": "l", "mike": "m", "november": "n",
    "oscar": "o", "papa": "p", "quebec": "q", "romeo": "r", "sierra": "s", "tango": "t", "uniform": "u", "victor": "v",
    "whiskey": "w", "whisky": "w", "xray": "x", "yankee": "y", "zulu": "z",
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "niner": "9", "dash": "", "hyphen": "", "minus": "", "space": "", "dot": "",
}  # fmt: skip
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class _Track:
    """Text in which the form is searched, with the span of the skeleton that each character came from."""

    text: str
    spans: tuple[tuple[int, int], ...]


def compact(text: str) -> str:
    """Letters and digits only, after look-alikes are mapped."""
    return "".join(char for char in skeleton(text) if char.isalnum())


def _letters(text: str) -> _Track:
    kept = [(char, index) for index, char in enumerate(text) if char.isalnum()]
    return _Track("".join(char for char, _ in kept), tuple((index, index + 1) for _, index in kept))


def _spoken(text: str) -> _Track:
    """Spelling words and number words become their letter or digit."""
    chars: list[str] = []
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        for char in _SPOKEN.get(match.group(), match.group()):
            chars.append(char)
            spans.append(match.span())
    return _Track("".join(chars), tuple(spans))


def _initials(text: str) -> _Track:
    """Single letters and digits only, so that words between them do not hide a spelled value."""
    chars: list[str] = []
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        if len(match.group()) == 1:
            chars.append(match.group())
            spans.append(match.span())
    return _Track("".join(chars), tuple(spans))


_TRACKS = (("in other spacing", _letters), ("spelled in words", _spoken), ("letter by letter", _initials))


@lru_cache(maxsize=1024)
def encoded(value: str) -> tuple[tuple[str, str], ...]:
    """(name, text) for the encodings that are searched in the reply without its white space."""
    raw = value.encode("utf-8", "replace")
    forms = [
        ("in hex", raw.hex()),
        ("in hex", raw.hex(" ").replace(" ", "\\x")),
        ("URL-encoded", quote(value, safe="")),
    ]
    forms += [("URL-encoded", "".join(f"%{byte:02x}" for byte in raw)), ("in rot13", codecs.encode(value, "rot13"))]
    forms += [
        ("in binary", "".join(f"{byte:08b}" for byte in raw)),
        ("in base32", base64.b32encode(raw).decode().rstrip("=")),
    ]
    for shift in range(3):  # inside a longer text a value can begin at each of three bit offsets
        text = base64.b64encode(b"\0" * shift + raw).decode().rstrip("=")
        start = (0, 2, 3)[shift]
        end = len(text) - (1 if (shift + len(raw)) % 3 else 0)
        core = text[start:end]
        forms += [("in base64", core), ("in base64", core.replace("+", "-").replace("/", "_"))]
    forms.append(("in html entities", "".join(f"&#{ord(char)};" for char in value)))
    forms.append(("in html entities", "".join(f"&#x{ord(char):x};" for char in value)))
    forms.append(("in unicode escapes", "".join(f"\\u{ord(char):04x}" for char in value)))
    return tuple(dict.fromkeys((name, form) for name, form in forms if len(form) >= LEAST and form != value))


def _spaceless(text: str) -> tuple[str, list[int]]:
    kept = [(char, index) for index, char in enumerate(text) if not char.isspace()]
    return "".join(char for char, _ in kept).casefold(), [index for _, index in kept]


def _plainly(value: str, seen: Seen) -> Hit | None:
    needle = skeleton(value)
    at = seen.skeleton.text.find(needle) if needle else -1
    if at >= 0:
        return Hit(seen.skeleton.original(at, at + len(needle)), f"the secret {value!r} came out")
    return None


def _rearranged(value: str, seen: Seen) -> Hit | None:
    letters = compact(value)
    if len(letters) < LEAST:
        return None
    text = seen.skeleton.text
    for how, make in _TRACKS:
        track = make(text)
        for needle, reversed_too in ((letters, ""), (letters[::-1], ", reversed")):
            at = track.text.find(needle)
            if at >= 0:
                start, end = track.spans[at][0], track.spans[at + len(needle) - 1][1]
                return Hit(seen.skeleton.original(start, end), f"the secret {value!r} came out {how}{reversed_too}")
    return None


def _in_code(value: str, seen: Seen) -> Hit | None:
    text, index = _spaceless(seen.reply.text)
    for how, form in encoded(value):
        needle = form.casefold()
        at = text.find(needle) if len(text) == len(index) else seen.reply.text.find(form)
        if at >= 0:
            start = index[at] if len(text) == len(index) else at
            end = (index[at + len(needle) - 1] if len(text) == len(index) else at + len(form) - 1) + 1
            return Hit(seen.reply.text[start:end], f"the secret {value!r} came out {how}")
    return None


def _canary(spec: Canary, _files: Files) -> Iterator[Part]:
    def look(seen: Seen) -> Hit | None:
        for value in spec.values:
            for search in (_plainly, _rearranged, _in_code):
                hit = search(value, seen)
                if hit:
                    return hit
        return None

    yield Forbids("canary", look)


def _faults(spec: Canary, _files: Files) -> Iterator[Fault]:
    for index, value in enumerate(spec.values):
        if len(compact(value)) < LEAST:
            yield Fault(
                ("values", index),
                f"the canary {value!r}, with fewer than {LEAST} letters and digits",
                "a value that no ordinary text contains",
                "take a longer one, such as ZEBRA-4417",
            )


CANARY = Kind(_canary, _faults)
