"""The floor table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from guardgate.floors import AtFloor
from guardgate.gate import WORD
from guardgate.report.escape import terminal


def render(rows: Iterable[AtFloor]) -> Iterator[str]:
    """One line a floor; the floors that the run has carry a `*`."""
    yield "What the verdicts would be at other floors (* the floors of this run)\n"
    yield f"  {'criterion':30} floor   held  broke  undecided  code\n"
    some = False
    for row in rows:
        some = True
        star = "*" if row.now else " "
        total = row.total
        yield (
            f"  {terminal(row.criterion)[:30]:30} {row.floor:4.2f}{star}"
            f"{total.held:7}{total.broke:7}{total.undecided:11}"
            f"  {row.code} {WORD[row.code]}\n"
        )
    if not some:
        yield "  no criterion is scored in this run\n"
