"""Rates of cases that were played several times: repeats of one case are not independent, and count for less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guardgate.stats import Interval, score_interval, t95

#: Attempts that held, and attempts, of one case.
Case = tuple[int, int]
_TAIL = 0.025
#: How many standard errors a correlation may be above what was found; chosen by tests/slow/test_statistics.py.
_DOUBT = 0.5


@dataclass(frozen=True, slots=True)
class Rate:
    """A pooled rate with its 95 % interval, the correlation inside cases, and for how many attempts it counts."""

    interval: Interval
    icc: float
    effective: float


def icc(cases: Sequence[Case]) -> float:
    """Correlation between two attempts of one case, by one-way ANOVA, from 0 to 1 (Fleiss, Levin, Paik 2003, 15.2).

    0 where nothing can be told of it: no case was repeated, or there is one case.
    """
    total = sum(n for _, n in cases)
    k = len(cases)
    if k < 2 or total == k:
        return 0.0
    mean = sum(held for held, _ in cases) / total
    between = sum(n * (held / n - mean) ** 2 for held, n in cases) / (k - 1)
    within = sum(held * (n - held) / n for held, n in cases) / (total - k)
    size = (total - sum(n * n for _, n in cases) / total) / (k - 1)
    spread = between + (size - 1) * within
    return min(1.0, max(0.0, (between - within) / spread)) if spread else 0.0


def effective(cases: Sequence[Case], correlation: float) -> float:
    """For how many independent attempts these count: Kish's design effect (1965), with cases of unlike size."""
    total = sum(n for _, n in cases)
    size = sum(n * n for _, n in cases) / total
    return total / (1 + (size - 1) * correlation)


def rate(cases: Sequence[Case]) -> Rate:
    """The pooled rate. Where all held or none did, Clopper and Pearson's exact interval by case, not by attempt."""
    counted = [one for one in cases if one[1]]
    total = sum(n for _, n in counted)
    if not total:
        return Rate(Interval(0.0, 0.0, 1.0), 0.0, 0.0)
    held = sum(held for held, _ in counted)
    if held in (0, total):
        return Rate(exact_end(held == total, len(counted)), 0.0, float(len(counted)))
    if len(counted) == 1:  # nothing shows how other cases would do: it counts once, however often it was played
        return Rate(score_interval(held / total, 1.0), 1.0, 1.0)
    found = icc(counted)
    n = effective(counted, found)
    if len(counted) == total:
        return Rate(score_interval(held / total, n), found, n)
    # The correlation is itself an estimate, from few cases: Student's t for all of it, and more for the long side.
    quantile = t95(len(counted) - 1)
    usual = score_interval(held / total, n, quantile)
    careful = score_interval(held / total, effective(counted, at_most(found, min(held, total - held))), quantile)
    return Rate(_longer(usual, careful), found, n)


def at_most(correlation: float, rarer: int) -> float:
    """A correlation half a standard error above the one that `rarer` attempts of the rarer outcome showed, up to 1.

    Where an outcome is rare, the correlation is about the share of its attempts whose case shows it again: a share of
    so few, with Wilson's upper limit (1927).
    """
    return score_interval(correlation, rarer, _DOUBT).high


def _longer(usual: Interval, careful: Interval) -> Interval:
    """The interval whose side towards one half is the careful one: there the rate of a few bad cases hides."""
    low = careful.low if usual.value >= 0.5 else usual.low
    high = careful.high if usual.value <= 0.5 else usual.high
    return Interval(usual.value, low, high)


def exact_end(every: bool, n: int) -> Interval:
    """Clopper and Pearson (1934) for all of n, or for none of n."""
    reach = _TAIL ** (1 / n)
    return Interval(1.0, reach, 1.0) if every else Interval(0.0, 0.0, 1.0 - reach)
