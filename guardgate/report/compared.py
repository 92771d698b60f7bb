"""What the reports say of the same cases at several targets: counts, a table of pairs, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator

from guardgate.concordance import Across, Split, TargetPair
from guardgate.report.sentence import Raw, Sentence, listed, number
from guardgate.report.tables import ROWS, Column, Table
from guardgate.stats import Interval, kappa

_HEADS = (
    Column("targets", "targets"),
    Column("cases", "cases", number=True),
    Column("both held", "held", number=True),
    Column("both broke", "broke", number=True),
    Column("only the first broke", "1st only", number=True),
    Column("only the second broke", "2nd only", number=True),
    Column("undecided", "und.", number=True),
    Column("Cohen's kappa", "kappa", number=True),
)
#: How a case with several attempts counts.
WORST = "of repeats the worst one counts; kappa speaks of the cases that both targets decided"


def overall(across: Across) -> Iterator[Sentence]:
    """All targets at once."""
    what = f"{number(across.cases, 'case')} through {number(len(across.targets), 'target')}"
    agreed = f"{across.all_held:,} held at all of them, {across.all_broke:,} broke at all"
    yield (f"{what}: {agreed}, {across.split:,} split, {across.undecided:,} undecided at one or more",)
    yield (WORST,)


def pair_table(across: Across) -> Table:
    """One row for each pair of targets, in the order of the run."""
    rows = [_row(one) for one in across.pairs]
    return Table(_HEADS, tuple(rows[:ROWS]), max(0, len(rows) - ROWS))


def _row(one: TargetPair) -> tuple[str | Raw, ...]:
    counts = (one.cases, one.both_held, one.both_broke, one.one_broke, one.other_broke, one.undecided)
    found = _kappa(one)
    return (Raw(f"{one.one} / {one.other}"), *map(str, counts), "-" if found is None else f"{found.value:.2f}")


def _kappa(one: TargetPair) -> Interval | None:
    return kappa(
        {
            ("held", "held"): one.both_held,
            ("broke", "broke"): one.both_broke,
            ("broke", "held"): one.one_broke,
            ("held", "broke"): one.other_broke,
        }
    )


def splits(across: Across) -> Iterator[Sentence]:
    """Where one target held and another broke."""
    yield from (_split(one) for one in across.splits)
    if across.split > len(across.splits):
        yield (f"and {number(across.split - len(across.splits), 'other split')}",)


def _split(one: Split) -> Sentence:
    point = (" (", Raw(one.point), ")") if one.point else ()
    return ("split: ", Raw(one.case), *point, ": broke at ", *listed(one.broke), "; held at ", *listed(one.held))
