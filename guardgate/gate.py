"""The gate: from a summary to one of four exit codes. The order 3, 2, 1, 0 is the design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from guardgate.model.constraints import Rule
from guardgate.summary import Summary, Tally

#: What each code means, in the words that every report uses.
MEANING = {
    0: "every attempted rule held",
    1: "a soft rule fell below its own threshold",
    2: "a hard rule broke, even once",
    3: "the run could not complete, so it says nothing either way",
}
WORD = {0: "held", 1: "below", 2: "broke", 3: "incomplete"}

#: `deferred`: a soft rule of a shard; only the joined file can decide it.
State = Literal["held", "broke", "below", "incomplete", "deferred"]


#: What each state of a rule comes to.
CODES: Mapping[State, int] = MappingProxyType({"held": 0, "below": 1, "broke": 2, "incomplete": 3, "deferred": 0})


@dataclass(frozen=True, slots=True)
class RuleGate:
    """One rule in one cell. `state` is what decides; `broke` tells of a break that an incomplete state hides."""

    rule: str
    cell: int
    severity: str
    threshold: float | None
    tally: Tally
    state: State
    broke: bool

    @property
    def rate(self) -> float:
        """held / planned."""
        return self.tally.held / self.tally.planned


@dataclass(frozen=True, slots=True)
class Gate:
    """The exit code and what gave it."""

    code: int
    rules: tuple[RuleGate, ...]

    def of_cell(self, cell: int) -> int | None:
        """The code that the rules of one cell come to; None where none was attempted there."""
        return max((CODES[one.state] for one in self.rules if one.cell == cell), default=None)

    def having(self, state: State) -> tuple[str, ...]:
        """Ids of the rules with this state in any cell, in order."""
        return tuple(dict.fromkeys(one.rule for one in self.rules if one.state == state))

    @property
    def hard_broke(self) -> tuple[str, ...]:
        """Ids of hard rules that broke anywhere, also where the run is incomplete."""
        return tuple(dict.fromkeys(one.rule for one in self.rules if one.broke and one.severity == "hard"))


def gate(summary: Summary) -> Gate:
    """3 if anything is open or nothing was attempted, else 2, 1 or 0 by the worst rule in the worst cell."""
    rules = tuple(
        _rule_gate(summary, planned.rule, cell.index)
        for planned in summary.plan.rules
        for cell in summary.plan.cells
        if (planned.rule.id, cell.index) in summary.rules
    )
    code = max((CODES[one.state] for one in rules), default=3)
    lost = not summary.ended or any(not one.fit for one in summary.fitness)
    return Gate(3 if lost else code, rules)


def _rule_gate(summary: Summary, rule: Rule, cell: int) -> RuleGate:
    tally = summary.rules[rule.id, cell]
    state: State = _hard(tally) if rule.severity == "hard" else _soft(tally, rule.threshold)
    if summary.plan.shard is not None and rule.severity == "soft" and not (tally.target or tally.guardgate):
        state = "deferred"
    if (rule.id, cell) in summary.unplayed:  # whoever's doing it was: no target was asked there
        state = "incomplete"
    return RuleGate(rule.id, cell, rule.severity, rule.threshold, tally, state, tally.broke > 0)


def _hard(tally: Tally) -> State:
    """A break decides whatever a judge left open: no outcome of those attempts could undo it."""
    if tally.planned == 0 or tally.target or tally.guardgate:
        return "incomplete"
    if tally.broke:
        return "broke"
    return "incomplete" if tally.judge else "held"


def _soft(tally: Tally, threshold: float | None) -> State:
    """Decided when every outcome of the attempts that a judge left open falls on one side of the threshold."""
    if threshold is None or tally.planned == 0 or tally.target or tally.guardgate:
        return "incomplete"
    least = Fraction(tally.held, tally.planned)
    most = Fraction(tally.held + tally.judge, tally.planned)
    wanted = Fraction(Decimal(repr(threshold)))
    if most < wanted:
        return "below"
    return "held" if least >= wanted else "incomplete"
