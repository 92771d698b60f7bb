"""What the numbers promise, simulated: coverage of the intervals, and size and power of the baseline test.

    python -m pytest tests/slow/test_statistics.py -s > docs/slow/statistics.txt        (about two minutes)

60 cases, 5 repeats each; the rate of a case is drawn from a beta distribution with the correlation that is named. The
seeds stand in the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

from guardgate.clusters import Case, rate
from guardgate.differences import LEVEL, chance_of_drop
from guardgate.stats import wilson

CASES, REPEATS = 60, 5
#: Runs a coverage, and runs a size: one standard error is 0.2 points of either.
RUNS, TESTS = 10_000, 12_000
CORRELATIONS = (0.0, 0.2, 0.5)
RATES = (0.7, 0.8, 0.9)
#: Most runs see a handful of bad cases here, the hardest place for an interval.
CORNER = (0.95, 0.97)


def drawn(random: Random, rate_of_all: float, correlation: float) -> float:
    """The rate of one case."""
    if correlation == 0:
        return rate_of_all
    size = 1 / correlation - 1
    return random.betavariate(rate_of_all * size, (1 - rate_of_all) * size)


def held(random: Random, chance: float, repeats: int = REPEATS) -> int:
    return sum(random.random() < chance for _ in range(repeats))


def coverage(
    rate_of_all: float, correlation: float, seed: int, count: int = CASES, repeats: int = REPEATS
) -> tuple[float, float]:
    """In how many runs the interval holds the true rate, in per cent; and Wilson's, over attempts as if independent."""
    random = Random(seed)
    ours = pooled = 0
    for _ in range(RUNS):
        chances = [drawn(random, rate_of_all, correlation) for _ in range(count)]
        cases: list[Case] = [(held(random, chance, repeats), repeats) for chance in chances]
        interval, naive = rate(cases).interval, wilson(sum(one for one, _ in cases), count * repeats)
        ours += interval.low <= rate_of_all <= interval.high
        pooled += naive.low <= rate_of_all <= naive.high
    return 100 * ours / RUNS, 100 * pooled / RUNS


@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_the_interval_holds_the_true_rate(correlation: float) -> None:
    for seed, rate_of_all in enumerate((*RATES, *CORNER)):
        ours, pooled = coverage(rate_of_all, correlation, seed)
        what = f"coverage, ICC {correlation}, true rate {rate_of_all}"
        print(f"\n{what}: {ours:.1f} % (pooled Wilson {pooled:.1f} %)", end="")
        assert abs(ours - 95) <= 2


@pytest.mark.parametrize(("count", "repeats"), [(20, 5), (12, 10), (60, 3)])
def test_with_fewer_cases_or_repeats_it_is_rather_too_long_than_too_short(count: int, repeats: int) -> None:
    for seed, (correlation, rate_of_all) in enumerate((c, r) for c in CORRELATIONS for r in (0.7, 0.9, 0.95)):
        ours, pooled = coverage(rate_of_all, correlation, seed, count, repeats)
        what = f"coverage, {count} cases, {repeats} repeats, ICC {correlation}, true rate {rate_of_all}"
        print(f"\n{what}: {ours:.1f} % (pooled Wilson {pooled:.1f} %)", end="")
        assert 93 <= ours < 100


def rates(random: Random, chances: Sequence[float]) -> list[Fraction]:
    return [Fraction(held(random, chance), REPEATS) for chance in chances]


def alarms(rate_of_all: float, correlation: float, seed: int, fall: float = 0.0) -> float:
    """How often the test calls a drop, in per cent. `fall`: the share of cases whose rate falls to one half."""
    random = Random(seed)
    found = 0
    for _ in range(TESTS):
        chances = [drawn(random, rate_of_all, correlation) for _ in range(CASES)]
        after = [0.5 if number < fall * CASES else chance for number, chance in enumerate(chances)]
        found += chance_of_drop(rates(random, chances), rates(random, after), "seed") <= LEVEL
    return 100 * found / TESTS


@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_where_nothing_changed_five_in_a_hundred_are_called_a_drop(correlation: float) -> None:
    for seed, rate_of_all in enumerate(RATES):
        size = alarms(rate_of_all, correlation, seed)
        print(f"\nsize, ICC {correlation}, true rate {rate_of_all}: {size:.1f} %", end="")
        assert abs(size - 5) <= 1


def test_what_a_real_fall_looks_like() -> None:
    """10 % of the cases fall from .97 to .5: about six in ten such falls are seen."""
    power = alarms(0.97, 0.0, 1, fall=0.1)
    print(f"\npower, 10 % of the cases fall from 0.97 to 0.5: {power:.1f} %", end="")
    assert 45 <= power <= 80
