"""Which attack classes press on which rule."""

from __future__ import annotations

from guardgate.plan import Plan
from guardgate.report.content import Lines
from guardgate.report.coverage import Covered, coverage, holes
from guardgate.report.html.blocks import laid_out
from guardgate.report.sentence import Raw, Sentence, listed
from guardgate.report.tables import Column, Row, Table

_HEADS = (Column("rule", "rule"), Column("severity", "sev."), Column("cases", "cases", number=True),
          Column("classes", "classes", number=True), Column("by class", "by class"))  # fmt: skip


def coverage_table(plan: Plan) -> str:
    """Holes in words, then a row a rule, those with the fewest classes first."""
    found = coverage(
        [(one.rule.id, one.rule.severity) for one in plan.rules], [(one.case.rule, one.attack) for one in plan.cases]
    )
    told: list[Sentence] = [holes(found)]
    if found.unused:
        told.append(("attack classes that no case uses: ", *listed(found.unused)))
    return laid_out(Lines(tuple(told))) + laid_out(Table(_HEADS, tuple(map(_row, found.rules))))


def _row(one: Covered) -> Row:
    classes = ", ".join(f"{name} {count}" for name, count in one.classes.items())
    return (Raw(one.rule), one.severity, str(one.cases), str(len(one.classes)), Raw(classes or "none"))
