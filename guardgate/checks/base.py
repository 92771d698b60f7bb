"""What a check is made of: parts, each of which forbids something or requires something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from guardgate.normalize import View, fold, plain, skeleton, view
from guardgate.record import Reply

#: The files that checks may read (JSON Schemas), by the name that the suite gives them.
Files = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Hit:
    """Forbidden words (exactly as received), or what is missing, and why that counts."""

    words: str | None
    why: str


@dataclass(frozen=True, slots=True)
class Open:
    """Nothing can be said: a kind of `record.KINDS`, and why."""

    kind: str
    why: str


class Seen:
    """One reply with its normalised views, each made once and only when asked for."""

    __slots__ = ("_folded", "_plain", "_skeleton", "ascii", "reply")

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        #: Without a character that could look like another: `skeleton` is `folded`.
        self.ascii = reply.text.isascii()
        # No cached_property: before Python 3.12 each first use takes a lock, and there are three a reply.
        self._plain: View | None = None
        self._folded: View | None = None
        self._skeleton: View | None = None

    @property
    def plain(self) -> View:
        """Invisible characters gone, quotes plain, letter case kept."""
        if self._plain is None:
            self._plain = view(self.reply.text, plain)
        return self._plain

    @property
    def folded(self) -> View:
        """`plain` without letter case."""
        if self._folded is None:
            low = View(self.plain.text.lower(), self.reply.text, fold) if self.ascii else view(self.reply.text, fold)
            self._folded = low
        return self._folded

    @property
    def skeleton(self) -> View:
        """`folded` with look-alike characters mapped."""
        if self._skeleton is None:
            self._skeleton = self.folded if self.ascii else view(self.reply.text, skeleton)
        return self._skeleton


@dataclass(frozen=True, slots=True)
class Forbids:
    """Looks at every received reply; a hit breaks the rule."""

    name: str
    look: Callable[[Seen], Hit | Open | None]


@dataclass(frozen=True, slots=True)
class Requires:
    """Looks at a whole transcript; a hit says what is missing."""

    name: str
    look: Callable[[tuple[Seen, ...]], Hit | Open | None]


Part = Forbids | Requires


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong inside the settings of a check: where, found, expected, what to do."""

    path: tuple[str | int, ...]
    found: str
    expected: str
    todo: str
    #: Set where the check works, and yet not as its author may think: then it is a warning.
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of the table of checks: how its settings become parts, and what can be wrong with them."""

    parts: Callable[[Any, Files], Iterator[Part]]
    faults: Callable[[Any, Files], Iterator[Fault]]


def no_faults(_spec: Any, _files: Files) -> Iterator[Fault]:
    """For kinds whose model says everything."""
    yield from ()
