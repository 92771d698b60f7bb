"""Checks as single demands: what was demanded is still demanded where a demand of the head covers it.

Covering is shown, never guessed: what no demand of the head surely covers is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from guardgate.checks import settings
from guardgate.checks.base import Files
from guardgate.model.checks import (
    Canary,
    Checks,
    Contains,
    Length,
    NotContains,
    NotRegex,
    Regex,
    StateAt,
    ToolCalls,
    ToolPattern,
)
from guardgate.normalize import fold, skeleton
from guardgate.softening.values import shown
from guardgate.source import fingerprint, sha256

Covers = Callable[[Any, Any], bool]


def _same(new: Any, old: Any) -> bool:
    return bool(new == old)


def _least(new: float, old: float) -> bool:
    return new >= old


def _most(new: float, old: float) -> bool:
    return new <= old


@dataclass(frozen=True, slots=True)
class Atom:
    """One demand of one check. `text`: as a reader knows it. `covers(new, old)`: whether `new` demands no less."""

    check: str
    text: str
    value: Any
    covers: Covers = _same

    @property
    def kind(self) -> str:
        """The kind of check, without the key inside it."""
        return self.check.partition(".")[0]

    def covered(self, by: Atom) -> bool:
        """Whether another demand is at least this one."""
        return by.check == self.check and self.covers(by.value, self.value)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word as it is compared. `exact`: letter by letter."""

    word: str
    exact: bool

    def within(self, other: _Word) -> bool:
        """Whether every text that has the other word has this one."""
        if self == other:
            return True
        if self.exact:
            return other.exact and self.word in other.word
        # A word of which nothing is left is found nowhere.
        needles = fold(self.word), skeleton(self.word)
        return all(needles) and needles[0] in fold(other.word) and needles[1] in skeleton(other.word)


def _exactly(word: str, exact: bool) -> str:
    return f"{word} (exact)" if exact else word


def _forbids_word(new: _Word, old: _Word) -> bool:
    return new.within(old)


@dataclass(frozen=True, slots=True)
class _OneOf:
    """One of these must be there. `last`: in the last reply."""

    choices: frozenset[Any]
    last: bool


def _requires_word(new: _OneOf, old: _OneOf) -> bool:
    met = all(any(want.within(have) for want in old.choices) for have in new.choices)
    return met and (new.last or not old.last)


def _requires_pattern(new: _OneOf, old: _OneOf) -> bool:
    return new.choices <= old.choices and (new.last or not old.last)


def _one_of(words: tuple[str, ...], last: bool, exact: bool = False) -> str:
    where = " (in the last reply)" if last else ""
    return " or ".join(_exactly(word, exact) for word in words) + where


def _contains(spec: Contains, _files: Files) -> Iterator[Atom]:
    last = spec.turn == "last"
    for words in (*((word,) for word in spec.all or ()), *((spec.any,) if spec.any else ())):
        choices = frozenset(_Word(word, spec.exact) for word in words)
        yield Atom("contains", _one_of(words, last, spec.exact), _OneOf(choices, last), _requires_word)


def _not_contains(spec: NotContains, _files: Files) -> Iterator[Atom]:
    for word in spec.any:
        yield Atom("not_contains", _exactly(word, spec.exact), _Word(word, spec.exact), _forbids_word)


def _regex(spec: Regex, _files: Files) -> Iterator[Atom]:
    last = spec.turn == "last"
    for patterns in (*((one,) for one in spec.all or ()), *((spec.any,) if spec.any else ())):
        yield Atom("regex", _one_of(patterns, last), _OneOf(frozenset(patterns), last), _requires_pattern)


def _not_regex(spec: NotRegex, _files: Files) -> Iterator[Atom]:
    yield from (Atom("not_regex", pattern, pattern) for pattern in spec.any)


def _equals(text: str, _files: Files) -> Iterator[Atom]:
    yield Atom("equals", text, fold(text))


def _json_schema(name: str, files: Files) -> Iterator[Atom]:
    """By what stands in the file, whatever it is called."""
    known = files.get(name)
    content = fingerprint(name) if known is None else sha256(known)
    yield Atom("json_schema", f"{name} (SHA-256 {content[:12]})", content)


def _length(spec: Length, _files: Files) -> Iterator[Atom]:
    for key, covers in (("min_words", _least), ("max_words", _most), ("min_chars", _least), ("max_chars", _most)):
        value = getattr(spec, key)
        if value is not None:
            yield Atom(f"length.{key}", str(value), value, covers)


def _canary(spec: Canary, _files: Files) -> Iterator[Atom]:
    yield from (Atom("canary", value, value) for value in spec.values)


def _call(pattern: ToolPattern) -> tuple[str, frozenset[tuple[str, str]]]:
    return fold(pattern.name), frozenset((pattern.arguments or {}).items())


def _forbids_call(new: tuple[str, frozenset[Any]], old: tuple[str, frozenset[Any]]) -> bool:
    """The fewer patterns for arguments, the more calls are meant."""
    return new[0] == old[0] and new[1] <= old[1]


def _requires_call(new: tuple[str, frozenset[Any]], old: tuple[str, frozenset[Any]]) -> bool:
    return _forbids_call(old, new)


def _subset(new: frozenset[str], old: frozenset[str]) -> bool:
    return new <= old


def _tool_calls(spec: ToolCalls, _files: Files) -> Iterator[Atom]:
    for key, patterns, covers in (
        ("forbidden", spec.forbidden, _forbids_call), ("required", spec.required, _requires_call),
    ):  # fmt: skip
        for pattern in patterns or ():
            text = f"{pattern.name}({shown(pattern.arguments) if pattern.arguments else ''})"
            yield Atom(f"tool_calls.{key}", text, _call(pattern), covers)
    if spec.only is not None:
        names = ", ".join(spec.only) or "no tool"
        yield Atom("tool_calls.only", names, frozenset(map(fold, spec.only)), _subset)


def _state(spec: StateAt, _files: Files) -> Iterator[Atom]:
    yield Atom("state", f"{spec.path} = {shown(spec.equals)}", (spec.path, fingerprint(spec.equals)))


def _flag(check: str) -> Callable[[bool, Files], Iterator[Atom]]:
    def atoms(value: bool, _files: Files) -> Iterator[Atom]:
        yield Atom(check, shown(value), value)

    return atoms


def _latency(seconds: float, _files: Files) -> Iterator[Atom]:
    yield Atom("latency", f"{shown(seconds)} s", seconds, _most)


#: One row for each kind of check.
ATOMS: Mapping[str, Callable[[Any, Files], Iterator[Atom]]] = MappingProxyType(
    {
        "contains": _contains,
        "not_contains": _not_contains,
        "regex": _regex,
        "not_regex": _not_regex,
        "equals": _equals,
        "json_schema": _json_schema,
        "length": _length,
        "canary": _canary,
        "tool_calls": _tool_calls,
        "state": _state,
        "refusal": _flag("refusal"),
        "no_raw_output": _flag("no_raw_output"),
        "latency": _latency,
    }
)


def atoms(checks: Checks, files: Files) -> tuple[Atom, ...]:
    """Every demand of some checks. `files`: texts by the names in the checks. An unknown kind is a KeyError."""
    return tuple(atom for kind, _, spec in settings(checks) for atom in ATOMS[kind](spec, files))
