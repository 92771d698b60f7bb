"""Which rule of the base is which one of the head, and which case: by id, and where that is gone by content."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from guardgate.loaded import Loaded
from guardgate.plan import PlannedCase, PlannedRule
from guardgate.softening.record import Weight
from guardgate.source import fingerprint, sha256

T = TypeVar("T", PlannedRule, PlannedCase)
RulePair = tuple[PlannedRule, PlannedRule | None]
CasePair = tuple[PlannedCase, PlannedCase | None]


@dataclass(frozen=True, slots=True)
class Sides:
    """Two projects, with what belongs together; None in a pair: it is gone.

    `base_rules`, `head_rules`: by id. `rule_ids`, `case_ids`: of the base, with the id in the head.
    """

    base: Loaded
    head: Loaded
    rules: tuple[RulePair, ...]
    cases: tuple[CasePair, ...]
    base_rules: Mapping[str, PlannedRule]
    head_rules: Mapping[str, PlannedRule]
    rule_ids: Mapping[str, str]
    case_ids: Mapping[str, str]

    def weight(self, rule_id: str) -> Weight:
        """How grave it is that something on this rule of the base is weaker. A rule that is not there may be hard."""
        both = (self.base_rules.get(rule_id), self.head_rules.get(self.rule_ids.get(rule_id, "")))
        known = [one.rule.severity for one in both if one is not None]
        return "hard" if "hard" in known or not known else "other"


def sides(base: Loaded, head: Loaded) -> Sides:
    """Base and head, matched."""
    rules = tuple(_matched(base.rules, head.rules, lambda one: one.rule.id, lambda one: one.sha, lambda one: one.sha))
    rule_ids = {before.rule.id: after.rule.id for before, after in rules if after is not None}
    cases = tuple(
        _matched(
            base.cases, head.cases, lambda one: one.case.id,
            lambda one: _content(one, base, rule_ids), lambda one: _content(one, head, {}),
        )
    )  # fmt: skip
    return Sides(
        base=base,
        head=head,
        rules=rules,
        cases=cases,
        base_rules={one.rule.id: one for one in base.rules},
        head_rules={one.rule.id: one for one in head.rules},
        rule_ids=rule_ids,
        case_ids={before.case.id: after.case.id for before, after in cases if after is not None},
    )


def _matched(
    base: Iterable[T], head: Iterable[T], name: Callable[[T], str], before: Callable[[T], Hashable],
    after: Callable[[T], Hashable],
) -> list[tuple[T, T | None]]:  # fmt: skip
    """Each of the base with its own one of the head; no one of the head stands for two."""
    named: dict[str, deque[T]] = defaultdict(deque)
    for one in head:
        named[name(one)].append(one)
    found = [(one, named[name(one)].popleft() if named[name(one)] else None) for one in base]
    if all(one is not None for _, one in found):
        return found
    left: dict[Hashable, deque[T]] = defaultdict(deque)
    for waiting in named.values():
        for one in waiting:
            left[after(one)].append(one)
    return [
        (old, new if new is not None or not left[before(old)] else left[before(old)].popleft()) for old, new in found
    ]


def _content(planned: PlannedCase, loaded: Loaded, rule_ids: Mapping[str, str]) -> str:
    """What identifies a case by all that it does: not its id, its labels and notes, nor the names of its files."""
    case = planned.case
    return fingerprint(
        {
            "case": case.model_dump(mode="json", exclude={"id", "note", "tags", "agent", "document", "attack", "rule"}),
            "attack": planned.attack,
            "rule": rule_ids.get(case.rule, case.rule),
            "files": {what: content(planned, getattr(case, what), loaded) for what in ("agent", "document")},
            "others": sorted(content(planned, name, loaded) or "" for name in planned.files),
        }
    )


def content(planned: PlannedCase, name: str | None, loaded: Loaded) -> str | None:
    """The hash of a file that a case names; of its name where it could not be read."""
    if name is None:
        return None
    text = loaded.files.get(planned.files.get(name, ""))
    return fingerprint(name) if text is None else sha256(text)
