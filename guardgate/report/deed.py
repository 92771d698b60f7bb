"""An attempt in the few facts that reports for programs share: what decided it, where, by which words, and why."""

from __future__ import annotations

from dataclasses import dataclass

from guardgate.plan import Plan
from guardgate.record import Attempt, Finding
from guardgate.report.about import About

_UNTOLD = Finding("guardgate", "broke", None, None, "no finding was recorded")


@dataclass(frozen=True, slots=True)
class Deed:
    """One attempt. `file` and `line`: of its case, seen from the repository. `finding`: what decided it."""

    attempt: Attempt
    rule: str
    severity: str
    statement: str
    attack: str
    file: str
    line: int
    cell: str
    finding: Finding

    @property
    def name(self) -> str:
        """The case, and the cell and repeat where there are several: the same in every run of this plan."""
        repeat = f" #{self.attempt.repeat + 1}" if self.attempt.repeat else ""
        return f"{self.attempt.case}{f' [{self.cell}]' if self.cell else ''}{repeat}"


def deed(plan: Plan, attempt: Attempt, about: About) -> Deed:
    """The facts of an attempt. `cell` is empty where the plan has only one."""
    spot = plan.at(attempt.n)
    case = plan.cases[spot.case]
    rule = plan.rule_index[case.case.rule].rule
    return Deed(
        attempt, rule.id, rule.severity, rule.rule, case.attack, f"{about.folder}{case.file}", max(1, case.line),
        plan.cells[spot.cell].name if len(plan.cells) > 1 else "",
        next((one for one in attempt.findings if one.outcome == attempt.verdict), _UNTOLD),
    )  # fmt: skip
