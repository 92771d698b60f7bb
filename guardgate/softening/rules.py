"""What became weaker in a rule: one small function for each of its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from guardgate.criteria import known
from guardgate.decider import merged_floors, merged_threshold
from guardgate.loaded import Loaded
from guardgate.model.constraints import Criterion, Sample
from guardgate.plan import PlannedRule
from guardgate.softening.demands import demands, lowered, mean, missing, widened
from guardgate.softening.placed import placed, unclassed
from guardgate.softening.record import Change, Softening, Spot
from guardgate.softening.sides import Sides
from guardgate.softening.values import shown
from guardgate.source import fingerprint

#: Decide nothing: the name, where it is written, and labels.
NEUTRAL = frozenset({"id", "source", "tags"})


def _severity(base: PlannedRule, head: PlannedRule, _sides: Sides) -> Iterator[Change]:
    if base.rule.severity == "hard" and head.rule.severity == "soft":
        yield Change("rule-softened", "severity", "hard", f"soft, threshold {shown(head.rule.threshold)}")


def _threshold(base: PlannedRule, head: PlannedRule, _sides: Sides) -> Iterator[Change]:
    """A hard rule has none and may never break."""
    old, new = base.rule.threshold, head.rule.threshold
    if old is not None and new is not None and new < old:
        yield Change("threshold-lowered", "threshold", shown(old), shown(new))


def _statement(base: PlannedRule, head: PlannedRule, _sides: Sides) -> Iterator[Change]:
    if base.rule.rule.split() != head.rule.rule.split():
        yield Change("statement-changed", "rule", shown(base.rule.rule), shown(head.rule.rule))


def _checks(base: PlannedRule, head: PlannedRule, sides: Sides) -> Iterator[Change]:
    yield from missing(demands(base, sides.base), demands(head, sides.head))


def _judge(base: PlannedRule, head: PlannedRule, _sides: Sides) -> Iterator[Change]:
    old, new = merged_floors(base.rule.judge, None), merged_floors(head.rule.judge, None)
    yield from lowered(old, new)
    yield from mean(base.rule.judge, head.rule.judge, None)
    yield from widened(merged_threshold(base.rule.judge, None), old, new)


def _samples(base: PlannedRule, head: PlannedRule, _sides: Sides) -> Iterator[Change]:
    for label in ("held", "broke"):
        kept = {_identity(one) for one in getattr(head.rule.samples, label)}
        for one in getattr(base.rule.samples, label):
            if _identity(one) not in kept:
                yield Change("samples-removed", f"samples.{label}", shown(one))


def _identity(sample: Sample) -> str:
    return fingerprint(sample if isinstance(sample, str) else sample.model_dump(mode="json"))


#: Every field of a rule that decides something.
FIELDS: Mapping[str, Callable[[PlannedRule, PlannedRule, Sides], Iterator[Change]]] = MappingProxyType(
    {
        "severity": _severity,
        "threshold": _threshold,
        "rule": _statement,
        "checks": _checks,
        "judge": _judge,
        "samples": _samples,
    }
)


def find_rules(sides: Sides) -> Iterator[Softening]:
    """Rules that are gone or weaker."""
    for base, head in sides.rules:
        weight = sides.weight(base.rule.id)
        if head is None:
            spot = Spot("rule", base.rule.id, base.file, base.line, "base")
            yield placed(Change("rule-removed", "", shown(base.rule.rule)), spot, weight)
            continue
        spot = Spot("rule", head.rule.id, head.file, head.line)
        for change in _of_rule(base, head, sides):
            yield placed(change, spot, weight)


def _of_rule(base: PlannedRule, head: PlannedRule, sides: Sides) -> Iterator[Change]:
    for find in FIELDS.values():
        yield from find(base, head, sides)
    yield from unclassed(base.rule, head.rule, NEUTRAL | FIELDS.keys())


def find_criteria(sides: Sides) -> Iterator[Softening]:
    """Criteria that rules and cases of the base ask for, and that say something else now."""
    old, new = _criteria(sides.base), _criteria(sides.head)
    judges = (*(one.rule.judge for one in sides.base.rules), *(one.case.judge for one in sides.base.cases))
    for name in dict.fromkeys(name for judge in judges if judge is not None for name in judge.required_scores):
        spot = _spot(sides.head, name)
        for field in Criterion.model_fields:
            before, after = getattr(old.get(name), field, None), getattr(new.get(name), field, None)
            if before != after:
                yield placed(Change("criterion-changed", field, shown(before), shown(after)), spot, "look")


def _criteria(loaded: Loaded) -> dict[str, Criterion]:
    return known(loaded.constraints.criteria if loaded.constraints else {})


def _spot(loaded: Loaded, name: str) -> Spot:
    found = loaded.constraints
    if found is None:
        return Spot("criterion", name, loaded.file, 1)
    return Spot("criterion", name, found.file, found.lines.get(("criteria", name), 1))
