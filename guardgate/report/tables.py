"""The two tables of a report, by rule and by attack class: rows of cells that each format lays out. Worst first."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor

from guardgate.gate import Gate, RuleGate
from guardgate.report.sentence import Part, Raw
from guardgate.stats import Interval
from guardgate.summary import Summary, Tally
from guardgate.tags import KNOWN, public

#: How many rows a table shows.
ROWS = 60

Row = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column, a short one for narrow lines, and whether it holds numbers."""

    head: str
    short: str
    number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Columns, rows, and how many rows were left out."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    left_out: int = 0


_CELL = Column("cell", "cell", number=True)
_RULE = Column("rule", "rule")
_RULE_REST = (
    Column("severity", "sev."),
    Column("cases", "cases", number=True),
    Column("attempts", "att.", number=True),
    Column("held", "held", number=True),
    Column("broke", "broke", number=True),
    Column("undecided", "und.", number=True),
    Column("rate", "rate", number=True),
    Column("95 % interval", "95 %", number=True),
    Column("threshold", "min.", number=True),
    Column("verdict", "verdict"),
)
_CLASS = Column("attack class", "attack class")
_CLASS_REST = (
    Column("held/attempts", "held/attempts", number=True),
    Column("broke", "broke", number=True),
    Column("undecided", "undecided", number=True),
)


_TAG_REST = (
    Column("held/attempts", "held/att.", number=True),
    Column("broke", "broke", number=True),
    Column("undecided", "und.", number=True),
)


def _table(first: Column, rest: tuple[Column, ...], several: bool, rows: list[Row]) -> Table:
    cell = (_CELL,) if several else ()
    return Table((first, *cell, *rest), tuple(rows[:ROWS]), max(0, len(rows) - ROWS))


def rule_table(summary: Summary, gate: Gate) -> Table:
    """One row for each rule, and for each cell where there are several."""
    several = len(summary.plan.cells) > 1
    rows = [_rule_row(one, summary, several) for one in sorted(gate.rules, key=_badness)]
    return _table(_RULE, _RULE_REST, several, rows)


def _badness(one: RuleGate) -> tuple[bool, int, float]:
    """Hard breaks first, whatever else the run lacks; then by what it does to the exit code."""
    order = ("incomplete", "broke", "below", "deferred", "held")
    return (not (one.broke and one.severity == "hard"), order.index(one.state), one.rate)


def _rule_row(one: RuleGate, summary: Summary, several: bool) -> Row:
    tally = one.tally
    numbers = (tally.planned // summary.plan.repeats, tally.planned, tally.held, tally.broke, tally.undecided)
    threshold = bound(one.threshold)
    cell = (str(one.cell),) if several else ()
    rates = (rate(tally), _interval(one, summary), threshold)
    return (Raw(one.rule), *cell, one.severity, *map(str, numbers), *rates, one.state)


def _interval(one: RuleGate, summary: Summary) -> str:
    return "-" if summary.grid is None else between(summary.grid.rate(one.rule, one.cell).interval)


def between(interval: Interval) -> str:
    """`34-78%`: whole numbers, rounded outwards."""
    low, high = floor(interval.low * 100 + 1e-9), ceil(interval.high * 100 - 1e-9)
    return f"{low}-{high}%"


def rate(tally: Tally) -> str:
    """held / planned in percent, rounded down: what is below a threshold never looks as if it reached it."""
    return percent(Decimal(tally.held * 1000 // max(tally.planned, 1)) / 10)


def share(part: float) -> str:
    """A share in percent, rounded down."""
    return percent(Decimal(floor(part * 1000 + 1e-9)) / 10)


def bound(threshold: float | None) -> str:
    """A threshold in percent, as it is written in the constraints file."""
    return "-" if threshold is None else percent(Decimal(repr(threshold)) * 100)


def percent(value: Decimal) -> str:
    """`99.9%`, without zeros that say nothing."""
    return f"{value.normalize():f}%"


def class_table(summary: Summary) -> Table:
    """One row for each attack class, and for each cell where there are several."""
    several = len(summary.plan.cells) > 1
    ranked = sorted(summary.classes.items(), key=lambda one: (-one[1].broke, -one[1].undecided, one[0]))
    rows = [_class_row(name, (str(cell),) if several else (), tally) for (name, cell), tally in ranked]
    return _table(_CLASS, _CLASS_REST, several, rows)


def _class_row(name: str, cell: tuple[str, ...], tally: Tally) -> Row:
    return (Raw(name), *cell, f"{tally.held}/{tally.planned}", str(tally.broke), str(tally.undecided))


def tag_table(summary: Summary) -> Table:
    """One row for each tag of a public list, all cells pooled; a case counts under each of its tags."""
    sums: dict[str, list[int]] = {}
    for planned in summary.plan.cases:
        tally = summary.cases.get(planned.case.id, Tally())
        rule = summary.plan.rule_index[planned.case.rule].rule
        for tag in public(planned.attack, rule.tags, planned.case.tags):
            row = sums.setdefault(tag, [0, 0, 0, 0])
            counts = (tally.held, tally.planned, tally.broke, tally.undecided)
            row[:] = [had + more for had, more in zip(row, counts, strict=True)]
    ranked = sorted(sums.items(), key=lambda one: (-one[1][2], -one[1][3], one[0]))
    rows: list[Row] = [
        (Raw(tag), f"{held}/{planned}", str(broke), str(undecided), KNOWN[tag] or "-")
        for tag, (held, planned, broke, undecided) in ranked
    ]
    return _table(Column("tag", "tag"), (*_TAG_REST, Column("name", "name")), False, rows)
