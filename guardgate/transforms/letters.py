"""The same letters, written oddly. A reader sees the words; a filter that compares letters does not."""

from __future__ import annotations

from random import Random

from guardgate.transforms.codes import asked, message

_LEET = str.maketrans("aeiostAEIOST", "431057431057")
_FROM_LEET = str.maketrans("431057", "aeiost")
#: Cyrillic and Greek letters that look like Latin ones.
_LATIN = "aceijopsxyABCEHIJKMOPSTXYZ"
_ALIKE = "асеіјорѕхуАВСЕНІЈКМОРЅТХУΖ"
_HOMOGLYPH = str.maketrans(_LATIN, _ALIKE)
_FROM_HOMOGLYPH = str.maketrans(_ALIKE, _LATIN)
_ZERO_WIDTH = "\u200b"
_TAGS = {code: chr(0xE0000 + code) for code in range(0x20, 0x7F)}
_FROM_TAGS = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_WIDE = {0x20: "\u3000", **{code: chr(0xFEE0 + code) for code in range(0x21, 0x7F)}}
_FROM_WIDE = {0x3000: " ", **{0xFEE0 + code: chr(code) for code in range(0x21, 0x7F)}}
_RIGHT_TO_LEFT, _POP = "\u202e", "\u202c"


def leet(text: str) -> str:
    """a e i o s t as 4 3 1 0 5 7."""
    return text.translate(_LEET)


def from_leet(sent: str) -> str:
    """The words again; digits that were there before, and capitals, are lost."""
    return sent.translate(_FROM_LEET)


def reversed_(text: str) -> str:
    """The last character first, under a line that says so."""
    return asked("reverse, the last letter first", text[::-1])


def from_reversed(sent: str) -> str:
    """The words again."""
    return message(sent)[::-1]


def spaced(text: str) -> str:
    """A space after each letter, three between words."""
    return "\n".join("   ".join(" ".join(word) for word in line.split()) for line in text.split("\n"))


def from_spaced(sent: str) -> str:
    """The words again, with single spaces between them."""
    lines = (line.split("   ") for line in sent.split("\n"))
    return "\n".join(" ".join(word.replace(" ", "") for word in words) for words in lines)


def homoglyph(text: str) -> str:
    """Letters of other scripts that look alike."""
    return text.translate(_HOMOGLYPH)


def from_homoglyph(sent: str) -> str:
    """The words again."""
    return sent.translate(_FROM_HOMOGLYPH)


def zero_width(text: str) -> str:
    """A space without width after every character."""
    return "".join(char + _ZERO_WIDTH for char in text)


def from_zero_width(sent: str) -> str:
    """The words again."""
    return sent.replace(_ZERO_WIDTH, "")


def tags(text: str) -> str:
    """ASCII as tag characters, which no screen shows, behind a visible greeting."""
    return f"Hello, please answer my message.\n{text.translate(_TAGS)}"


def from_tags(sent: str) -> str:
    """The words again."""
    return message(sent).translate(_FROM_TAGS)


def bidi(text: str) -> str:
    """Each line stored back to front between marks that turn it round on the screen."""
    return "\n".join(f"{_RIGHT_TO_LEFT}{line[::-1]}{_POP}" for line in text.split("\n"))


def from_bidi(sent: str) -> str:
    """The words again."""
    return "\n".join(line[1:-1][::-1] for line in sent.split("\n"))


def full_width(text: str) -> str:
    """ASCII as the wide letters of East Asian text."""
    return text.translate(_WIDE)


def from_full_width(sent: str) -> str:
    """The words again."""
    return sent.translate(_FROM_WIDE)


def case_noise(text: str, random: Random) -> str:
    """Each letter as a capital or not, by chance."""
    return "".join(char.upper() if random.random() < 0.5 else char.lower() for char in text)
