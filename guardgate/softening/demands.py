"""What checks and judges demand, in a rule as in a case: what of the base is not demanded by the head any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.checks.base import Files
from guardgate.decider import merged_threshold
from guardgate.loaded import Loaded
from guardgate.model.suite import JudgeSettings
from guardgate.plan import PlannedCase, PlannedRule
from guardgate.softening.atoms import Atom, atoms
from guardgate.softening.record import Change
from guardgate.softening.values import shown

Planned = PlannedRule | PlannedCase


def demands(planned: Planned, loaded: Loaded) -> tuple[Atom, ...]:
    """The demands of the checks of a rule or a case."""
    checks = planned.rule.checks if isinstance(planned, PlannedRule) else planned.case.checks
    return atoms(checks, _texts(planned, loaded))


def _texts(planned: Planned, loaded: Loaded) -> Files:
    return {name: loaded.files[key] for name, key in planned.files.items() if key in loaded.files}


def missing(base: tuple[Atom, ...], head: tuple[Atom, ...]) -> Iterator[Change]:
    """Demands of the base that no demand of the head covers, with the one that took the place where it is clear."""
    lost = [one for one in base if not any(one.covered(by) for by in head)]
    before = {(one.check, one.text) for one in base}
    for one in lost:
        fresh = [by.text for by in head if by.check == one.check and (by.check, by.text) not in before]
        alone = sum(other.check == one.check for other in lost) == 1
        instead = fresh[0] if alone and len(fresh) == 1 else ""
        yield Change(f"check-{one.kind}", one.check, shown(one.text), shown(instead))


def lowered(base: Mapping[str, float], head: Mapping[str, float]) -> Iterator[Change]:
    """Floors that are lower, or gone."""
    for name, floor in base.items():
        if name not in head:
            yield Change("score-dropped", name, shown(floor))
        elif head[name] < floor:
            yield Change("floor-lowered", name, shown(floor), shown(head[name]))


def mean(base: JudgeSettings | None, rule: JudgeSettings | None, case: JudgeSettings | None) -> Iterator[Change]:
    """A mean that has to reach less. `base`: what the rule or the case itself said."""
    old, new = merged_threshold(base, None), merged_threshold(rule, case)
    if old is not None and (new is None or new < old):
        yield Change("mean-lowered", "pass_threshold", shown(old), shown(new))


def widened(threshold: float | None, base: Mapping[str, float], head: Mapping[str, float]) -> Iterator[Change]:
    """Criteria that are new in a mean that was demanded: easy ones lift it."""
    if threshold is not None and set(head) - set(base):
        yield Change("mean-widened", "required_scores", ", ".join(base), ", ".join(head))
