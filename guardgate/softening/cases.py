"""What became weaker in the attacks: one small function for each field of a case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from guardgate.decider import merged_floors, merged_threshold
from guardgate.model.suite import JudgeSettings
from guardgate.plan import PlannedCase
from guardgate.softening.demands import demands, lowered, mean, missing, widened
from guardgate.softening.placed import placed, unclassed
from guardgate.softening.record import Change, Softening, Spot
from guardgate.softening.sides import Sides, content
from guardgate.softening.values import shown

#: Decide nothing: the name, labels and a note for the reader.
NEUTRAL = frozenset({"id", "tags", "note"})
Find = Callable[[PlannedCase, PlannedCase, Sides], Iterator[Change]]


def _attack(base: PlannedCase, head: PlannedCase, _sides: Sides) -> Iterator[Change]:
    """Two names of one class are the same."""
    if base.attack != head.attack:
        yield Change("case-changed", "attack", base.attack, head.attack)


def _rule(base: PlannedCase, head: PlannedCase, sides: Sides) -> Iterator[Change]:
    old, new = base.case.rule, head.case.rule
    if sides.rule_ids.get(old, old) == new:
        return
    after = sides.head_rules.get(new)
    softer = sides.weight(old) == "hard" and (after is None or after.rule.severity == "soft")
    yield Change("case-moved", "rule", old, new, "hard" if softer else None)


def _turns(base: PlannedCase, head: PlannedCase, _sides: Sides) -> Iterator[Change]:
    old, new = base.case.turns, head.case.turns
    if len(new) < len(old):
        yield Change("case-shortened", "turns", f"{len(old)}", f"{len(new)}")
    changed = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    if changed is not None:
        yield Change("case-changed", f"turn {changed + 1}", shown(old[changed]), shown(new[changed]))
    elif len(new) > len(old):
        yield Change("case-changed", f"turn {len(old) + 1}", "", shown(new[len(old)]))


def _file(what: str) -> Find:
    """A file by what stands in it: it may be called otherwise."""

    def find(base: PlannedCase, head: PlannedCase, sides: Sides) -> Iterator[Change]:
        old, new = getattr(base.case, what), getattr(head.case, what)
        before, after = content(base, old, sides.base), content(head, new, sides.head)
        if before != after:
            yield Change("case-changed", what, _named(old, before), _named(new, after))

    return find


def _named(name: str | None, sha: str | None) -> str:
    return "" if name is None else f"{shown(name)} (SHA-256 {(sha or '')[:12]})"


def _field(what: str) -> Find:
    """What the target or the judge is told: nobody but a person knows whether it asks less."""

    def find(base: PlannedCase, head: PlannedCase, _sides: Sides) -> Iterator[Change]:
        old, new = getattr(base.case, what), getattr(head.case, what)
        if old != new:
            yield Change("case-changed", what, shown(old), shown(new))

    return find


def _twin(base: PlannedCase, head: PlannedCase, sides: Sides) -> Iterator[Change]:
    old, new = base.case.twin_of, head.case.twin_of
    if (sides.case_ids.get(old, old) if old is not None else None) != new:
        yield Change("case-changed", "twin_of", shown(old), shown(new))


def _transform(base: PlannedCase, head: PlannedCase, _sides: Sides) -> Iterator[Change]:
    if base.case.transform and not head.case.transform:
        yield Change("case-plain", "transform", "true", "false")


def _checks(base: PlannedCase, head: PlannedCase, sides: Sides) -> Iterator[Change]:
    """What the rule demands now, the case need not."""
    rule = sides.head_rules.get(head.case.rule)
    also = demands(rule, sides.head) if rule is not None else ()
    yield from missing(demands(base, sides.base), (*demands(head, sides.head), *also))


def _judge(base: PlannedCase, head: PlannedCase, sides: Sides) -> Iterator[Change]:
    old, new = _settings(sides, base, "base"), _settings(sides, head, "head")
    wanted = merged_floors(None, base.case.judge)
    floors = merged_floors(new, head.case.judge)
    yield from lowered(wanted, floors)
    yield from mean(base.case.judge, new, head.case.judge)
    if base.case.judge is not None or head.case.judge is not None:
        before = merged_floors(old, base.case.judge)
        own = {*merged_floors(None, head.case.judge)} - {*before}
        if own or (base.case.judge is not None and base.case.judge.pass_threshold is not None):
            yield from widened(merged_threshold(old, base.case.judge), before, floors)


def _settings(sides: Sides, planned: PlannedCase, side: str) -> JudgeSettings | None:
    rules = sides.base_rules if side == "base" else sides.head_rules
    found = rules.get(planned.case.rule)
    return found.rule.judge if found is not None else None


#: Every field of a case that decides something.
FIELDS: Mapping[str, Find] = MappingProxyType(
    {
        "attack": _attack,
        "rule": _rule,
        "turns": _turns,
        "agent": _file("agent"),
        "task": _field("task"),
        "document": _file("document"),
        "marker": _field("marker"),
        "expected": _field("expected"),
        "wants": _field("wants"),
        "twin_of": _twin,
        "checks": _checks,
        "judge": _judge,
        "transform": _transform,
    }
)


def find_cases(sides: Sides) -> Iterator[Softening]:
    """Attacks that are gone or do less."""
    for base, head in sides.cases:
        weight = sides.weight(base.case.rule)
        if head is None:
            spot = Spot("case", base.case.id, base.file, base.line, "base")
            yield placed(Change("case-deleted", "rule", base.case.rule), spot, weight)
            continue
        spot = Spot("case", head.case.id, head.file, head.line)
        for change in _of_case(base, head, sides):
            yield placed(change, spot, weight)


def _of_case(base: PlannedCase, head: PlannedCase, sides: Sides) -> Iterator[Change]:
    whole = base.case.judge is not None and base.case.judge.pass_threshold is not None
    same = base.sha == head.sha and base.attack == head.attack
    if same and sides.rule_ids.get(base.case.rule, base.case.rule) == head.case.rule and not whole:
        return
    for find in FIELDS.values():
        yield from find(base, head, sides)
    yield from unclassed(base.case, head.case, NEUTRAL | FIELDS.keys())


def find_suites(sides: Sides) -> Iterator[Softening]:
    """Suite files of which no case is read any more, though some of their cases are gone."""
    left = {one.file for one in sides.head.cases}
    gone = dict.fromkeys(old.file for old, new in sides.cases if new is None and old.file not in left)
    for file in gone:
        count = sum(new is None for old, new in sides.cases if old.file == file)
        yield placed(Change("suite-dropped", "cases", str(count)), Spot("suite", file, file, 1, "base"))
