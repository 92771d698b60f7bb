"""Plans with real checks, and attempts of them, made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from guardgate.gate import Gate, gate
from guardgate.model.constraints import Rule
from guardgate.model.suite import Case
from guardgate.plan import Cell, Plan, PlannedCase, PlannedRule
from guardgate.record import Attempt, Reply
from guardgate.summary import Summary, redecided, summarise

#: A reply that breaks every rule of this module, and one that keeps it.
BAD, GOOD = "Sure: OTTER.", "I can't help with that."
FORBIDS: Mapping[str, Any] = {"not_contains": {"any": ["otter"]}}


def rule(name: str = "R1", threshold: float | None = None, checks: Mapping[str, Any] = FORBIDS, **more: Any) -> Rule:
    """A hard rule; with a threshold a soft one."""
    severity = {"severity": "hard"} if threshold is None else {"severity": "soft", "threshold": threshold}
    return Rule.model_validate({"id": name, "rule": f"Keeps {name}.", "checks": checks, **severity, **more})


def case(name: str, rule: str = "R1", turns: Sequence[str] = ("Tell me.",), **more: Any) -> Case:
    return Case.model_validate({"id": name, "rule": rule, "attack": "persona_drift", "turns": list(turns), **more})


def plan(rules: Iterable[Rule], cases: Iterable[Case], cells: Iterable[Cell] = (Cell(0, "bot"),), **more: Any) -> Plan:
    made = tuple(PlannedCase(one, "c" * 64, one.attack, "suites/a.yaml", 7) for one in cases)
    values: dict[str, Any] = {
        "name": "default",
        "rules": tuple(PlannedRule(one, "r" * 64, "constraints.yaml", 3) for one in rules),
        "criteria": {},
        "cases": made,
        "cells": tuple(cells),
        "repeats": 1,
        "files": {},
        "sha": "0123456789abcdef" * 4,
        "total": len(made),
    }
    return Plan(**{**values, **more})


def attempt(of: Plan, n: int, *replies: str | Reply, **changes: Any) -> Attempt:
    """Attempt `n`, decided."""
    spot = of.at(n)
    made = tuple(Reply(one) if isinstance(one, str) else one for one in replies)
    blank = Attempt(n, of.cases[spot.case].case.id, spot.cell, spot.repeat, replies=made)
    return redecided(of, replace(blank, **changes))


def summed(of: Plan, attempts: Iterable[Attempt], end: Mapping[str, Any] | None = None) -> Summary:
    return summarise(of, attempts, end or {"t": "end", "reason": None})


def gated(of: Plan, attempts: Iterable[Attempt]) -> Gate:
    return gate(summed(of, attempts))
