"""The counts by case and cell: what was counted apart is what would have been counted at once, in bounded room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guardgate.grid import KEEP_REPLIES, Grid
from guardgate.judging.panel import Panel
from guardgate.plan import Cell
from guardgate.record import Attempt, Finding, Reply, Score
from tests.core.making import case, plan, rule

OF = plan([rule("R1"), rule("R2", 0.5)], [case("a"), case("b", "R2"), case("c", "R2")], [Cell(0, "x"), Cell(1, "y")],
          repeats=40, panel=Panel(("strict",)))  # fmt: skip


def judged(n: int, words: str, verdict: str) -> Attempt:
    spot = OF.at(n)
    finding = Finding("judge:strict", verdict)  # type: ignore[arg-type]
    scores = (Score("strict", {"polite": 1.0}),)
    return Attempt(
        n, OF.cases[spot.case].case.id, spot.cell, spot.repeat, replies=(Reply(words),), scores=scores,
        verdict=verdict, findings=(finding,),  # type: ignore[arg-type]
    )  # fmt: skip


COLUMNS = st.sampled_from(["held", "broke", "target", "judge", "guardgate"])
COUNTED = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), COLUMNS), max_size=30)
JUDGED = st.lists(
    st.builds(judged, st.integers(0, len(OF) - 1), st.sampled_from("pqrs"), st.sampled_from(["held", "broke"])),
    max_size=30,
)


def folded(counted: list[tuple[int, int, str]], attempts: list[Attempt]) -> Grid:
    grid = Grid(OF)
    for one in counted:
        grid.add(*one)
    for attempt in attempts:
        grid.judged(attempt)
    return grid


def seen(grid: Grid) -> object:
    places = [grid.place(one, cell) for one in range(3) for cell in range(2)]
    return (
        places,
        grid.flips(),
        [grid.rate(name, cell) for name in ("R1", "R2") for cell in range(2)],
        list(grid.mixed()),
    )


@given(COUNTED, COUNTED, JUDGED, JUDGED)
def test_two_foldings_are_one(
    one: list[tuple[int, int, str]], other: list[tuple[int, int, str]], some: list[Attempt], more: list[Attempt]
) -> None:
    whole = folded(one + other, some + more)
    first, second = folded(one, some), folded(other, more)
    first.merge(second)
    assert seen(first) == seen(whole)
    turned = folded(other, more)
    turned.merge(folded(one, some))
    assert seen(turned) == seen(whole)


def test_no_more_replies_are_remembered_than_so_many_and_the_order_changes_nothing() -> None:
    there = [judged(n, f"reply {n}", "held") for n in range(len(OF)) if OF.at(n).case == 0 and OF.at(n).cell == 0]
    assert len(there) > KEEP_REPLIES
    grids = [folded([], order) for order in (there, there[::-1])]
    assert [len(words) for grid in grids for words in grid._words.values()] == [KEEP_REPLIES] * 2
    assert grids[0]._words == grids[1]._words


def test_what_is_open_did_not_hold_and_an_unplayed_place_has_no_rate() -> None:
    grid = folded([(0, 0, "held"), (0, 0, "timeout"), (0, 0, "broke")], [])
    place = grid.place(0, 0)
    assert (place.held, place.broke, place.open, place.planned) == (1, 1, 1, 3)
    assert place.rate is not None
    assert float(place.rate) == 1 / 3
    assert grid.place(0, 1).rate is None
    assert grid.cases("R1", 1) == ()
