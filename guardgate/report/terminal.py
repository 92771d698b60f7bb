"""The report for a terminal or a log: 80 columns, text alone carries the meaning, colour only where asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from guardgate.gate import Gate
from guardgate.record import Attempt
from guardgate.report.about import About
from guardgate.report.content import Block, Heading, Lines, Quote, content
from guardgate.report.escape import defused, terminal
from guardgate.report.layout import WIDTH, columns, wrapped
from guardgate.report.paint import Paint, painter
from guardgate.report.quote import quoted
from guardgate.report.sentence import Part, number, say
from guardgate.report.tables import Column, Table
from guardgate.summary import Summary

#: How many broken attempts are shown.
BROKEN = 10


def render(
    summary: Summary,
    gate: Gate,
    about: About,
    *,
    attempts: Iterable[Attempt] = (),  # noqa: ARG001 - the summary holds what this format shows
    colour: bool = False,
    brief: bool = False,
) -> Iterator[str]:
    """The report in pieces, each a whole block. `brief`: only the verdict and what it does not speak of."""
    paint = painter(colour)
    for block in content(summary, gate, about, broken=BROKEN, brief=brief):
        yield laid_out(block, paint)


def laid_out(block: Block, paint: Paint) -> str:
    """One block as lines."""
    match block:
        case Heading(name, mood, first):
            lines = [*([] if first else [""]), *(paint(line, mood) for line in wrapped(name))]
        case Lines(sentences, mood, title, deep):
            plain = (line for one in sentences for line in _wrapped(one, "    " if deep else "  "))
            lines = [*([""] if title else []), *(paint(line, mood) if mood or title else line for line in plain)]
        case Quote(text, words, limit):
            lines = [f"  {line}" for line in quoted(text, words, limit)]
        case Table():
            lines = list(_grid(block))
    return "".join(f"{line}\n" for line in lines)


def one_line(sentence: Iterable[Part]) -> str:
    """The sentence, escaped. Our words and theirs together may still look like a command, so broken again."""
    return defused(say(sentence, terminal))


def _wrapped(sentence: Iterable[Part], indent: str) -> Iterator[str]:
    return wrapped(one_line(sentence), indent=indent, hang=indent + "  ")


def _grid(table: Table) -> Iterator[str]:
    """The table in 80 columns: where a name is too long for its column, the numbers stand below it."""
    rows = [
        tuple(one.short for one in table.columns),
        *(tuple(one_line((part,)) for part in row) for row in table.rows),
    ]
    widths = [max(columns(row[at]) for row in rows) for at in range(len(table.columns))]
    widths[0] = min(widths[0], WIDTH - 3 - sum(widths[1:]) - len(widths[1:]))
    for row in rows:
        yield from _row(row, widths, table.columns)
    if table.left_out:
        yield f"  and {number(table.left_out, 'row')} more, none worse"


def _row(row: tuple[str, ...], widths: list[int], heads: tuple[Column, ...]) -> Iterator[str]:
    long = columns(row[0]) > widths[0]
    if long:
        yield from wrapped(row[0], indent="  ")
    cells = ("", *row[1:]) if long else row
    first, *rest = (_padded(*one) for one in zip(cells, widths, heads, strict=True))
    yield f"  {first}  {' '.join(rest)}".rstrip(" ")


def _padded(cell: str, width: int, head: Column) -> str:
    space = " " * (width - columns(cell))
    return space + cell if head.number else cell + space
