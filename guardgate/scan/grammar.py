"""All cues, and how they are looked for without paying for each one everywhere.

A few gates (each one the alternation of the cues of a family) go over the whole text. Only around their hits is every
cue looked for by itself, so that it is known which ones are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from guardgate.scan.addressed import ADDRESSED
from guardgate.scan.audience import AUDIENCE
from guardgate.scan.cue import Hit, Net, compiled, hits, nets, spelled_out
from guardgate.scan.deeds import DEEDS
from guardgate.scan.english import ENGLISH
from guardgate.scan.foreign import FOREIGN, FOREIGN_FIRST, FOREIGN_SCRIPTS
from guardgate.scan.instead import INSTEAD
from guardgate.scan.reach import REACH
from guardgate.scan.roles import ROLES
from guardgate.scan.said import SAID, SAID_SCRIPTS
from guardgate.scan.tongues import LATIN, LATIN_FIRST, OTHER_SCRIPTS

_PLAIN = (*ENGLISH, *INSTEAD, *ADDRESSED, *AUDIENCE, *ROLES, *DEEDS, *REACH)
#: Bytes before and after the hit of a gate in which company is looked for.
_AROUND = 400


@dataclass(frozen=True)
class _Gate:
    """Nets that share one pass over the text. `scripts`: nothing in ASCII can match."""

    pattern: str
    nets: tuple[Net, ...]
    scripts: bool = False


#: These families are short enough to share a gate. A gate of everything would be slow: RE2's automaton has as many
#: states as there are ways in which its alternatives can be half matched at once.
_SHORT = frozenset({"fake_turn", "command", "tool", "memory", "trigger", "active_markup", "encoded"})


#: What begins with a line or sentence is looked for apart from what begins with a word: both automata are small.
_BEGINNING = "(?:^|"
#: Shorter patterns that are found wherever one of the gate's cues is.
_FIRST = {"latin": LATIN_FIRST, "foreign": FOREIGN_FIRST}


def _gates() -> Iterator[_Gate]:
    shared: dict[str, list[Net]] = {}
    for begins in (True, False):
        for net in nets(cue for cue in _PLAIN if cue.weight > 1 and cue.pattern.startswith(_BEGINNING) == begins):
            shared.setdefault(f"{'short' if net.family in _SHORT else net.family} {begins}", []).append(net)
    shared["latin"] = list(nets((*LATIN, *SAID)))
    shared["foreign"] = list(nets(FOREIGN))
    shared["scripts"] = list(nets((*OTHER_SCRIPTS, *FOREIGN_SCRIPTS, *SAID_SCRIPTS)))
    for name, group in shared.items():
        pattern = spelled_out(_FIRST[name]) if name in _FIRST else "|".join(net.pattern for net in group)
        yield _Gate(pattern, tuple(group), name == "scripts")


_GATES = tuple(_gates())
#: What weighs 1 shows nothing without company, so it opens no gate.
_COMPANY = tuple(net for net in nets(_PLAIN) if net.weight == 1)


def cues_in(data: bytes) -> list[Hit]:
    """Every hit of every cue that has or may have company, sorted."""
    ascii_only = data.isascii()
    spans = sorted(
        (*match.span(), number)
        for number, gate in enumerate(_GATES)
        if not (gate.scripts and ascii_only)
        for match in compiled(gate.pattern).finditer(data)
    )
    return sorted({hit for part in _regions(data, spans) for hit in hits(part.nets, data, part.start, part.end)})


class _Region(NamedTuple):
    """A part of the data, and the nets that may have hits there."""

    start: int
    end: int
    nets: tuple[Net, ...]


def _regions(data: bytes, spans: Iterable[tuple[int, int, int]]) -> Iterator[_Region]:
    """The parts of the data around the hits of gates, without overlap, in order."""
    begin = end = -1
    gates: set[int] = set()
    for start, stop, gate in spans:
        if end < 0 or start - _AROUND > end:
            if end >= 0:
                yield _Region(*_whole(data, begin, end), _opened(frozenset(gates)))
            begin, gates = start - _AROUND, set()
        end = max(end, stop + _AROUND)
        gates.add(gate)
    if end >= 0:
        yield _Region(*_whole(data, begin, end), _opened(frozenset(gates)))


@cache
def _opened(gates: frozenset[int]) -> tuple[Net, ...]:
    """Where a gate has no hit, none of its nets has one."""
    return (*_COMPANY, *(net for gate in sorted(gates) for net in _GATES[gate].nets))


def _whole(data: bytes, begin: int, end: int) -> tuple[int, int]:
    """A part that cuts no character of several bytes."""
    begin, end = max(begin, 0), min(end, len(data))
    while begin > 0 and data[begin] & 0xC0 == 0x80:
        begin -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return begin, end
