"""One stretch of text: its cues, what hides in it, and what its codes say, down to a depth."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from guardgate.normalize import fold, view
from guardgate.scan.bare import bare_cues, undone
from guardgate.scan.ciphers import disguised
from guardgate.scan.codes import Piece, pieces
from guardgate.scan.cue import Hit
from guardgate.scan.finding import WORDS, Family, Finding, Severity
from guardgate.scan.forbid import orders
from guardgate.scan.grammar import cues_in
from guardgate.scan.hidden import hidden_in, orders_in, secrets_in
from guardgate.scan.mention import Spans, inside, mentions
from guardgate.scan.prose import prose
from guardgate.scan.readings import readings
from guardgate.scan.seen import CONTROLS, mixed, seen
from guardgate.scan.unseen import Sign, signs, unhidden
from guardgate.scan.weigh import Weighed, weighed

#: Fewer words in a code are a sample.
_SENTENCE = 6
#: A code in a code in a code is still read.
DEPTH = 3
#: All that is decoded from a stretch may have so many times its length, and so many characters more.
TIMES, MORE = 3, 20_000
#: Exact words of a longer line are not looked for; the folded ones stand for them.
_LONG_LINE = 600
_FAR = 80
_STOP = re.compile(rb"[\n.!?]")


@dataclass(frozen=True)
class Layer:
    """A text with one kind of line ends. `lines`: the line in the file of each of its lines.

    `how`: what was undone to get it; `prose`: whether quotation marks mention; `fence`: that in which it begins.
    """

    text: str
    lines: Sequence[int]
    how: tuple[str, ...] = ()
    prose: bool = True
    fence: bytes = b""

    @cached_property
    def data(self) -> bytes:
        """The text folded; it has the same lines."""
        return seen(self.text)

    @cached_property
    def _breaks(self) -> list[int]:
        return _ends(self.data)

    def index(self, at: int) -> int:
        """The number of the line (from 0) with this byte of the folded text."""
        return bisect_right(self._breaks, at - 1)

    @cached_property
    def rows(self) -> list[str]:
        """The lines, as they are written."""
        return self.text.split("\n")


def _ends(data: bytes) -> list[int]:
    """Where lines end."""
    return [behind - 1 for behind in accumulate(len(line) + 1 for line in data.split(b"\n"))][:-1]


def found_in(layer: Layer, path: str) -> Iterator[Finding]:
    """Everything that is found in a text and in what it encodes."""
    yield from _look(layer, path, [TIMES * len(layer.text) + MORE])


def _look(layer: Layer, path: str, room: list[int]) -> Iterator[Finding]:
    told = set()
    hiding = hidden_in(layer.data)
    for one in _weighed(layer, hiding):
        line = layer.lines[layer.index(one.start)]
        told.add((line, one.family, one.severity))
        yield Finding(path, line, one.family, one.severity, _words(layer, one), _how(layer, one, hiding))
    decoded = list(_decoded(layer))
    for how, found in _by_code(decoded).items():
        deeper = _deeper(layer, path, how, found, room)
        # What stands there in the open, too, or behind single escapes, has been told.
        yield from (one for one in deeper if how not in _SAME or (one.line, one.family, one.severity) not in told)
    if not layer.text.isascii():
        yield from (finding for sign in signs(layer.text) for finding in _sign(layer, path, sign))


def _weighed(layer: Layer, hiding: Spans) -> list[Weighed]:
    found = orders(layer.data, cues_in(layer.data))
    found = sorted({*found, *bare_cues(layer.data)})
    if hiding:
        alone = secrets_in(layer.data, hiding) if layer.prose else []
        found = sorted([*found, *_doubled(found, hiding), *orders_in(layer.data, hiding), *alone])
    if layer.how and found and not set(layer.how) <= _PLAIN:
        found = sorted(
            [*found, *(Hit(hit.start, hit.start, "encoded", 2, "encoded") for hit in found if hit.weight > 1)]
        )
    if not found:
        return []
    mentioned = mentions(layer.data, layer.fence, hiding) if layer.prose and not layer.how else ()
    return list(weighed(found, mentioned))


#: Codes that every page and program uses: an order is no worse for standing in them.
_PLAIN = frozenset({"URL", "HTML entities", "escapes", "quoted-printable"})


#: Readings of the very words that the first look saw.
_SAME = _PLAIN | {"zero width", "look-alikes"}


def _doubled(found: Sequence[Hit], hiding: Spans) -> Iterator[Hit]:
    """That an order is hidden weighs something of its own."""
    for hit in found:
        if hit.weight > 1 and inside(hiding, hit.start, min(hit.end, hit.start + 1)):
            yield Hit(hit.start, hit.end, "hidden_markup", 2, "hidden")


def _how(layer: Layer, one: Weighed, hiding: Spans) -> tuple[str, ...]:
    """What was undone, whether it is hidden, and what the folding of these very lines undid."""
    rows = layer.rows[layer.index(one.start) : layer.index(max(one.end - 1, one.start)) + 1]
    raw = " ".join(rows)
    how = layer.how
    if one.family != "hidden_markup" and inside(hiding, one.start, min(one.end, one.start + 1)):
        how = (*how, "hidden markup")
    if "&" in raw or "\\" in raw:
        how = (*how, *undone(layer.data[one.start : one.end]))
    if raw.isascii() or len(raw) > _LONG_LINE:
        return how
    disguises = [sign.how for sign in signs(raw) if sign.how in ("zero width", "look-alikes")]
    if not disguises and mixed(raw):
        disguises = ["look-alikes"]
    return (*how, *disguises[:1])


def _words(layer: Layer, one: Weighed) -> str:
    """The exact words to the end of their sentence, or the folded ones where the lines are long."""
    one = one._replace(end=_sentence_end(layer.data, one.end))
    folded = " ".join(layer.data[one.start : one.end].decode("utf-8", "replace").split())
    if layer.text.isascii() and len(layer.data) == len(layer.text):
        folded = " ".join(layer.text[one.start : one.end].split())
        return _cut(folded)
    raw = "\n".join(layer.rows[layer.index(one.start) : layer.index(max(one.end - 1, one.start)) + 1])
    if len(raw) > _LONG_LINE:
        return _cut(folded)
    at = view(raw, fold)
    place = at.text.find(fold(folded))
    return _cut(
        " ".join(at.original(place, place + len(fold(folded))).split()) if place >= 0 else " ".join(raw.split())
    )


def _sentence_end(data: bytes, end: int) -> int:
    """Where the sentence ends that goes on here, or its line; not far away."""
    limit = min(len(data), end + _FAR)
    stop = _STOP.search(data, end, limit)
    if stop or limit == len(data):
        return stop.start() if stop else limit
    return max(end, data.rfind(b" ", end, limit))


def _cut(words: str) -> str:
    return words if len(words) <= WORDS else words[: WORDS - 1] + "…"


def _decoded(layer: Layer) -> Iterator[tuple[int, Piece]]:
    """Each piece that a code gives, with the number of its line."""
    raw = layer.text.encode("utf-8", "replace")
    breaks: list[int] | None = None
    for piece in pieces(raw):
        breaks = _ends(raw) if breaks is None else breaks
        yield bisect_right(breaks, piece.start - 1), piece
    for piece in disguised(layer.data):
        yield layer.index(piece.start), piece
    plain = layer.text.isascii()
    if plain and len(raw.translate(None, CONTROLS)) == len(raw):
        return
    for piece in (*(() if plain else unhidden(layer.text)), *readings(layer.text)):
        yield layer.text.count("\n", 0, piece.start), piece


def _by_code(decoded: list[tuple[int, Piece]]) -> dict[str, list[tuple[int, Piece]]]:
    by_code: dict[str, list[tuple[int, Piece]]] = defaultdict(list)
    for index, piece in decoded:
        by_code[piece.how].append((index, piece))
    return by_code


def _deeper(layer: Layer, path: str, how: str, found: list[tuple[int, Piece]], room: list[int]) -> Iterator[Finding]:
    """What stands in the texts that one code gives, all of them in one layer with a line for each."""
    kept: list[tuple[int, str]] = []
    for index, piece in found:
        room[0] -= len(piece.text) + 1
        if room[0] < 0 or len(layer.how) >= DEPTH:
            line = layer.lines[index]
            yield Finding(path, line, "undecoded", "low", f"more {how} than is decoded", layer.how)
            break
        kept.append((layer.lines[index], " ".join(piece.text.split())))
    if not kept:
        return
    inner = Layer("\n".join(text for _, text in kept), [line for line, _ in kept], (*layer.how, how), layer.prose)
    told = set()
    for finding in _look(inner, path, room):
        told.add(finding.line)
        yield finding
    odd = {index for index, piece in found if piece.odd}
    for index, piece in found:
        line = layer.lines[index]
        if index in odd and line not in told and prose(piece.text, _SENTENCE):
            told.add(line)
            yield Finding(
                path,
                line,
                "encoded",
                "medium" if layer.prose else "low",
                _cut(" ".join(piece.text.split())),
                (*layer.how, how),
            )


_SIGNS: dict[str, tuple[Family, Severity]] = {
    "tag characters": ("hidden_characters", "high"),
    "variation selectors": ("hidden_characters", "high"),
    "zero width": ("hidden_characters", "medium"),
    "bidi override": ("hidden_characters", "medium"),
    "look-alikes": ("hidden_characters", "medium"),
    "full width": ("hidden_characters", "medium"),
}


def _sign(layer: Layer, path: str, sign: Sign) -> Iterator[Finding]:
    family, severity = _SIGNS[sign.how]
    line = layer.lines[layer.text.count("\n", 0, sign.start)]
    yield Finding(path, line, family, severity, _cut(" ".join(sign.words.split())), (*layer.how, sign.how))
