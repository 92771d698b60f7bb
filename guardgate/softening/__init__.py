"""The softening guard: what became weaker between two projects. Pure: no file is read, nothing is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from guardgate.loaded import Loaded
from guardgate.softening.cases import find_cases, find_suites
from guardgate.softening.kinds import KINDS
from guardgate.softening.record import WEIGHTS, Compared, Softening
from guardgate.softening.rules import find_criteria, find_rules
from guardgate.softening.sides import Sides, sides
from guardgate.softening.systems import FIELDS

__all__ = ["KINDS", "WEIGHTS", "Compared", "Softening", "compare", "worst_first"]

#: Everything that is looked at.
LOOKS: tuple[Callable[[Sides], Iterator[Softening]], ...] = (
    find_rules,
    find_criteria,
    find_cases,
    find_suites,
    *FIELDS.values(),
)


def compare(base: Loaded, head: Loaded) -> Compared:
    """What is weaker in `head`, the worst first. Both must have been read without an error."""
    both = sides(base, head)
    found = worst_first(one for look in LOOKS for one in look(both))
    return Compared(found, _others(both, found))


def worst_first(found: Iterator[Softening]) -> tuple[Softening, ...]:
    """By weight, and then in the order of the table."""
    order = {kind: at for at, kind in enumerate(KINDS)}
    return tuple(sorted(found, key=lambda one: (WEIGHTS.index(one.weight), order[one.kind])))


def _others(both: Sides, found: tuple[Softening, ...]) -> int:
    """Rules and cases that are new, or changed without being weaker."""
    told = {(one.on, one.name) for one in found}
    rules_changed = sum(
        old.rule != new.rule and ("rule", new.rule.id) not in told for old, new in both.rules if new is not None
    )
    cases_changed = sum(
        old.sha != new.sha and ("case", new.case.id) not in told for old, new in both.cases if new is not None
    )
    matched = sum(new is not None for pairs in (both.rules, both.cases) for _, new in pairs)
    new = len(both.head.rules) + len(both.head.cases) - matched
    return rules_changed + cases_changed + new
