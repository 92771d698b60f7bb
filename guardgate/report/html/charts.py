"""Pictures as inline SVG: rule bars, the heat map of a sweep, and scores against floors. They count nothing anew."""

from __future__ import annotations

from dataclasses import dataclass

from guardgate.gate import Gate
from guardgate.report.escape import html
from guardgate.report.html.scores import BINS, Row, Scores
from guardgate.report.layout import columns
from guardgate.report.sweep import Matrix, plus, rule_matrix, texts, weight
from guardgate.summary import Summary, Tally

#: How many rules and cells a picture shows; the tables and the filters hold the others.
RULES, CELLS = 200, 60
#: Height of a row of the heat map, width of a column at least, and of a character.
ROW, LEAST, CHAR = 30, 58, 9


def rule_bars(summary: Summary, gate: Gate) -> str:
    """One bar a rule, all cells together: held, undecided, broke; a line where a soft rule has its threshold."""
    sums: dict[str, Tally] = {}
    weights: dict[str, int] = {}
    for one in gate.rules:
        sums[one.rule] = plus(sums.get(one.rule, Tally()), one.tally)
        weights[one.rule] = max(weights.get(one.rule, 0), weight(one))
    ranked = sorted(sums.items(), key=lambda one: (-weights[one[0]], _rate(one[1])))
    rows = "".join(_bar(rule, tally, summary) for rule, tally in ranked[:RULES])
    left = f"<p>and {len(ranked) - RULES} more rules, none worse</p>" if len(ranked) > RULES else ""
    legend = '<p class="legend"><i class="held"></i> held <i class="open"></i> undecided <i class="broke"></i> broke; '
    legend += "a line: the threshold of a soft rule</p>"
    return f'<h3>How much of each rule held</h3>\n{legend}<ul class="bars">\n{rows}</ul>\n{left}' if rows else ""


def _bar(rule: str, tally: Tally, summary: Summary) -> str:
    parts, at = [], 0.0
    for kind, count in (("held", tally.held), ("open", tally.undecided), ("broke", tally.broke)):
        wide = 100 * count / tally.planned if tally.planned else 0
        parts.append(f'<rect class="{kind}" x="{at:.2f}" width="{wide:.2f}" height="10"/>')
        at += wide
    own = summary.plan.rule_index[rule].rule
    if own.threshold is not None:
        parts.append(f'<rect class="floor" x="{max(0.0, 100 * own.threshold - 0.4):.2f}" width="0.8" height="10"/>')
    told = f"{tally.held} of {tally.planned} held"
    told += f", {tally.undecided} undecided" if tally.undecided else ""
    picture = f'<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{"".join(parts)}</svg>'
    return (
        f'<li><span class="name">{html(rule)} <small>{own.severity}</small></span>{picture}'
        f'<span class="told">{told}</span></li>\n'
    )


def heat_map(summary: Summary, gate: Gate) -> str:
    """Rule by cell: redder where less held, hatched where something is undecided. Nothing where there is one cell."""
    matrix = rule_matrix(summary, gate)
    if len(matrix.heads) < 2 or not matrix.rows:
        return ""
    shown = sorted(matrix.worst_columns()[:CELLS])
    rows = matrix.worst_rows()[:RULES]
    margin = min(40, max(columns(name) for _, name in rows)) * CHAR + 12
    words = {name: texts([matrix.at(name, cell) for cell in range(len(matrix.heads))]) for _, name in rows}
    column = max(LEAST, 16 + 8 * max(len(word) for row in words.values() for word in row))
    grid = _Grid(matrix, shown, margin, column)
    body = "".join(_heat_row(name, at, grid, words[name]) for at, (_, name) in enumerate(rows))
    heads = "".join(
        f'<text class="head" x="{margin + at * column + column / 2}" y="18">{matrix.heads[cell]}</text>'
        for at, cell in enumerate(shown)
    )
    wide, high = margin + column * len(shown), ROW * (len(rows) + 1)
    names = "".join(f"<li>c{cell.index}: <b>{html(cell.name)}</b></li>" for cell in summary.plan.cells)
    left = "".join(
        f"<p>the {kept} worst of {every} {what}</p>"
        for kept, every, what in ((len(shown), len(matrix.heads), "cells"), (len(rows), len(matrix.rows), "rules"))
        if kept < every
    )
    return (
        '<h3>Rules by cell</h3>\n<p class="legend">held/attempts; ?n: so many undecided; !: the worst of its row</p>\n'
        '<div class="wide" role="group" tabindex="0" aria-label="heat map of rules by cell">'
        f'<svg class="heat" role="img" aria-label="Heat map; the tables below hold the same numbers" width="{wide}" '
        f'height="{high}" viewBox="0 0 {wide} {high}"><defs><pattern id="hatch" width="6" height="6" '
        'patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch" width="2" height="6"/>'
        f"</pattern></defs>{heads}{body}</svg></div>\n{left}"
        f'<details><summary>What the cells are</summary><ul class="said">{names}</ul></details>\n'
    )


