"""The report in Markdown. Text from outside stands in code spans and fences only, so it can form nothing there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from guardgate.gate import Gate
from guardgate.record import Attempt
from guardgate.report.about import About
from guardgate.report.content import Block, Heading, Lines, Quote, content
from guardgate.report.escape import markdown_cell, markdown_fence, markdown_inline
from guardgate.report.quote import quoted
from guardgate.report.sentence import number, say
from guardgate.report.tables import Row, Table
from guardgate.summary import Summary

#: How many broken attempts are shown.
BROKEN = 20


def render(
    summary: Summary,
    gate: Gate,
    about: About,
    *,
    attempts: Iterable[Attempt] = (),  # noqa: ARG001 - the summary holds what this format shows
    colour: bool = False,  # noqa: ARG001 - every format is called alike
    brief: bool = False,
) -> Iterator[str]:
    """The report in pieces; each is a whole block, so that a cut between two leaves valid Markdown."""
    for block in content(summary, gate, about, broken=BROKEN, brief=brief):
        yield laid_out(block)


def laid_out(block: Block) -> str:
    """One block, with an empty line behind it."""
    match block:
        case Heading(name, _, first):
            return f"## guardgate: {name}\n\n" if first else f"### {name}\n\n"
        case Lines(sentences, mood, title, deep):
            around = "**" if mood or title else ""
            bullet = "" if title else "  - " if deep else "- "
            items = (f"{bullet}{around}{say(one, markdown_inline)}{around}\n" for one in sentences)
            return "".join(items) + "\n"
        case Quote(text, words, limit):
            return markdown_fence("\n".join(str(line) for line in quoted(text, words, limit))) + "\n"
        case Table():
            return _table(block)


def _table(table: Table) -> str:
    heads = [one.head for one in table.columns]
    rules = ["---:" if one.number else "---" for one in table.columns]
    rows = [" | ".join(heads), " | ".join(rules), *(_row(row) for row in table.rows)]
    left = f"and {number(table.left_out, 'row')} more, none worse\n\n" if table.left_out else ""
    return "".join(f"| {row} |\n" for row in rows) + "\n" + left


def _row(row: Row) -> str:
    return " | ".join(say((part,), markdown_cell) for part in row)
