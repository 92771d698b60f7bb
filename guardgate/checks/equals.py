"""`equals`: the last reply is exactly this text, after normalisation."""

from __future__ import annotations

from collections.abc import Iterator

from guardgate.checks.base import Fault, Files, Hit, Kind, Part, Requires, Seen
from guardgate.normalize import blank, fold


def _equals(text: str, _files: Files) -> Iterator[Part]:
    wanted = fold(text)

    def look(replies: tuple[Seen, ...]) -> Hit | None:
        last = replies[-1]
        return None if last.folded.text == wanted else Hit(last.reply.text, f"the last reply is not {text!r}")

    yield Requires("equals", look)


def _faults(text: str, _files: Files) -> Iterator[Fault]:
    if blank(text):
        yield Fault((), "a text of invisible characters only", "visible words", "write what the reply must be")


EQUALS = Kind(_equals, _faults)
