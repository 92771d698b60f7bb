"""Text that was shifted, mirrored, spaced out or written in digits: told by the commonest words in that dress."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from guardgate.scan.codes import Piece
from guardgate.scan.cue import compiled
from guardgate.scan.prose import FUNCTION_WORDS, prose

#: So many different words of one dress within so many bytes; one of the long words is enough.
_ENOUGH, _NEAR = 3, 300
_LONGEST = 20_000
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_COMMON_WORDS = """
the and you your this that with for are what tell not from now all how about will have must only can who why could
write give und der die das ist nicht ich sie wie was mit auf auch bitte eine den les des est que pour dans vous los las
por con para una como
"""
_LONG_WORDS = """
ignore disregard forget instructions instruction previous prompt system password everything assistant respond reveal
answer secret please
"""
_COMMON, _LONG = _COMMON_WORDS.split(), _LONG_WORDS.split()
#: A word with digits or signs for letters.
_LEET_WORD = (
    r"""(?:^|[\s"'(,.:;-])([a-z0134578@$!|+]*(?:[a-z][0134578@$!|+]|[0134578@$|+][a-z]|[017]5|"""
    r"""4[57])[a-z0134578@$!|+]*)(?:[\s"'),.:;?-]|$)"""
)
_VOCABULARY = {word for word in (*_COMMON, *_LONG, *FUNCTION_WORDS) if len(word) > 1}
_LEET = "4@83901!|57$2"
_TO_I = str.maketrans(_LEET + "+", "aabegoiilstsz" + "t")
_TO_L = str.maketrans(_LEET + "+", "aabegolllstsz" + "t")
_SPACED = r"(?:[\pL\pN?!,:;'\"().][ .\-_*~|/·]{1,3}){9,}[\pL\pN?!.]"


class _Dress(NamedTuple):
    """A way to disguise letters, and its way back."""

    how: str
    undo: Callable[[str], str]


def _shift(step: int) -> Callable[[str], str]:
    turned = _ALPHABET[step:] + _ALPHABET[:step]
    table = str.maketrans(_ALPHABET + _ALPHABET.upper(), turned + turned.upper())
    return lambda text: text.translate(table)


def _atbash(text: str) -> str:
    return text.translate(str.maketrans(_ALPHABET, _ALPHABET[::-1]))


def _mirror(text: str) -> str:
    return text[::-1]


_DRESSES = (
    *(_Dress("rot13" if step == 13 else f"Caesar {26 - step}", _shift(step)) for step in range(1, 26)),
    _Dress("atbash", _atbash),
    _Dress("reversed", _mirror),
)


@cache
def _tells() -> dict[str, tuple[_Dress, bool]]:
    """A disguised word -> its dress, and whether it is a long one. What is a word anyhow tells nothing."""
    plain = {*_COMMON, *_LONG}
    found: dict[str, tuple[_Dress, bool]] = {}
    for dress in _DRESSES:
        # Undoing and doing are the same but for Caesar, whose way back is the rest of the alphabet.
        for word in (*_COMMON, *_LONG):
            worn = _worn(dress, word)
            if worn not in plain:
                found.setdefault(worn, (dress, len(word) > 5))
    return found


def _worn(dress: _Dress, word: str) -> str:
    if dress.how.startswith(("Caesar", "rot13")):
        step = 13 if dress.how == "rot13" else int(dress.how.split()[1])
        return _shift(step)(word)
    return dress.undo(word)


@cache
def _tell_pattern() -> str:
    return rf"\b(?:{'|'.join(sorted(_tells()))})\b"


def disguised(data: bytes) -> Iterator[Piece]:
    """Everything in the folded data that reads as a sentence once its dress is off."""
    yield from _ciphers(data)
    yield from _leet(data)
    yield from _spaced(data)


def _ciphers(data: bytes) -> Iterator[Piece]:
    places: dict[_Dress, list[tuple[int, int, bytes, bool]]] = defaultdict(list)
    for match in compiled(_tell_pattern()).finditer(data):
        dress, long = _tells()[match[0].decode()]
        places[dress].append((*match.span(), match[0], long))
    for dress, found in places.items():
        for start, end in _dense(
            data, [(one[0], one[1], one[2]) for one in found], 2 if any(one[3] for one in found) else _ENOUGH
        ):
            text = dress.undo(" ".join(data[start:end].decode("utf-8", "replace").split()))
            if prose(text):
                yield Piece(start, dress.how, text)


def _leet(data: bytes) -> Iterator[Piece]:
    found = [(match.start(1) - 1, match.end(1) + 1, match[1]) for match in compiled(_LEET_WORD).finditer(data)]
    for start, end in _dense(data, found, 2):
        words = data[start:end].decode("utf-8", "replace").split()
        plain = [" ".join(words).translate(table) for table in (_TO_I, _TO_L)]
        if _leet_words(words) >= _ENOUGH:
            yield from (Piece(start, "leet", one) for one in plain)


def _leet_words(words: list[str]) -> float:
    """How many different known words are in this dress; half more where it is the dress of every third word."""
    dressed = [word.strip(_POINTS) for word in words if any(char in _LEET for char in word) and _LETTER.search(word)]
    known = {word for word in dressed if len(word) > 2 and {word.translate(_TO_I), word.translate(_TO_L)} & _VOCABULARY}
    return len(known) * (1.5 if len(dressed) * 3 >= len(words) else 1)


_POINTS, _LETTER = ".,:;?\"'()", re.compile("[a-z]")


def _spaced(data: bytes) -> Iterator[Piece]:
    for match in compiled(_SPACED).finditer(data):
        run = match[0].decode("utf-8", "replace")
        words = [
            word for word in ("".join(filter(str.isalpha, part)) for part in re.split(r"[ .\-_*~|/·]{2,}", run)) if word
        ]
        spoken = " ".join(words)
        if len(words) < 3 or not any(len(word) > 2 for word in words):
            spoken = _cut("".join(filter(str.isalpha, run)))
        if prose(" ".join(word for word in spoken.split() if len(word) > 1)) or _OBVIOUS.search(spoken):
            yield Piece(match.start(), "spaced letters", spoken)


_OBVIOUS = re.compile(r"ignore|disregard|instruction|password|prompt|override")
_WORDS_IN = re.compile(
    r"(ignore|disregard|forget|override|instructions?|previous|prior|above|system|prompt|password|"
    r"secret|everything|reveal|print|show|write|answer|respond|"
    r"please|repeat|assistant|command|execute|delete|send|your|you|all|the|and|tell|me|rules|now|"
    r"are|with|this|that|say|what|only|from)"
)


def _cut(joined: str) -> str:
    """Letters without blanks cut where known words stand in them; nothing if they stand for less than half of it."""
    known = sum(map(len, _WORDS_IN.findall(joined)))
    if known * 2 < len(joined) or len(joined) < 10:
        return ""
    return " ".join(_WORDS_IN.sub(r" \1 ", joined).split())


def _dense(data: bytes, found: list[tuple[int, int, bytes]], enough: int) -> Iterator[tuple[int, int]]:
    """Runs of hits close to each other, with enough different words, widened by what stands around them."""
    run: list[tuple[int, int, bytes]] = []
    for one in found:
        if run and (one[0] - run[-1][1] > _NEAR or one[1] - run[0][0] > _LONGEST):
            yield from _widened(data, run, enough)
            run = []
        run.append(one)
    yield from _widened(data, run, enough)


def _widened(data: bytes, run: list[tuple[int, int, bytes]], enough: int) -> Iterator[tuple[int, int]]:
    """A run with what stands before and after it on its lines."""
    if len({words for _, _, words in run}) >= enough:
        start, end = run[0][0] + 1, run[-1][1] - 1
        low, high = max(0, start - _NEAR // 3), min(len(data), end + _NEAR // 3)
        before, after = data.rfind(b"\n", low, start), data.find(b"\n", end, high)
        yield (low if before < 0 else before + 1), (high if after < 0 else after)
