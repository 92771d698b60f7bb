"""Comparing two runs: against Fisher's own count, SciPy 1.17.1 (computed once), and published examples."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate.differences import benjamini_hochberg, bootstrap, change, false_alarm, sign_flip, visible

#: Darwin's maize: crossed minus self-fertilised height in eighths of an inch (Fisher 1935, The Design of Experiments,
#: section 21). Of 32,768 sign patterns 835 sum higher than the 314 that he found, and 28 sum as high.
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_fisher_s_count_of_darwin_s_plants() -> None:
    assert sum(DARWIN) == 314
    assert sign_flip([-one for one in DARWIN]) == (835 + 28 / 2) / 32_768


# scipy.stats.permutation_test(..., permutation_type="samples", alternative="less"): the full p, ties and all.
SCIPY = [([-1, -2, 0, 1, -3, -2, -1, 1], 0.1015625), ([-1] * 6, 0.015625), ([-5, 2, -1, -1, 3, -4, -2, -2, 1, 0, -3],
         0.1064453125)]  # fmt: skip


def full(differences: list[int]) -> tuple[float, float]:
    """Every pattern of signs, one by one: the share that sums lower, and the share that sums the same."""
    sizes = [abs(one) for one in differences if one]
    sums = [sum(map(int.__mul__, sizes, signs)) for signs in product((-1, 1), repeat=len(sizes))]
    return tuple(sum(one < sum(differences) if low else one == sum(differences) for one in sums) / len(sums)
                 for low in (True, False))  # type: ignore[return-value]  # fmt: skip


@pytest.mark.parametrize(("differences", "wanted"), SCIPY)
def test_the_count_is_scipy_s(differences: list[int], wanted: float) -> None:
    lower, same = full(differences)
    assert lower + same == wanted
    assert sign_flip(differences) == pytest.approx(lower + same / 2, abs=1e-12)


@given(st.lists(st.integers(-9, 9), max_size=9))
def test_the_large_number_counts_as_one_by_one(differences: list[int]) -> None:
    lower, same = full(differences)
    few = sum(one != 0 for one in differences) < 5
    assert sign_flip(differences) == pytest.approx(1.0 if not any(differences) else lower + same / (1 if few else 2))


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=40), st.integers(0, 39))
def test_a_deeper_drop_is_never_less_sure(differences: list[int], at: int) -> None:
    worse = list(differences)
    worse[at % len(worse)] = -abs(worse[at % len(worse)])
    assert sign_flip(worse) <= sign_flip(differences) + 1e-12


def test_four_of_four_are_no_proof_and_five_of_five_are() -> None:
    assert sign_flip([-1] * 4) > 0.05
    assert sign_flip([-1] * 5) <= 0.05


def test_where_signs_are_drawn_the_answer_is_near_and_repeatable() -> None:
    noise = random.Random(3)
    many = [noise.choice((-1, 1, -2, 2)) for _ in range(3_000)]
    expected = 0.5  # the sum of such signs is as likely below as above
    assert sign_flip(many, "s") == sign_flip(many, "s")
    assert 0.0 < sign_flip([-1] * 3_000, "s") < 0.001  # what was found can happen, so p is never 0
    assert abs(sign_flip([1, -1] * 1_500, "s") - expected) < 0.04


D = [-0.2, 0, 0, -0.4, 0.2, 0, -0.2, -0.6, 0, 0, 0.2, -0.2, 0, 0, -0.8, 0, 0, 0.4, 0, -0.2]


def test_the_bootstrap_is_scipy_s_percentile_interval() -> None:
    """scipy.stats.bootstrap(..., method="percentile", n_resamples=200_000): -0.21 to 0.02, in steps of 0.01."""
    low, high = bootstrap(D, "seed")
    assert low == pytest.approx(-0.21, abs=0.0101)
    assert high == pytest.approx(0.02, abs=0.0101)
    assert bootstrap(D, "seed") == (low, high)


# Benjamini and Hochberg (1995), J. R. Statist. Soc. B 57, 289-300, section 4.1: 15 p values, the first four stand.
PAPER = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
]  # fmt: skip


def test_the_example_of_benjamini_and_hochberg() -> None:
    assert benjamini_hochberg(PAPER) == (True,) * 4 + (False,) * 11
    assert benjamini_hochberg(PAPER[::-1]) == (False,) * 11 + (True,) * 4
    assert benjamini_hochberg([]) == ()


def test_a_judge_s_false_alarms_add_up() -> None:
    """300 judged replies: one wrong in a hundred gives a false break in 95 of 100 runs, one in a thousand in 26."""
    assert [round(false_alarm(300, share), 2) for share in (0.01, 0.001, 0)] == [0.95, 0.26, 0]


def test_what_could_have_been_seen() -> None:
    """By hand: 60 differences with standard deviation 0.2 show a drop of 2.4865 x 0.2 / sqrt(60)."""
    spread = [Fraction(1, 5), Fraction(-1, 5)] * 30
    deviation = (60 / 59 * 0.04) ** 0.5
    assert visible(spread, Fraction(1, 5)) == pytest.approx((1.6449 + 0.8416) * deviation / 60**0.5, rel=1e-4)
    assert visible([Fraction(0)] * 60, Fraction(1, 5)) == pytest.approx(0.2 * 5 / 60)
    assert visible([Fraction(0)] * 4, Fraction(1)) is None


RATES = st.integers(1, 6).flatmap(lambda n: st.builds(Fraction, st.integers(0, n), st.just(n)))


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(RATES, RATES), min_size=1, max_size=20))
def test_a_change_is_the_mean_of_the_differences(pairs: list[tuple[Fraction, Fraction]]) -> None:
    before, after = zip(*pairs, strict=True)
    found = change(before, after, "s")
    assert found.mean == pytest.approx(float(sum(after) - sum(before)) / len(pairs))
    assert found.low - 1e-9 <= found.high
    assert 0 <= found.p <= 1
    assert found == change(before, after, "s")
    if before == after:
        assert (found.mean, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_nothing_to_compare_is_an_error() -> None:
    with pytest.raises(ValueError, match="no case"):
        change([], [], "s")
    with pytest.raises(ValueError, match="zip"):
        change([Fraction(1)], [], "s")
