"""What a plan uses of the judged half: criteria with their floors, and the rules that it attacks."""

from __future__ import annotations

from guardgate.fitness import whole
from guardgate.plan import Plan


def floors_in_use(plan: Plan) -> dict[str, float]:
    """Each criterion that a case of the plan asks for, with its highest floor."""
    floors: dict[str, float] = {}
    for decider in plan.deciders:
        for name, floor in decider.floors.items():
            floors[name] = max(floor, floors.get(name, 0.0))
    return floors


def in_use(plan: Plan) -> frozenset[str]:
    """All that a label may speak of for this plan: a judge is blind only to what the run asks it about."""
    return frozenset(floors_in_use(plan)) | {whole(one.case.rule) for one in plan.cases}
