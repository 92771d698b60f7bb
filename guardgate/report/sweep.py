"""Tables of a sweep: cells, rule x cell, class x target, transform x target. Worst first; wide ones are folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from guardgate.gate import CODES, WORD, Gate, RuleGate
from guardgate.plan import Plan
from guardgate.report.layout import columns as width_of
from guardgate.report.sentence import Part, Raw, Sentence
from guardgate.report.tables import ROWS, Column, Row, Table
from guardgate.summary import Summary, Tally

#: How many columns of a terminal the cells of one table may take, and how many of them stand side by side at most.
ROOM = 54
SIDE_BY_SIDE = 8
LEGEND = "held/attempts; ?n: so many of them undecided; !: the worst of its row; -: no attempt there"
_NOTHING = Tally()

_CELLS = (
    Column("target, transform, params", "target, transform, params"),
    Column("cell", "cell", number=True),
    Column("held/attempts", "held/att.", number=True),
    Column("undecided", "und.", number=True),
    Column("verdict", "verdict"),
)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows and columns by name, and the tally where they meet. `heads`: our own short words for the columns.

    `weight`: what a place comes to in the gate, where it comes to something by itself.
    """

    what: str
    rows: tuple[tuple[Part, str], ...]
    heads: tuple[str, ...]
    at: Callable[[str, int], Tally]
    weight: Callable[[str, int], int] = lambda _name, _column: 0

    def worst_rows(self) -> list[tuple[Part, str]]:
        """The rows, the worst first: by weight, then by what held."""
        every = range(len(self.heads))
        return sorted(self.rows, key=lambda row: min(self._goodness(row[1], column) for column in every))

    def worst_columns(self) -> list[int]:
        """Numbers of the columns, the worst first."""
        every = range(len(self.heads))
        return sorted(every, key=lambda column: min(self._goodness(name, column) for _, name in self.rows))

    def _goodness(self, name: str, column: int) -> tuple[float, float, int]:
        return (-self.weight(name, column), *_goodness(self.at(name, column)))


def plus(one: Tally, other: Tally) -> Tally:
    """Two tallies as one."""
    return Tally(
        one.planned + other.planned, one.held + other.held, one.broke + other.broke,
        one.target + other.target, one.judge + other.judge, one.guardgate + other.guardgate,
    )  # fmt: skip


def _goodness(tally: Tally) -> tuple[float, int]:
    """Lower is worse; nothing attempted is neither."""
    return (tally.held / tally.planned if tally.planned else 2.0, -tally.broke)


def cell_table(summary: Summary, gate: Gate) -> Table:
    """One row a cell, the worst verdict first; its name tells target, transform and params."""
    found = [(cell, of_cell(summary, cell.index), gate.of_cell(cell.index)) for cell in summary.plan.cells]
    ranked = sorted(found, key=lambda one: (-(one[2] or 0), _goodness(one[1]), one[0].index))
    rows = [
        (Raw(cell.name), f"c{cell.index}", f"{tally.held}/{tally.planned}", str(tally.undecided),
         "no attempt" if code is None else f"{code} {WORD[code]}")
        for cell, tally, code in ranked
    ]  # fmt: skip
    return Table(_CELLS, tuple(rows[:ROWS]), max(0, len(rows) - ROWS))


def of_cell(summary: Summary, cell: int) -> Tally:
    """All rules of one cell."""
    total = _NOTHING
    for (_, index), tally in summary.rules.items():
        total = plus(total, tally) if index == cell else total
    return total


def weight(one: RuleGate) -> int:
    """A hard break outweighs all, whatever else is open; then the code decides."""
    return 4 if one.broke and one.severity == "hard" else CODES[one.state]


def rule_matrix(summary: Summary, gate: Gate) -> Matrix:
    """Rule x cell."""
    weights = {(one.rule, one.cell): weight(one) for one in gate.rules}
    cells = range(len(summary.plan.cells))
    rules = tuple((Raw(name), name) for name in summary.attempted_rules)
    heads = tuple(f"c{cell}" for cell in cells)
    return Matrix(
        "rule", rules, heads, lambda rule, cell: summary.rules.get((rule, cell), _NOTHING),
        lambda rule, cell: weights.get((rule, cell), 0),
    )  # fmt: skip


