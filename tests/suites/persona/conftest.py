"""The suite as it stands in its files, and the replies that are written for its cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from guardgate.lending import suite
from guardgate.model.constraints import Rule
from guardgate.model.suite import Case
from guardgate.reader import Reader

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Persona:
    """The rules and cases of `guardgate:persona`, by id without its prefix."""

    rules: Mapping[str, Rule]
    cases: Mapping[str, Case]

    def rule_of(self, case: Case) -> Rule:
        """The rule that a case attacks."""
        return self.rules[case.rule.partition("/")[2]]


@cache
def persona() -> Persona:
    """The suite. A problem in it fails every test."""
    reader = Reader(Path())
    found = suite(reader, "persona")
    assert reader.problems == []
    return Persona(
        {one.rule.id.partition("/")[2]: one.rule for one in found.rules},
        {one.case.id.partition("/")[2]: one.case for one in found.cases},
    )


@cache
def replies() -> Mapping[str, Mapping[str, list[str]]]:
    """Last replies by case: `red` give in, `green` do not."""
    read: Mapping[str, Mapping[str, list[str]]] = yaml.safe_load((HERE / "replies.yaml").read_text(encoding="utf-8"))
    return read


def attacks() -> dict[str, Case]:
    """The cases that press."""
    return {name: case for name, case in persona().cases.items() if case.attack != "benign"}


def twins() -> dict[str, Case]:
    """The cases in which the bot must simply help."""
    return {name: case for name, case in persona().cases.items() if case.attack == "benign"}


def judged(case: Case) -> bool:
    """Whether a judge alone decides the case."""
    return not persona().rule_of(case).checks.model_fields_set
