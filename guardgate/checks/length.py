"""`length`: bounds on the words and characters of each reply."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from guardgate.checks.base import Fault, Files, Forbids, Hit, Kind, Part, Requires, Seen
from guardgate.model.checks import Length
from guardgate.normalize import words

_UNITS: dict[str, Callable[[str], int]] = {"words": words, "chars": len}


def _at_most(unit: str, most: int) -> Part:
    def look(seen: Seen) -> Hit | None:
        count = _UNITS[unit](seen.reply.text)
        return Hit(seen.reply.text, f"the reply has {count} {unit}, more than {most}") if count > most else None

    return Forbids(f"length.max_{unit}", look)


def _at_least(unit: str, least: int) -> Part:
    def look(replies: tuple[Seen, ...]) -> Hit | None:
        for seen in replies:
            count = _UNITS[unit](seen.reply.text)
            if count < least:
                return Hit(seen.reply.text, f"a reply has {count} {unit}, fewer than {least}")
        return None

    return Requires(f"length.min_{unit}", look)


def _length(spec: Length, _files: Files) -> Iterator[Part]:
    for unit, least, most in (
        ("words", spec.min_words, spec.max_words),
        ("chars", spec.min_chars, spec.max_chars),
    ):
        if most is not None:
            yield _at_most(unit, most)
        if least is not None:
            yield _at_least(unit, least)


def _faults(spec: Length, _files: Files) -> Iterator[Fault]:
    if not any((spec.min_words, spec.max_words, spec.min_chars, spec.max_chars)):
        yield Fault((), "no bound", "at least one of min_words, max_words, min_chars, max_chars", "add a bound")
    for unit, least, most in (
        ("words", spec.min_words, spec.max_words),
        ("chars", spec.min_chars, spec.max_chars),
    ):
        if least is not None and most is not None and least > most:
            yield Fault(
                (f"min_{unit}",),
                f"min_{unit} {least} over max_{unit} {most}",
                "a lower bound that is not over the upper",
                "swap them, or drop one",
            )


LENGTH = Kind(_length, _faults)
