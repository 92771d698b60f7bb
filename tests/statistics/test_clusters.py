"""Rates of repeated cases, against SciPy 1.17.1 (computed once) and against the tables of the books."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.clusters import Case, at_most, effective, exact_end, icc, rate
from guardgate.stats import score_interval, t95, wilson

# scipy.stats.f_oneway over the zeros and ones of each case gives F; the correlation is (F - 1) / (F - 1 + n0).
ICC = [
    ([(5, 5), (4, 5), (0, 5), (5, 5), (2, 5), (5, 5)], 0.6508379888268159),
    ([(1, 2), (3, 3), (0, 4), (2, 5), (7, 7)], 0.623114259477896),
    ([(3, 5), (2, 5), (3, 5), (2, 5)], 0.0),  # F below 1: -0.184, and a correlation below nothing is nothing
    ([(5, 5), (5, 5), (0, 5)], 1.0),  # no spread inside a case
]  # fmt: skip


@pytest.mark.parametrize(("cases", "wanted"), ICC)
def test_the_correlation_inside_cases_is_that_of_the_anova(cases: list[Case], wanted: float) -> None:
    assert icc(cases) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("cases", [[(1, 1), (0, 1)], [(3, 5)], []])
def test_without_repeats_or_with_one_case_nothing_is_told_of_it(cases: list[Case]) -> None:
    assert icc(cases) == 0.0


def test_kish_s_design_effect() -> None:
    """1 + (m - 1) icc: 300 attempts of 60 cases count for 300, 166.7, 100 and 60."""
    cases = [(4, 5)] * 60
    assert [round(effective(cases, found), 1) for found in (0, 0.2, 0.5, 1)] == [300.0, 166.7, 100.0, 60.0]


# Student's t, 97.5 %: as every table prints it.
T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 19: 2.093, 30: 2.042, 59: 2.001, 100: 1.984}


@pytest.mark.parametrize("freedom", T)
def test_student_s_t(freedom: int) -> None:
    assert t95(freedom) == pytest.approx(T[freedom], abs=0.0045)


# scipy.stats.binomtest(n, n).proportion_ci(0.95, "exact").low
EXACT = {1: 0.025, 5: 0.47817624989501856, 20: 0.8315665290169145, 60: 0.9403705077136653}


@pytest.mark.parametrize("n", EXACT)
def test_all_and_none_have_clopper_and_pearson_s_interval(n: int) -> None:
    assert exact_end(True, n).low == pytest.approx(EXACT[n], abs=1e-12)
    assert exact_end(False, n).high == pytest.approx(1 - EXACT[n], abs=1e-12)


def test_repeats_that_all_held_are_counted_by_case() -> None:
    found = rate([(5, 5)] * 20)
    assert (found.interval, found.effective) == (exact_end(True, 20), 20)


def test_without_repeats_it_is_wilson_s_interval() -> None:
    assert rate([(1, 1)] * 9 + [(0, 1)]).interval == wilson(9, 10)


def test_repeats_that_agree_add_nothing() -> None:
    """Ten cases, each all or nothing: as wide as ten attempts, and a little more, for the correlation is estimated."""
    ten, fifty = wilson(7, 10), rate([(5, 5)] * 7 + [(0, 5)] * 3)
    assert fifty.effective == pytest.approx(10)
    assert fifty.interval.low < ten.low < ten.high < fifty.interval.high


def test_of_few_breaks_the_correlation_may_be_higher_than_it_looks() -> None:
    """r = 0 of m: z^2 / (m + z^2), with z one half: 1/5 of one, 1/101 of 25. Of many it is what was found."""
    assert at_most(0.0, 1) == pytest.approx(1 / 5)
    assert at_most(0.0, 25) == pytest.approx(1 / 101)
    assert at_most(0.5, 1_000_000) == pytest.approx(0.5, abs=0.0003)


def test_the_side_towards_one_half_is_the_longer_one() -> None:
    """Four cases of five repeats and one break, by hand: no correlation, 1/5 at most, 20 / 1.8 attempts."""
    found = rate([(5, 5)] * 3 + [(4, 5)])
    assert (found.icc, found.effective) == (0, 20)
    assert found.interval.high == score_interval(0.95, 20, t95(3)).high
    assert found.interval.low == score_interval(0.95, 20 / 1.8, t95(3)).low
    assert rate([(0, 5)] * 3 + [(1, 5)]).interval.high == pytest.approx(1 - found.interval.low)


def test_one_case_counts_once_however_often_it_is_played() -> None:
    assert rate([(90, 100)]).effective == pytest.approx(1)
    assert rate([(100, 100)]).interval == exact_end(True, 1)


def test_nothing_played_says_nothing() -> None:
    assert (rate([]).interval.low, rate([]).interval.high) == (0, 1)
    assert rate([(0, 0)]).effective == 0


CASES = st.lists(st.integers(1, 7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=40)


@given(CASES)
def test_an_interval_holds_its_rate_and_no_more_is_counted_than_was_played(cases: list[Case]) -> None:
    found = rate(cases)
    assert 0 <= found.interval.low <= found.interval.value + 1e-12
    assert found.interval.value - 1e-12 <= found.interval.high <= 1
    assert 0 <= found.icc <= 1
    assert found.effective <= sum(n for _, n in cases) + 1e-9
    mirrored = rate([(n - held, n) for held, n in cases])
    assert mirrored.interval.low == pytest.approx(1 - found.interval.high, abs=1e-9)
