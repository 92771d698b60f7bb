"""`regex` and `not_regex`: patterns, searched in the reply as received and in its normalised views."""

from __future__ import annotations

from collections.abc import Iterator

from guardgate.checks.base import Fault, Files, Forbids, Hit, Kind, Part, Requires, Seen
from guardgate.checks.pattern import found, pattern_faults, shown
from guardgate.model.checks import NotRegex, Regex


def _matches(seen: Seen, pattern: str) -> bool:
    return found(pattern, seen.plain.text) is not None or found(pattern, seen.reply.text) is not None


def _words_of(seen: Seen, pattern: str) -> str | None:
    # The look-alikes of ASCII are its letters without case, and case does not count here.
    for look in (seen.plain,) if seen.ascii else (seen.plain, seen.skeleton):
        span = found(pattern, look.text)
        if span:
            return look.original(*span)
    if seen.plain.text == seen.reply.text:
        return None
    span = found(pattern, seen.reply.text)
    return seen.reply.text[span[0] : span[1]] if span else None


def _regex(spec: Regex, _files: Files) -> Iterator[Part]:
    def look(replies: tuple[Seen, ...]) -> Hit | None:
        read = replies[-1:] if spec.turn == "last" else replies
        none = "the last reply matches none of" if spec.turn == "last" else "no reply matches any of"
        not_one = "the last reply does not match" if spec.turn == "last" else "no reply matches"
        for pattern in spec.all or ():
            if not any(_matches(seen, pattern) for seen in read):
                return Hit(None, f"{not_one} {shown(pattern)}")
        if spec.any and not any(_matches(seen, pattern) for pattern in spec.any for seen in read):
            return Hit(None, f"{none} {', '.join(map(shown, spec.any))}")
        return None

    yield Requires("regex", look)


def _not_regex(spec: NotRegex, _files: Files) -> Iterator[Part]:
    def look(seen: Seen) -> Hit | None:
        for pattern in spec.any:
            words = _words_of(seen, pattern)
            if words is not None:
                return Hit(words, f"the reply matches {shown(pattern)}, which is forbidden")
        return None

    yield Forbids("not_regex", look)


def _regex_faults(spec: Regex, _files: Files) -> Iterator[Fault]:
    if not spec.any and not spec.all:
        yield Fault((), "neither any nor all", "at least one list of patterns", "add any: [...] or all: [...]")
    for key, patterns in (("any", spec.any), ("all", spec.all)):
        for index, pattern in enumerate(patterns or ()):
            yield from pattern_faults(pattern, (key, index))


def _not_regex_faults(spec: NotRegex, _files: Files) -> Iterator[Fault]:
    for index, pattern in enumerate(spec.any):
        yield from pattern_faults(pattern, ("any", index))


REGEX = Kind(_regex, _regex_faults)
NOT_REGEX = Kind(_not_regex, _not_regex_faults)
