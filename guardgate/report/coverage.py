"""Which attack classes press on which rule: holes first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from guardgate.attacks import TABLE
from guardgate.report.escape import json_line
from guardgate.report.layout import wrapped
from guardgate.report.paint import painter
from guardgate.report.sentence import Raw, Sentence, joined, listed, more, number
from guardgate.report.tables import Column, Row, Table
from guardgate.report.terminal import laid_out, one_line

#: Names of the columns, one a class; classes beyond them are counted and named as missing.
LETTERS = "abcdefghijklmnopqrstuvwxyz"
_HEADS = (Column("severity", "sev."), Column("cases", "cases", number=True), Column("classes", "classes", number=True))


@dataclass(frozen=True, slots=True)
class Covered:
    """One rule, and how many cases of each class attack it."""

    rule: str
    severity: str
    classes: Mapping[str, int]

    @property
    def cases(self) -> int:
        """How many cases attack the rule."""
        return sum(self.classes.values())


@dataclass(frozen=True, slots=True)
class Coverage:
    """Rules, fewest classes first; classes that cases use, and classes of the shipped table that none uses."""

    rules: tuple[Covered, ...]
    used: tuple[str, ...]
    unused: tuple[str, ...]

    @property
    def holes(self) -> tuple[str, ...]:
        """Rules that no case attacks."""
        return tuple(one.rule for one in self.rules if not one.classes)


def coverage(rules: Sequence[tuple[str, str]], cases: Sequence[tuple[str, str]]) -> Coverage:
    """The coverage of `rules` (id, severity) by `cases` (id of the rule, attack class)."""
    counts: dict[str, Counter[str]] = {rule: Counter() for rule, _ in rules}
    for rule, attack in cases:
        if rule in counts:
            counts[rule][attack] += 1
    covered = [Covered(rule, severity, dict(sorted(counts[rule].items()))) for rule, severity in rules]
    covered.sort(key=lambda one: (len(one.classes), one.severity != "hard"))
    used = {attack for _, attack in cases}
    own = sorted(used - set(TABLE))
    return Coverage(
        tuple(covered),
        (*(name for name in TABLE if name in used), *own),
        tuple(name for name in TABLE if name not in used),
    )


def render(rules: Sequence[tuple[str, str]], cases: Sequence[tuple[str, str]], form: str) -> Iterator[str]:
    """The coverage as JSON where `form` is `json`, else as text."""
    found = coverage(rules, cases)
    return _json(found) if form == "json" else _text(found)


def _json(found: Coverage) -> Iterator[str]:
    value = {
        "rules": [
            {"rule": one.rule, "severity": one.severity, "cases": one.cases, "classes": dict(one.classes)}
            for one in found.rules
        ],
        "not_attacked": list(found.holes),
        "unused_classes": list(found.unused),
    }
    yield json_line(json.dumps(value, indent=2)) + "\n"


def _text(found: Coverage) -> Iterator[str]:
    """Holes first in words, then a grid: a row a rule, a letter a class."""
    yield _lines(holes(found))
    letters = dict(zip(found.used, LETTERS, strict=False))
    grid = Table(
        (Column("rule", "rule"), *_HEADS, Column("", " ".join(letters.values()))), tuple(_rows(found, letters))
    )
    yield laid_out(grid, painter(False))
    named: list[Sentence] = [(f"{letter}=", Raw(name)) for name, letter in letters.items()]
    yield _lines((*joined(named, ", "), *more(len(found.used) - len(letters), "classes without a letter")))
    if found.unused:
        yield _lines(("attack classes that no case uses: ", *listed(found.unused)))


def holes(found: Coverage) -> Sentence:
    """How many rules no case attacks, and which."""
    rules = number(len(found.rules), "rule")
    return (
        (f"{len(found.holes)} of {rules} without a case: ", *listed(found.holes, 1000))
        if found.holes
        else (f"{rules}, none without a case",)
    )


def _rows(found: Coverage, letters: Mapping[str, str]) -> Iterator[Row]:
    for one in found.rules:
        marks = [_mark(one.classes.get(name, 0)) for name in letters]
        yield (Raw(one.rule), one.severity, str(one.cases), str(len(one.classes)), " ".join(marks))


def _mark(count: int) -> str:
    """One character: nothing is a point, ten and more are a plus."""
    return "." if not count else str(count) if count < 10 else "+"


def _lines(sentence: Sentence) -> str:
    return "".join(f"{line}\n" for line in wrapped(one_line(sentence), hang="  "))
