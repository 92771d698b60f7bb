"""What the attempts of a page share, as data: rules, cases, cells, criteria and documents, each said once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from guardgate.decider import turns_of
from guardgate.normalize import visible
from guardgate.plan import Plan, PlannedCase
from guardgate.report.about import About

#: Characters of a document and of a turn of a case, where there are few; all of them together; and at least.
DOCUMENT, TURN = 3_000, 6_000
DOCUMENTS, TURNS = 300_000, 500_000
LEAST = 200


@dataclass(frozen=True, slots=True)
class Review:
    """Whose marks a page takes. `file`: where they go; `by`: the name that its forms begin with."""

    file: str
    by: str = ""


def plan_data(plan: Plan, about: About, review: Review | None) -> dict[str, Any]:
    """Everything but the attempts, every text made visible."""
    used = {name for one in plan.deciders for name in one.floors}
    documents = [key for key in dict.fromkeys(map(_document, plan.cases)) if key is not None]
    of_document = _share(DOCUMENT, DOCUMENTS, len(documents), review)
    of_turn = _share(TURN, TURNS, sum(len(turns_of(one.case)) for one in plan.cases), review)
    data: dict[str, Any] = {
        "results": visible(about.results),
        "repeats": plan.repeats,
        "cells": [visible(cell.name) for cell in plan.cells],
        "rules": {
            visible(one.rule.id): {"severity": one.rule.severity, "text": visible(one.rule.rule)} for one in plan.rules
        },
        "criteria": {visible(name): visible(plan.criteria[name].ask) for name in sorted(used) if name in plan.criteria},
        "cases": [_case(plan, at, one, of_turn) for at, one in enumerate(plan.cases)],
        "documents": {visible(key): visible(plan.files[key], of_document) for key in documents},
    }
    return data if review is None else {**data, "review": {"file": visible(review.file), "by": visible(review.by)}}


def _share(most: int, together: int, count: int, review: Review | None) -> int | None:
    """How long each of so many texts may be; None: as long as it is."""
    return None if review is not None else min(most, max(LEAST, together // max(1, count)))


def _document(one: PlannedCase) -> str | None:
    return None if one.case.document is None else one.files.get(one.case.document)


def _case(plan: Plan, at: int, one: PlannedCase, of_turn: int | None) -> dict[str, Any]:
    found = {
        "id": visible(one.case.id),
        "rule": visible(one.case.rule),
        "attack": visible(one.attack),
        "place": visible(f"{one.file}:{one.line}"),
        "turns": [visible(turn, of_turn) for turn in turns_of(one.case)],
        "wants": visible(one.case.wants or ""),
        "agent": visible(one.case.agent or ""),
        "document": visible(_document(one) or ""),
        "floors": {visible(name): floor for name, floor in plan.deciders[at].floors.items()},
    }
    return {key: value for key, value in found.items() if value not in ("", {})}
