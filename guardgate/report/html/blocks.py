"""The blocks of every report as HTML."""

from __future__ import annotations

from collections.abc import Iterable

from guardgate.report.content import Block, Heading, Lines, Quote
from guardgate.report.escape import html
from guardgate.report.quote import quoted
from guardgate.report.sentence import Part, Raw, number
from guardgate.report.tables import Table


def laid_out(block: Block) -> str:
    """One block. Text from outside stands between tags or in quoted attributes, escaped."""
    match block:
        case Heading(name, _, first):
            return _verdict(name) if first else f"<h3>{html(name)}</h3>\n"
        case Lines(sentences, mood, _, deep):
            kind = " ".join(word for word in ("said", mood, "deep" if deep else "") if word)
            items = "".join(f"<li>{said(one)}</li>\n" for one in sentences)
            return f'<ul class="{kind}">\n{items}</ul>\n' if items else ""
        case Quote(text, words, limit):
            return f"<pre>{html(chr(10).join(map(str, quoted(text, words, limit))))}</pre>\n"
        case Table():
            return table(block)


def _verdict(name: str) -> str:
    """The numeral of the code stands beside it, large; here it is for those who listen."""
    code, _, rest = name.partition(": ")
    return f'<h1><span class="unseen">{html(code)}: </span>{html(rest)}</h1>\n'


def said(sentence: Iterable[Part]) -> str:
    """A sentence; what comes from outside is marked as such."""
    return "".join(f"<b>{html(one.text)}</b>" if isinstance(one, Raw) else html(one) for one in sentence)


def table(block: Table) -> str:
    """A table that scrolls by itself where the page is narrow."""
    heads = "".join(f'<th scope="col"{_kind(one.number)}>{html(one.head)}</th>' for one in block.columns)
    rows = "".join(_row(row, [one.number for one in block.columns]) for row in block.rows)
    left = f"<p>and {number(block.left_out, 'row')} more, none worse</p>\n" if block.left_out else ""
    name = html(f"table by {block.columns[0].head}")
    inside = f"<table><thead><tr>{heads}</tr></thead><tbody>\n{rows}</tbody></table>"
    return f'<div class="wide" role="group" tabindex="0" aria-label="{name}">{inside}</div>\n{left}'


def _row(row: Iterable[Part], numbers: list[bool]) -> str:
    first, *rest = (said((one,)) for one in row)
    cells = "".join(f"<td{_kind(one)}>{cell}</td>" for cell, one in zip(rest, numbers[1:], strict=True))
    return f'<tr><th scope="row">{first}</th>{cells}</tr>\n'


def _kind(is_number: bool) -> str:
    return ' class="number"' if is_number else ""
