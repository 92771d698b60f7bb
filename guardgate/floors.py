"""What the verdicts would be at other floors, from the scores that are stored: no call is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from guardgate.gate import Gate
from guardgate.model.suite import JudgeSettings
from guardgate.plan import Plan
from guardgate.summary import Summary, Tally

STEPS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class AtFloor:
    """The whole run with one floor changed. `now`: one of the floors that the run has."""

    criterion: str
    floor: float
    now: bool
    total: Tally
    code: int


def sweep(plan: Plan, gated: Callable[[Plan], tuple[Summary, Gate]]) -> Iterator[AtFloor]:
    """Each criterion of the plan at each floor. `gated`: what the gate says of the stored words under a plan."""
    in_use: dict[str, set[float]] = {}
    for decider in plan.deciders:
        for name, floor in decider.floors.items():
            in_use.setdefault(name, set()).add(floor)
    for name in sorted(in_use):
        for floor in sorted({*STEPS, *in_use[name]}):
            summary, found = gated(with_floor(plan, name, floor))
            yield AtFloor(name, floor, floor in in_use[name], summary.total, found.code)


def with_floor(plan: Plan, criterion: str, floor: float) -> Plan:
    """The plan with this floor wherever the criterion is asked for."""
    rules = tuple(
        replace(one, rule=one.rule.model_copy(update={"judge": _moved(one.rule.judge, criterion, floor)}))
        for one in plan.rules
    )
    cases = tuple(
        replace(one, case=one.case.model_copy(update={"judge": _moved(one.case.judge, criterion, floor)}))
        for one in plan.cases
    )
    return replace(plan, rules=rules, cases=cases)


def _moved(judge: JudgeSettings | None, criterion: str, floor: float) -> JudgeSettings | None:
    if judge is None or criterion not in judge.required_scores:
        return judge
    return judge.model_copy(update={"required_scores": {**judge.required_scores, criterion: floor}})
