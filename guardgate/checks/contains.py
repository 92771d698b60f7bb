"""`contains` and `not_contains`: words, compared after normalisation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from guardgate.checks.base import Fault, Files, Forbids, Hit, Kind, Part, Requires, Seen
from guardgate.model.checks import Contains, NotContains
from guardgate.normalize import blank, fold, skeleton


def _has(seen: Seen, word: str, exact: bool) -> bool:
    return word in seen.reply.text if exact else fold(word) in seen.folded.text


@lru_cache(maxsize=8192)
def _needles(word: str) -> tuple[str, str]:
    return fold(word), skeleton(word)


def _words_of(seen: Seen, word: str, exact: bool) -> str | None:
    """The exact words of the reply that are the forbidden ones; look-alike letters are looked through."""
    if exact:
        return word if word in seen.reply.text else None
    folded, bare = _needles(word)
    for needle, look in ((folded, seen.folded), (bare, seen.skeleton)):
        at = look.text.find(needle)
        if needle and at >= 0:
            return look.original(at, at + len(needle))
    return None


def _contains(spec: Contains, _files: Files) -> Iterator[Part]:
    def look(replies: tuple[Seen, ...]) -> Hit | None:
        read = replies[-1:] if spec.turn == "last" else replies
        lacks = "the last reply lacks" if spec.turn == "last" else "no reply has"
        missing = [word for word in spec.all or () if not any(_has(seen, word, spec.exact) for seen in read)]
        if missing:
            return Hit(None, f"{lacks} {missing[0]!r}")
        if spec.any and not any(_has(seen, word, spec.exact) for word in spec.any for seen in read):
            return Hit(None, f"{lacks} {'all' if spec.turn == 'last' else 'any'} of {', '.join(map(repr, spec.any))}")
        return None

    yield Requires("contains", look)


def _not_contains(spec: NotContains, _files: Files) -> Iterator[Part]:
    def look(seen: Seen) -> Hit | None:
        for word in spec.any:
            words = _words_of(seen, word, spec.exact)
            if words is not None:
                return Hit(words, f"the reply says {word!r}, which is forbidden")
        return None

    yield Forbids("not_contains", look)


def word_faults(words: tuple[str, ...] | None, key: str, exact: bool) -> Iterator[Fault]:
    """Words of which normalisation leaves nothing; such a word would match every reply."""
    for index, word in enumerate(words or ()):
        if not exact and blank(word):
            yield Fault(
                (key, index),
                "a word of invisible characters only",
                "visible words",
                "write the words, or set exact: true",
            )


def _contains_faults(spec: Contains, _files: Files) -> Iterator[Fault]:
    if not spec.any and not spec.all:
        yield Fault((), "neither any nor all", "at least one list of words", "add any: [...] or all: [...]")
    yield from word_faults(spec.any, "any", spec.exact)
    yield from word_faults(spec.all, "all", spec.exact)


def _not_contains_faults(spec: NotContains, _files: Files) -> Iterator[Fault]:
    yield from word_faults(spec.any, "any", spec.exact)


CONTAINS = Kind(_contains, _contains_faults)
NOT_CONTAINS = Kind(_not_contains, _not_contains_faults)