def rules_by_cell(summary: Summary, gate: Gate) -> Iterator[Table]:
    """Rule x cell, as tables."""
    yield from folded(rule_matrix(summary, gate))


def targets(plan: Plan) -> tuple[str, ...]:
    """Each target once."""
    return tuple(dict.fromkeys(cell.target for cell in plan.cells))


def named(plan: Plan) -> tuple[Sentence, ...]:
    """Which target each short head stands for."""
    return tuple((f"t{number}: ", Raw(name)) for number, name in enumerate(targets(plan)))


def classes_by_target(summary: Summary) -> Iterator[Table]:
    """Attack class x target, over all transforms and params."""
    sums = _by_target(summary.plan, summary.classes.items())
    names = tuple(dict.fromkeys(name for name, _ in summary.classes))
    yield from _target_tables(summary.plan, "attack class", names, sums)


def transforms_by_target(summary: Summary) -> Iterator[Table]:
    """Transform x target, over all rules and params."""
    cells = summary.plan.cells
    sums = _by_target(
        summary.plan, (((cells[cell].transform, cell), tally) for (_, cell), tally in summary.rules.items())
    )
    names = tuple(dict.fromkeys(cell.transform for cell in cells))
    yield from _target_tables(summary.plan, "transform", names, sums)


def _target_tables(plan: Plan, what: str, names: Sequence[str], sums: dict[tuple[str, str], Tally]) -> Iterator[Table]:
    every = targets(plan)
    heads = tuple(f"t{number}" for number in range(len(every)))
    rows = tuple((Raw(name), name) for name in names)
    yield from folded(Matrix(what, rows, heads, lambda name, number: sums.get((name, every[number]), _NOTHING)))


def _by_target(plan: Plan, tallies: Iterable[tuple[tuple[str, int], Tally]]) -> dict[tuple[str, str], Tally]:
    sums: dict[tuple[str, str], Tally] = {}
    for (name, cell), tally in tallies:
        key = (name, plan.cells[cell].target)
        sums[key] = plus(sums.get(key, _NOTHING), tally)
    return sums


def folded(matrix: Matrix) -> Iterator[Table]:
    """The matrix as one table, or as several side by side pieces with the worst columns in the first."""
    every = range(len(matrix.heads))
    shown = {name: texts([matrix.at(name, column) for column in every]) for _, name in matrix.rows}
    ranked = matrix.worst_rows()
    wide = max((width_of(text) for row in shown.values() for text in row), default=1)
    wide = max(wide, *(len(head) for head in matrix.heads)) + 1
    most = max(1, min(SIDE_BY_SIDE, ROOM // wide))
    order = matrix.worst_columns() if len(every) > most else list(every)
    for start in range(0, len(order), most):
        part = order[start : start + most]
        heads = (
            Column(matrix.what, matrix.what),
            *(Column(matrix.heads[at], matrix.heads[at], number=True) for at in part),
        )
        rows: list[Row] = [(label, *(shown[name][at] for at in part)) for label, name in ranked]
        yield Table(heads, tuple(rows[:ROWS]), max(0, len(rows) - ROWS))


def texts(tallies: Sequence[Tally]) -> list[str]:
    """The row: the worst of it marked, where something did not hold and there is another to compare it with."""
    worst = min((_goodness(one)[0] for one in tallies), default=2.0)
    several = sum(one.planned > 0 for one in tallies) > 1
    return [_text(one, several and worst < 1.0 and _goodness(one)[0] == worst) for one in tallies]


def _text(tally: Tally, worst: bool) -> str:
    if not tally.planned:
        return "-"
    undecided = f" ?{tally.undecided}" if tally.undecided else ""
    return f"{tally.held}/{tally.planned}{undecided}{' !' if worst else ''}"
