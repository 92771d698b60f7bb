"""What holds of every sweep: shards share it out, worse verdicts give no better code, tables fit and show any text."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from guardgate.gate import Gate, gate
from guardgate.plan import Cell, Plan, Shard
from guardgate.record import Attempt, Failure
from guardgate.report import markdown, render, sweep, terminal
from guardgate.report.html.charts import heat_map, rule_bars
from guardgate.report.layout import columns
from guardgate.report.paint import painter
from guardgate.report.tables import ROWS
from guardgate.summary import Summary, summarise
from guardgate.transforms import sent
from tests.core.making import BAD, GOOD, attempt, case, plan, rule
from tests.report.hostile import faults, texts

END = {"t": "end", "reason": None}
PARSER = MarkdownIt("commonmark").enable("table")
TRANSFORMS = ("none", "leet", "split_turns")


def grid(cells: int, repeats: int = 1, cases: int = 4, names: tuple[str, ...] = ("a", "b")) -> Plan:
    """Cells over two targets, three transforms and as many temperatures as it takes."""
    points = [
        Cell(n, names[n % len(names)], TRANSFORMS[n // len(names) % 3], {"t": n // (3 * len(names))})
        for n in range(cells)
    ]
    rules = [rule("H"), rule("S", 0.5), rule("T", 0.9)]
    made = plan(
        rules, [case(f"c{n}", "HST"[n % 3], transform=n % 4 != 3) for n in range(cases)], points, repeats=repeats
    )
    return replace(made, cases=tuple(
        replace(one, sent={name: sent(name, one.case.turns, 0, one.case.id, {}) for name in TRANSFORMS[1:]}
                if one.stays_plain is None else {})
        for one in made.cases
    ))  # fmt: skip


def played(of: Plan, letters: str) -> list[Attempt]:
    """Each attempt by a letter: held, broke, or undecided by the target."""
    tries = []
    for n in of.numbers:
        turns = of.turns(of.at(n))
        reply = {"h": GOOD, "b": BAD}.get(letters[n % len(letters)])
        how = {"sent": of.sent(of.at(n))}
        late = Failure("timeout", "late", turn=1)
        tries.append(
            attempt(of, n, **how, failure=late) if reply is None else attempt(of, n, *[reply] * len(turns), **how)
        )
    return tries


def told(of: Plan, letters: str) -> tuple[Summary, Gate]:
    summary = summarise(of, played(of, letters), END)
    return summary, gate(summary)


GRIDS = st.builds(grid, st.integers(1, 14), st.integers(1, 3), st.integers(1, 7))


@given(GRIDS, st.integers(1, 9))
def test_shards_of_a_sweep_partition_it(of: Plan, count: int) -> None:
    parts = [replace(of, shard=Shard(index, count)) for index in range(1, count + 1)]
    assert sorted(chain.from_iterable(part.numbers for part in parts)) == list(range(len(of)))
    places = [(spot.case, spot.cell, spot.repeat) for part in parts for spot in part.spots()]
    assert len(set(places)) == len(places) == len(of)
    assert sum(of.planned("H", cell.index) for cell in of.cells) == sum(
        of.cases[spot.case].case.rule == "H" for spot in of.spots()
    )


@given(GRIDS)
def test_a_case_that_stays_plain_is_in_no_transformed_cell(of: Plan) -> None:
    for spot in of.spots():
        transformed = of.cells[spot.cell].transform != "none"
        assert not (transformed and of.cases[spot.case].stays_plain)
        assert (of.sent(spot) is not None) == transformed
        assert of.decider(spot).turns == len(of.turns(spot))


@settings(deadline=None, max_examples=60)
@given(GRIDS, st.text("hb", min_size=1, max_size=40), st.integers(0, 39), st.sampled_from("bu"))
def test_a_worse_verdict_gives_no_better_code(of: Plan, letters: str, at: int, worse: str) -> None:
    at %= len(letters)
    if not len(of):
        return
    before = told(of, letters)[1]
    after = told(of, letters[:at] + (worse if letters[at] == "h" else letters[at]) + letters[at + 1 :])[1]
    assert after.code >= before.code
    states = ("held", "below", "broke", "incomplete")
    for one, other in zip(before.rules, after.rules, strict=True):
        assert states.index(other.state) >= states.index(one.state)


@settings(deadline=None, max_examples=60)
@given(GRIDS, st.text("hbu", min_size=1, max_size=40))
def test_the_worst_cell_decides(of: Plan, letters: str) -> None:
    found = told(of, letters)[1]
    codes = [code for cell in of.cells if (code := found.of_cell(cell.index)) is not None]
    assert found.code == max(codes, default=3)


@pytest.mark.parametrize("cells", [1, 7, 60])
@pytest.mark.parametrize("letters", ["h", "hhb", "hbuhh"])
def test_tables_of_any_width_can_be_read(cells: int, letters: str) -> None:
    of = grid(cells, repeats=3, cases=9)
    summary, found = told(of, letters)
    out = "".join(render("terminal", summary, found, {}, "x.jsonl"))
    assert all(columns(line) <= 80 for line in out.splitlines())
    tables = list(sweep.rules_by_cell(summary, found))
    heads = [column.head for one in tables for column in one.columns[1:]]
    assert sorted(heads) == sorted(f"c{n}" for n in range(cells))
    assert all(len(one.columns) <= 1 + sweep.SIDE_BY_SIDE for one in tables)
    marked = "".join(str(part) for one in tables for row in one.rows for part in row)
    assert ("?" in marked) == ("u" in letters)
    md = PARSER.parse("".join(render("md", summary, found, {}, "x.jsonl")))
    assert sum(token.type == "table_open" for token in md) >= (len(tables) + 4 if cells > 1 else 2)


def test_a_hard_break_stands_before_soft_rules_that_hold_less() -> None:
    """With more rules and cells than a table shows, the one that decides is in the first lines of the first."""
    soft = [rule(f"S{n}", 0.1) for n in range(ROWS + 5)]
    of = plan(
        [*soft, rule("H")], [*(case(f"c{n}", one.id) for n, one in enumerate(soft)), case("h", "H")],
        [Cell(n, "bot", params={"t": n}) for n in range(20)], repeats=2,
    )  # fmt: skip
    hard = [n for n in range(len(of)) if of.at(n).cell == 13 and of.cases[of.at(n).case].case.id == "h"]
    bad = {*hard[:1], *(n for n in range(len(of)) if of.cases[of.at(n).case].case.id != "h" and of.at(n).repeat)}
    summary = summarise(of, [attempt(of, n, BAD if n in bad else GOOD) for n in range(len(of))], END)
    found = gate(summary)
    first = next(sweep.rules_by_cell(summary, found))
    assert found.code == 2
    assert (str(first.columns[1].head), first.rows[0][1]) == ("c13", "1/2 !")
    picture = heat_map(summary, found)
    assert picture.index("H, c13: 1/2 !") < picture.index("S0, c13")
    assert rule_bars(summary, found).index(">H <small>") < rule_bars(summary, found).index(">S0 <small>")


@settings(deadline=None, max_examples=40)
@given(texts, texts, st.sampled_from([1, 7, 60]))
def test_any_name_of_a_target_is_shown_and_does_nothing(one: str, other: str, cells: int) -> None:
    summary, found = told(grid(cells, names=(f"{one}0", f"{other}1")), "hb")
    tame = told(grid(cells, names=("a", "b")), "hb")
    out = "".join(render("terminal", summary, found, {}, "x.jsonl"))
    assert not list(faults(out))
    assert all(columns(line) <= 80 for line in out.splitlines())
    blocks = [
        *sweep.rules_by_cell(summary, found),
        *sweep.classes_by_target(summary),
        *sweep.transforms_by_target(summary),
    ]
    blocks += [sweep.cell_table(summary, found)]
    plain = [*sweep.rules_by_cell(*tame), *sweep.classes_by_target(tame[0]), *sweep.transforms_by_target(tame[0])]
    plain += [sweep.cell_table(*tame)]
    for block, wanted in zip(blocks, plain, strict=True):
        assert terminal.laid_out(block, painter(False))
        shapes = [[token.type for token in PARSER.parse(markdown.laid_out(table))] for table in (block, wanted)]
        assert shapes[0] == shapes[1]
