"""Plan arithmetic: every attempt has one number, and every number one attempt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.model.project import Run
from guardgate.plan import Cell, Plan, Shard, Spot, cells, excluded
from tests.core.making import case, plan, rule


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Up to six cases, some benign or never transformed, in up to four cells, repeated."""
    cases = [
        case(f"c{n}", draw(st.sampled_from(["R1", "R2"])), transform=draw(st.booleans()))
        if draw(st.booleans())
        else case(f"c{n}").model_copy(update={"attack": "benign"})
        for n in range(draw(st.integers(0, 6)))
    ]
    transforms = draw(st.lists(st.sampled_from(["none", "base64", "homoglyph"]), min_size=1, max_size=4))
    grid = [Cell(n, "bot", transform, {"n": n}) for n, transform in enumerate(transforms)]
    return plan([rule("R1"), rule("R2")], cases, grid, repeats=draw(st.integers(1, 3)))


@given(plans())
def test_numbers_and_spots_are_one_to_one(of: Plan) -> None:
    spots = [of.at(n) for n in range(len(of))]
    assert list(of.spots()) == spots
    assert len({(spot.case, spot.cell, spot.repeat) for spot in spots}) == len(of)
    assert [spot.n for spot in spots] == list(range(len(of)))


@given(plans())
def test_repeats_are_outermost_then_cells_then_cases(of: Plan) -> None:
    keys = [(spot.repeat, spot.cell, spot.case) for spot in of.spots()]
    assert keys == sorted(keys)


@given(plans())
def test_every_case_is_in_every_cell_that_may_have_it(of: Plan) -> None:
    found = {(spot.case, spot.cell, spot.repeat) for spot in of.spots()}
    wanted = {
        (index, cell.index, repeat)
        for index, one in enumerate(of.cases)
        for cell in of.cells
        for repeat in range(of.repeats)
        if cell.transform == "none" or (one.case.transform and one.attack != "benign")
    }
    assert found == wanted


@given(plans())
def test_what_is_planned_for_a_rule_is_what_will_be_played(of: Plan) -> None:
    for name in ("R1", "R2", "R3"):
        for cell in of.cells:
            played = [s for s in of.spots() if s.cell == cell.index and of.cases[s.case].case.rule == name]
            assert of.planned(name, cell.index) == len(played)


@given(plans(), st.integers(-3, 100))
def test_a_number_outside_of_the_plan_is_no_attempt(of: Plan, n: int) -> None:
    if not 0 <= n < len(of):
        with pytest.raises(IndexError):
            of.at(n)


@given(plans(), st.integers(1, 5))
def test_shards_share_the_plan_without_gap_or_overlap(of: Plan, count: int) -> None:
    parts = [plan_of_shard(of, Shard(index, count)) for index in range(1, count + 1)]
    numbers = [n for part in parts for n in part.numbers]
    assert sorted(numbers) == list(range(len(of)))
    assert len(numbers) == len(set(numbers))
    assert all(part.at(n) == of.at(n) for part in parts for n in part.numbers)


def plan_of_shard(of: Plan, shard: Shard) -> Plan:
    return Plan(**{name: getattr(of, name) for name in of.__dataclass_fields__} | {"shard": shard})


def test_an_example() -> None:
    of = plan(
        [rule()],
        [case("a"), case("b", transform=False), case("c")],
        [Cell(0, "bot"), Cell(1, "bot", "base64")],
        repeats=2,
    )
    assert len(of) == 10
    first = [(spot.case, spot.cell, spot.repeat) for spot in of.spots()][:5]
    assert first == [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (2, 1, 0)]
    assert of.at(9) == Spot(9, 2, 1, 1)


def test_the_grid_is_targets_by_transforms_by_params() -> None:
    run = Run(targets=("a", "b"), transforms=("none", "hex"), params={"t": (0, 1), "m": ("x",)})
    grid = cells(run, run.targets)
    assert [(c.index, c.target, c.transform, c.params["t"]) for c in grid] == [
        *((0, "a", "none", 0), (1, "a", "none", 1), (2, "a", "hex", 0), (3, "a", "hex", 1)),
        *((4, "b", "none", 0), (5, "b", "none", 1), (6, "b", "hex", 0), (7, "b", "hex", 1)),
    ]
    assert grid[3].name == "a hex m=x t=1"
    assert Cell(0, "a").name == "a"


def test_what_is_excluded_leaves_no_hole_in_the_numbers() -> None:
    run = Run(targets=("a", "b"), transforms=("none", "hex"), exclude=({"target": "a", "transform": "hex"},))
    assert [(c.index, c.name) for c in cells(run, run.targets)] == [(0, "a"), (1, "b"), (2, "b hex")]


@pytest.mark.parametrize(
    ("rule_", "out"),
    [
        ({"target": "a"}, True),
        ({"target": "b"}, False),
        ({"target": "a", "t": 0}, True),
        ({"target": "a", "t": 1}, False),
        ({"transform": "none"}, True),
        ({"other": 1}, False),
        ({}, False),
    ],
)
def test_an_entry_of_exclude_means_a_cell_with_all_of_its_values(rule_: dict[str, object], out: bool) -> None:
    assert excluded(Cell(0, "a", "none", {"t": 0}), rule_) is out
