"""The entries of a row of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from guardgate.drafting.grammar import loud
from guardgate.drafting.over import over
from guardgate.drafting.passages import Passage

#: A cell that only says how firm the rest of its row is.
_LEVEL = re.compile(r"\W*(?:must|shall|should|may)(?: not)?\W*$", re.IGNORECASE)
#: A cell that only counts: "1", "R-07".
_NUMBER = re.compile(r"\W{0,2}\w{0,3}?\W?\d{0,4}\W{0,2}$")


#: A column that asks whether something is allowed, and one that asks whether it is forbidden.
_ALLOWED = re.compile(r"\W*(?:(?:is|are) )?(?:it )?(?:allowed|permitted|ok(?:ay)?|in scope)\W*$", re.IGNORECASE)
_FORBIDDEN = re.compile(
    r"\W*(?:(?:is|are) )?(?:it )?(?:forbidden|prohibited|banned|not allowed|off[- ]limits|out of scope)\W*$",
    re.IGNORECASE,
)
_YES = re.compile(r"\W*(?:yes|y|true|x|always)\W*$|[^\w✗✘❌✖]*[✓✔✅☑]\W*$", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|n|false|never)\W*$|[^\w✓✔✅☑]*[✗✘❌✖]\W*$", re.IGNORECASE)


def entries(row: Passage) -> Iterator[Passage]:
    """A cell below a column such as "Never" is an entry. Else a row below such a heading is one, and else each cell
    with a strong word. "No" below "Allowed" makes its row one."""
    answers = [answer for column, cell in row.cells if (answer := _answer(column, cell)) is not None]
    if answers:
        yield from _with_answers(row, allowed=any(answers))
        return
    cells = [(column, cell) for column, cell in row.cells if re.search(r"\w", cell)]
    levels = [cell for _, cell in cells if _LEVEL.match(cell)]
    if len(levels) == 1:
        yield from _with_level(row, levels[0], [cell for _, cell in cells if cell != levels[0]])
        return
    named = [cell for _, cell in cells if not _NUMBER.match(cell)]
    label = named[0] if named and not any(over([column]).strength for column, cell in cells if cell == named[0]) else ""
    columns = any(over([column]).strength for column, _ in row.cells)
    loudly = list(_promising(row, cells, label))
    if named and not columns and (over(row.over).strength or not loudly):
        yield replace(row, text=named[0], rest=": ".join(named[1:]), cells=())
        return
    yield from loudly


def _promising(row: Passage, cells: Iterable[tuple[str, str]], label: str) -> Iterator[Passage]:
    """Each cell with a strong word, in it or over its column."""
    for column, cell in cells:
        if over([column]).strength or loud(cell):
            yield replace(row, text=cell, over=(*row.over, column), label="" if cell == label else label, cells=())


def _with_answers(row: Passage, *, allowed: bool) -> Iterator[Passage]:
    """What the row names, where it is not allowed; and besides, each cell with a strong word."""
    said = [(column, cell) for column, cell in row.cells if not _NUMBER.match(cell) and _answer(column, cell) is None]
    label = said[0][1] if said else ""
    if said and not allowed:
        yield replace(row, text=f"{label.rstrip('.')}: not allowed", cells=())
    yield from _promising(row, said[not allowed :], label)


def _answer(column: str, cell: str) -> bool | None:
    """Whether what the row names is allowed, by a cell that says yes or no; None: it says something else."""
    asks = True if _ALLOWED.match(column) else False if _FORBIDDEN.match(column) else None
    says = True if _YES.match(cell) else False if _NO.match(cell) else None
    return None if asks is None or says is None else asks is says


def _with_level(row: Passage, level: str, cells: list[str]) -> Iterator[Passage]:
    """The cell with a strong word, else the longest one, is what the level is about."""
    named = [cell for cell in cells if not _NUMBER.match(cell)]
    if named:
        text = next(filter(loud, named), max(named, key=len))
        yield replace(row, text=text, level=level.strip(" *_.:").lower(), cells=())