def _rate(tally: Tally) -> float:
    return tally.held / tally.planned if tally.planned else 2.0


@dataclass(frozen=True, slots=True)
class _Grid:
    """What is drawn where: columns are `column` wide and begin at `margin`."""

    matrix: Matrix
    shown: list[int]
    margin: int
    column: int


def _heat_row(name: str, row: int, grid: _Grid, words: list[str]) -> str:
    top = ROW * (row + 1)
    label = name if columns(name) <= 40 else name[:38] + "..."
    parts = [f'<text class="label" x="{grid.margin - 8}" y="{top + 19}">{html(label)}</text>']
    for at, cell in enumerate(grid.shown):
        tally = grid.matrix.at(name, cell)
        heat = f"h{round(10 * _rate(tally))}" if tally.planned else "none"
        left = grid.margin + at * grid.column
        place = f'x="{left + 1}" y="{top + 1}" width="{grid.column - 2}" height="{ROW - 2}"'
        parts.append(f'<rect class="{heat}" {place}><title>{html(f"{name}, c{cell}: {words[cell]}")}</title></rect>')
        if tally.undecided:
            parts.append(f'<rect fill="url(#hatch)" {place}/>')
        parts.append(f'<text class="cell" x="{left + grid.column / 2}" y="{top + 19}">{html(words[cell])}</text>')
    return "".join(parts) + "\n"


def score_bars(scores: Scores) -> str:
    """One small histogram for each judge and criterion: below its floor, or not."""
    rows = "".join(map(_histogram, scores.rows))
    if not rows:
        return '<p class="quiet">No judge gave a score in this run.</p>\n'
    legend = '<p class="legend"><i class="broke"></i> below the floor <i class="held"></i> at the floor or over it</p>'
    return f'<h3>Scores against floors</h3>\n{legend}<ul class="scores">\n{rows}</ul>\n'


def _histogram(row: Row) -> str:
    most = max(low + high for low, high in zip(row.below, row.reached, strict=True))
    parts = []
    for at in range(BINS):
        low, high = (36 * count / most for count in (row.below[at], row.reached[at]))
        place = f'x="{at * 10 + 1}" width="8"'
        parts.append(f'<rect class="broke" {place} y="{40 - low:.2f}" height="{low:.2f}"/>')
        parts.append(f'<rect class="held" {place} y="{40 - low - high:.2f}" height="{high:.2f}"/>')
    for floor in sorted(row.floors):
        parts.append(f'<rect class="floor" x="{floor * 100 - 0.4:.2f}" y="0" width="0.8" height="42"/>')
    below, total = sum(row.below), sum(row.below) + sum(row.reached)
    floors = ", ".join(f"{floor:g}" for floor in sorted(row.floors))
    told = f"{below} of {total} below the floor {floors}"
    label = html(f"{row.criterion}, judge {row.judge}: {told}")
    picture = f'<svg viewBox="0 0 110 51" role="img" aria-label="{label}">{"".join(parts)}'
    picture += '<rect class="axis" x="0" y="41" width="110" height="0.6"/>'
    picture += '<text x="5" y="49">0</text><text x="55" y="49">0.5</text><text x="105" y="49">1</text></svg>'
    return (
        f'<li>{picture}<span class="name">{html(row.criterion)}</span>'
        f'<span class="told">judge {html(row.judge)}: {told}</span></li>\n'
    )
