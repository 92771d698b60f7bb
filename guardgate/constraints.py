"""The rules of a bot, for the gate and for the bot itself: both read the same file through this loader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from guardgate import salvage
from guardgate.criteria import known
from guardgate.errors import Invalid, Problem, Step, did_you_mean
from guardgate.explain import validated
from guardgate.model.constraints import ConstraintsFile, Criterion, Rule
from guardgate.source import Document, place, read, read_text

__all__ = ["Constraints", "load"]

MARKS = ("rules", "criteria")


@dataclass(frozen=True, slots=True)
class Constraints:
    """A constraints file that was read: `rules` in order, `criteria` by name, `persona` as written there."""

    file: str
    rules: tuple[Rule, ...]
    criteria: Mapping[str, Criterion]
    persona: str | None
    sha256: str
    lines: Mapping[tuple[Step, ...], int] = field(default_factory=dict)

    def rule(self, rule_id: str) -> Rule:
        """The rule with this id. Raises KeyError with the nearest id."""
        for rule in self.rules:
            if rule.id == rule_id:
                return rule
        raise KeyError(f"no rule {rule_id!r}; {did_you_mean(rule_id, [rule.id for rule in self.rules])}")


def load(path: str | Path) -> Constraints:
    """The constraints in a file. Raises `Invalid` with every problem of the file."""
    document = read(Path(path), str(path), MARKS)
    result = document if isinstance(document, list) else parsed(document)
    if isinstance(result, Constraints):
        return result
    raise Invalid(place(result, lambda _: _text(Path(path))))


def _text(path: Path) -> str | None:
    text = read_text(path)
    return text if type(text) is str else None


def parsed(document: Document) -> Constraints | list[Problem]:
    """The constraints in a document, or its problems."""
    found = readable(document)
    return list(found.problems) or found.constraints


@dataclass(frozen=True, slots=True)
class Readable:
    """What can be read of a constraints file, its problems, and the numbers of its rules in the file."""

    constraints: Constraints
    problems: tuple[Problem, ...]
    numbers: tuple[int, ...]


def readable(document: Document) -> Readable:
    """The rules that are fine by themselves: only without problems are they all of the file."""
    file = document.file
    model = validated(ConstraintsFile, document.data, file)
    problems: list[Problem] = []
    if isinstance(model, ConstraintsFile):
        numbers = tuple(range(len(model.rules)))
    else:
        problems = model
        model, numbers = salvage.constraints(document.data)
    problems += _problems(model, numbers, file)
    found = Constraints(file, model.rules, model.criteria, model.persona, document.sha256, document.lines)
    return Readable(found, tuple(problems), numbers)


def _problems(model: ConstraintsFile, numbers: tuple[int, ...], file: str) -> Iterator[Problem]:
    """What a field alone cannot know: ids are unique, soft rules have a threshold, hard ones have none."""
    first: dict[str, int] = {}
    for index, rule in zip(numbers, model.rules, strict=True):
        if rule.id in first:
            yield Problem(
                file, ("rules", index, "id"), f"the rule {rule.id!r} a second time", "each rule once",
                f"rename it, or remove one of the two (the first is rule number {first[rule.id] + 1})",
                "duplicate-rule",
            )  # fmt: skip
        first.setdefault(rule.id, index)
        yield from _threshold(rule, ("rules", index), file)
        if rule.judge is not None and not rule.judge.required_scores:
            yield Problem(
                file, ("rules", index, "judge"), "no required_scores", "at least one criterion with its floor",
                "add required_scores: {criterion: 1.0}, or remove judge", "no-scores",
            )  # fmt: skip


def _threshold(rule: Rule, path: tuple[Step, ...], file: str) -> Iterator[Problem]:
    if rule.severity == "soft" and rule.threshold is None:
        yield Problem(
            file, path, f"the soft rule {rule.id!r} without a threshold", "threshold: a share over 0, up to 1",
            "add the lowest share of attempts that must hold, such as threshold: 0.9", "no-threshold",
        )  # fmt: skip
    if rule.severity == "hard" and rule.threshold is not None:
        yield Problem(
            file, (*path, "threshold"), f"a threshold on the hard rule {rule.id!r}",
            "no threshold: it may never break", "remove the threshold, or make the rule soft", "hard-threshold",
        )  # fmt: skip


def criteria_of(rule: Rule, criteria: Mapping[str, Criterion]) -> dict[str, Any]:
    """The criteria that a rule names, with what they ask; None for those that are not defined here."""
    names = rule.judge.required_scores if rule.judge else {}
    every = known(criteria)
    return {name: every[name].model_dump(mode="json") if name in every else None for name in sorted(names)}
