"""The statistics against published tables and against SciPy 1.17.1 and statsmodels 0.15.0, computed once."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.stats import flip_rate, kappa, still_possible, wilson

# Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3: printed with four places.
NEWCOMBE = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
# scipy.stats.binomtest(k, n).proportion_ci(0.95, method="wilson")
SCIPY = [
    (0, 1, 0.0, 0.7934506856), (1, 1, 0.2065493144, 1.0), (1, 2, 0.0945312057, 0.9054687943),
    (5, 10, 0.2365930905, 0.7634069095), (9, 10, 0.5958499732, 0.9821237869),
    (94, 100, 0.8752318455, 0.9722138760), (299, 300, 0.9813633063, 0.9994113423), (300, 300, 0.9873570288, 1.0),
]  # fmt: skip


@pytest.mark.parametrize(("k", "n", "low", "high"), NEWCOMBE)
def test_wilson_as_published(k: int, n: int, low: float, high: float) -> None:
    found = wilson(k, n)
    assert (found.value, round(found.low, 4), round(found.high, 4)) == (k / n, low, high)


@pytest.mark.parametrize(("k", "n", "low", "high"), SCIPY)
def test_wilson_as_scipy_has_it(k: int, n: int, low: float, high: float) -> None:
    found = wilson(k, n)
    assert found.low == pytest.approx(low, abs=1e-9)
    assert found.high == pytest.approx(high, abs=1e-9)


def test_wilson_of_nothing_knows_nothing() -> None:
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_is_symmetric(counts: tuple[int, int]) -> None:
    k, n = counts
    found, other = wilson(k, n), wilson(n - k, n)
    assert 0.0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1.0
    assert found.low == pytest.approx(1 - other.high, abs=1e-9)


# The table of the design, in per cent; and scipy.stats.beta.ppf(0.95, 1, n).
STILL = {
    5: ("45", 0.450719728347), 20: ("14", 0.139108340668), 60: ("4.9", 0.04870291331),
    100: ("3.0", 0.029513049608), 300: ("1.0", 0.009936081944),
}  # fmt: skip


@pytest.mark.parametrize("n", STILL)
def test_what_a_clean_run_leaves_possible(n: int) -> None:
    printed, exact = STILL[n]
    places = len(printed.partition(".")[2])
    assert f"{still_possible(n) * 100:.{places}f}" == printed
    assert still_possible(n) == pytest.approx(exact, abs=1e-11)


def test_what_no_run_at_all_leaves_possible_is_everything() -> None:
    assert still_possible(0) == 1.0
    assert still_possible(1) == pytest.approx(0.95)


def table(*rows: tuple[int, ...]) -> dict[tuple[str, str], int]:
    names = "abc"
    return {(names[i], names[j]): count for i, row in enumerate(rows) for j, count in enumerate(row)}


# statsmodels.stats.inter_rater.cohens_kappa: kappa, kappa_low, kappa_upp. Where the tables were printed first:
# Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, table 18.1 (kappa 0.68);
# Cohen (1960), Educational and Psychological Measurement 20, 37-46, table 1 (kappa -.09).
KAPPAS = [
    (((75, 1, 4), (5, 4, 1), (0, 0, 10)), 0.676470588235, 0.504575958086, 0.848365218385),
    (((50, 26, 24), (24, 4, 32), (6, 30, 4)), -0.092307692308, -0.170807276300, -0.013808108316),
    (((20, 5), (10, 15)), 0.4, 0.151092290477, 0.648907709523),
    (((45, 15), (25, 15)), 0.130434782609, -0.062938277793, 0.323807843010),
    (((25, 35), (5, 35)), 0.259259259259, 0.108028963983, 0.410489554535),
    (((18, 1, 1), (2, 17, 1), (0, 0, 0)), 0.761904761905, 0.575831069793, 0.947978454016),
]


@pytest.mark.parametrize(("rows", "value", "low", "high"), KAPPAS)
def test_kappa_as_published_and_as_statsmodels_has_it(
    rows: tuple[tuple[int, ...], ...], value: float, low: float, high: float
) -> None:
    found = kappa(table(*rows))
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=1e-9)


def test_kappa_stays_between_its_bounds() -> None:
    """statsmodels has 1.09 as the upper end here."""
    found = kappa(table((9, 1), (0, 10)))
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.9, 0.709923909424, 1.0), abs=1e-9)


def test_full_agreement_of_a_few_is_no_certainty() -> None:
    """Wilson's lower end for 10 of 10 is 0.7224672001, chance is 0.5."""
    found = kappa(table((5, 0), (0, 5)))
    assert found is not None
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx((0.7224672001 - 0.5) / 0.5, abs=1e-9)


@pytest.mark.parametrize("rows", [(), ((7, 0), (0, 0)), ((0, 0), (0, 3))])
def test_kappa_of_one_word_has_no_meaning(rows: tuple[tuple[int, ...], ...]) -> None:
    assert kappa(table(*rows)) is None


@given(st.lists(st.integers(0, 40), min_size=4, max_size=4))
def test_kappa_is_symmetric_and_bounded(counts: list[int]) -> None:
    a, b, c, d = counts
    one, other = kappa(table((a, b), (c, d))), kappa(table((d, b), (c, a)))
    if one is None or other is None:
        assert one == other
        return
    assert -1.0 <= one.low <= one.value + 1e-12
    assert one.value - 1e-12 <= one.high <= 1.0
    assert one.value == pytest.approx(other.value)
    assert math.isfinite(one.low)


@pytest.mark.parametrize(
    ("answers", "rate"),
    [
        ([], None),
        ([["held"], ["broke"]], None),
        ([["held", "held"]], 0.0),
        ([["held", "broke"]], 1.0),
        ([["held", "broke", "held"]], 2 / 3),
        ([["held", "held", "held", "broke"]], 0.5),
        ([["held", "broke", "undecided"]], 1.0),
        ([["held", "held"], ["held", "broke"], ["broke"]], 0.5),
    ],
)
def test_flips_are_pairs_that_differ(answers: list[list[str]], rate: float | None) -> None:
    assert flip_rate(answers) == (None if rate is None else pytest.approx(rate))
