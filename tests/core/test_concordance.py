"""The same cases through several targets: the fold against a plain count."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from guardgate.concordance import KEEP_SPLITS, Across, Compared, TargetPair
from guardgate.plan import Cell, Plan
from tests.report.build import case, hard, plan

COLUMNS = ("held", "broke", "target", "judge", "guardgate")


def across(of: Plan, columns: list[str]) -> Across:
    """The fold over all attempts of a plan, in this order of columns."""
    fold = Compared(of)
    for n, column in zip(range(len(of)), columns, strict=True):
        fold.add(n, column)
    found = fold.across()
    assert found is not None
    return found


def grid(targets: str, cases: int, repeats: int = 1, temperatures: tuple[int, ...] = ()) -> Plan:
    points = [{"temperature": one} for one in temperatures] or [{}]
    cells = [Cell(0, target, params=point) for target in targets for point in points]
    numbered = [Cell(index, cell.target, params=cell.params) for index, cell in enumerate(cells)]
    return plan([hard()], [case("H1", f"c{n}") for n in range(cases)], numbered, repeats)


def test_one_target_is_compared_with_nothing() -> None:
    of = grid("a", 3, temperatures=(0, 1))
    fold = Compared(of)
    fold.add(0, "held")
    assert fold.across() is None


def test_each_pair_is_counted() -> None:
    a, b = ["held", "broke", "broke", "held", "target"], ["held", "broke", "held", "broke", "held"]
    found = across(grid("ab", 5), [*a, *b])
    assert found.pairs == (TargetPair("a", "b", 1, 1, 1, 1, 1),)
    assert (found.cases, found.all_held, found.all_broke, found.split, found.undecided) == (5, 1, 1, 2, 1)
    assert [(one.case, one.point, one.broke, one.held) for one in found.splits] == [
        ("c2", "", ("a",), ("b",)),
        ("c3", "", ("b",), ("a",)),
    ]


def test_of_repeats_the_worst_one_counts() -> None:
    found = across(grid("ab", 1, repeats=3), ["held", "held", "broke", "judge", "target", "held"])
    assert found.pairs == (TargetPair("a", "b", one_broke=0, both_broke=0, both_held=0, other_broke=0, undecided=1),)
    found = across(grid("ab", 1, repeats=3), ["held", "held", "broke", "held", "target", "held"])
    assert (found.split, found.splits[0].broke) == (1, ("a",))


def test_only_the_same_params_are_compared() -> None:
    found = across(grid("ab", 1, temperatures=(0, 1)), ["held", "broke", "held", "held"])
    assert (found.cases, found.all_held, found.split) == (2, 1, 1)
    assert found.splits[0].point == "temperature=1"


def test_a_place_that_one_target_was_not_given_is_no_case() -> None:
    cells = [Cell(0, "a"), Cell(1, "a", "base64"), Cell(2, "b")]
    of = plan([hard()], [case("H1", "c0")], cells)
    found = across(of, ["held", "broke", "held"])
    assert (found.cases, found.all_held) == (1, 1)


def test_few_splits_are_named_and_all_are_counted() -> None:
    many = KEEP_SPLITS + 5
    found = across(grid("ab", many), ["held"] * many + ["broke"] * many)
    assert (found.split, len(found.splits)) == (many, KEEP_SPLITS)


@given(st.data(), st.integers(2, 3), st.integers(1, 4), st.integers(1, 2))
def test_the_fold_counts_what_a_plain_count_counts(data: st.DataObject, targets: int, cases: int, repeats: int) -> None:
    names = "abc"[:targets]
    of = grid(names, cases, repeats)
    columns = data.draw(st.lists(st.sampled_from(COLUMNS), min_size=len(of), max_size=len(of)))
    found = across(of, columns)

    def worst(target: int, number: int) -> str:
        said = {columns[spot.n] for spot in of.spots() if (spot.cell, spot.case) == (target, number)}
        return "broke" if "broke" in said else "held" if said == {"held"} else "open"

    seen = [[worst(target, number) for target in range(targets)] for number in range(cases)]
    assert found.cases == cases == found.all_held + found.all_broke + found.split + found.undecided
    assert found.all_held == sum(set(row) == {"held"} for row in seen)
    assert found.all_broke == sum(set(row) == {"broke"} for row in seen)
    assert found.split == sum({"held", "broke"} <= set(row) for row in seen)
    for pair, (one, other) in zip(found.pairs, combinations(range(targets), 2), strict=True):
        both = [(row[one], row[other]) for row in seen]
        assert (pair.one, pair.other, pair.cases) == (names[one], names[other], cases)
        assert pair.both_held == both.count(("held", "held"))
        assert pair.both_broke == both.count(("broke", "broke"))
        assert pair.one_broke == both.count(("broke", "held"))
        assert pair.other_broke == both.count(("held", "broke"))
        assert pair.undecided == sum("open" in one for one in both)
