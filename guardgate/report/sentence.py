"""Sentences that every format shares: our own words, and between them text from outside, still unescaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Raw:
    """Text from outside. Each format escapes it in its own way; two never stand side by side."""

    text: str


Part = str | Raw
Sentence = tuple[Part, ...]


def say(sentence: Iterable[Part], escape: Callable[[str], str]) -> str:
    """The sentence with every text from outside escaped."""
    return "".join(escape(part.text) if isinstance(part, Raw) else part for part in sentence)


def clipped(text: str, limit: int = 200) -> Raw:
    """Text from outside, cut where a sentence would get too long."""
    return Raw(text if len(text) <= limit else f"{text[:limit]} [... {len(text) - limit} more characters]")


def listed(names: Iterable[str], limit: int = 40) -> Sentence:
    """Names with commas between them, cut after `limit`."""
    every = list(names)
    parts = [part for name in every[:limit] for part in (Raw(name), ", ")][:-1]
    return (*parts, *more(len(every) - limit, "more"))


def more(count: int, what: str) -> Sentence:
    """`, and 3 more`, or nothing."""
    return (f", and {count} {what}",) if count > 0 else ()


def number(count: int, one: str, many: str | None = None) -> str:
    """`1 case`, `2 cases`; `many` where an s is not enough."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def joined(sentences: Iterable[Sentence], between: str) -> Sentence:
    """One sentence of several."""
    return tuple(_between(sentences, between))


def _between(sentences: Iterable[Sentence], between: str) -> Iterator[Part]:
    for count, sentence in enumerate(sentences):
        if count:
            yield between
        yield from sentence
