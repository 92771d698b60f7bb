"""How a rule and a case join: checks add up, and per criterion the higher floor counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from guardgate.checks import parts, settings
from guardgate.checks.base import Files, Forbids, Hit, Open, Part, Requires
from guardgate.checks.tool_calls import expects_call
from guardgate.judging.vote import Bar
from guardgate.model.checks import Checks, ToolCalls
from guardgate.model.constraints import Criterion, Rule
from guardgate.model.suite import Case, JudgeSettings
from guardgate.record import Reply


@dataclass(frozen=True, slots=True)
class Decider:
    """Everything that decides one case: parts of its checks, floors of its criteria, length of its talk."""

    forbids: tuple[Forbids, ...]
    requires: tuple[Requires, ...]
    floors: Mapping[str, float]
    pass_threshold: float | None
    turns: int
    calls: tuple[ToolCalls, ...] = ()
    criteria: Mapping[str, Criterion] = field(default_factory=dict)
    document: bool = False

    @property
    def can_decide(self) -> bool:
        """At least one check or criterion."""
        return bool(self.forbids or self.requires or self.floors)

    @property
    def bar(self) -> Bar:
        """What a judge's scores are held against."""
        return Bar(self.floors, self.criteria, self.pass_threshold)

    def may_be_silent(self, reply: Reply) -> bool:
        """Whether the reply made a call that the case requires, so that it needs no words."""
        return any(expects_call(spec, reply.tools) for spec in self.calls)


def merged_floors(rule: JudgeSettings | None, case: JudgeSettings | None) -> dict[str, float]:
    """Per criterion the higher floor."""
    floors = dict(rule.required_scores) if rule else {}
    for name, floor in (case.required_scores if case else {}).items():
        floors[name] = max(floor, floors.get(name, 0.0))
    return floors


def merged_threshold(rule: JudgeSettings | None, case: JudgeSettings | None) -> float | None:
    """The higher of the two thresholds for the mean."""
    set_ones = [one.pass_threshold for one in (rule, case) if one and one.pass_threshold is not None]
    return max(set_ones, default=None)


def turns_of(case: Case) -> tuple[str, ...]:
    """What the user says: a document case begins with its task."""
    return (case.task, *case.turns) if case.task is not None else case.turns


def decider(
    rule: Rule, case: Case, rule_files: Files, case_files: Files, criteria: Mapping[str, Criterion] | None = None
) -> Decider:
    """Rule and case as one decider. Raises ValueError or KeyError for what `check` refuses."""
    of_rule, of_case = [*parts(rule.checks, rule_files)], [*parts(case.checks, case_files)]
    if rule.checks != Checks() or rule.judge is not None:
        of_case = [*map(_besides, of_case)]
    both = [*of_rule, *of_case]
    floors = merged_floors(rule.judge, case.judge)
    return Decider(
        forbids=tuple(part for part in both if isinstance(part, Forbids)),
        requires=tuple(part for part in both if isinstance(part, Requires)),
        floors=floors,
        pass_threshold=merged_threshold(rule.judge, case.judge),
        turns=len(turns_of(case)),
        calls=tuple(_tool_settings(rule.checks, case.checks)),
        criteria={name: (criteria or {})[name] for name in floors},
        document=case.document is not None,
    )


def _besides(part: Part) -> Part:
    """A check of the case beside those of its rule: a break says so, since the promise of the rule may be kept."""
    if isinstance(part, Forbids):
        return Forbids(part.name, lambda seen: _worded(FORBIDDEN, part.look(seen)))
    return Requires(part.name, lambda seen: _worded(MISSING, part.look(seen)))


#: How the reason of a break begins, where the check is the case's own.
FORBIDDEN = "what the case forbids besides its rule came: "
MISSING = "what the case asks for besides its rule is missing: "


def _worded(how: str, result: Hit | Open | None) -> Hit | Open | None:
    return Hit(result.words, how + result.why) if isinstance(result, Hit) else result


def _tool_settings(*both: Checks) -> list[ToolCalls]:
    return [spec for checks in both for kind, _, spec in settings(checks) if kind == "tool_calls"]
