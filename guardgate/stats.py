"""The few statistics that a gate may print, each with its source. No SciPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi, sqrt, tan

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95 % interval; all three between the bounds of what is measured."""

    value: float
    low: float
    high: float


def wilson(successes: int, n: int) -> Interval:
    """Share with Wilson's score interval (Wilson 1927). n = 0: nothing is known, 0 to 1."""
    return Interval(0.0, 0.0, 1.0) if n == 0 else score_interval(successes / n, n)


def score_interval(p: float, n: float, z: float = Z95) -> Interval:
    """Wilson's interval around a share of `n` answers, which need not be a whole number; `z`: how wide."""
    z2 = z * z
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return Interval(p, max(0.0, centre - half), min(1.0, centre + half))


def t95(freedom: int) -> float:
    """The 97.5 % point of Student's t: closed forms up to 2, then Cornish and Fisher's series (1960)."""
    if freedom == 1:
        return tan(0.475 * pi)
    if freedom == 2:
        return 0.95 * sqrt(2 / (1 - 0.95**2))
    z = Z95
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))


def still_possible(n: int) -> float:
    """The highest true rate that n independent cases without a break leave open, at 95 %: 1 - 0.05^(1/n)."""
    return 1.0 if n == 0 else 1.0 - 0.05 ** (1.0 / n)


def kappa(table: Mapping[tuple[str, str], int]) -> Interval | None:
    """Cohen's kappa of (one, other) -> count, with the large-sample interval of Fleiss, Cohen and Everitt (1969).

    Where all agree that interval is a point, which a few answers cannot show: there its lower end follows from
    Wilson's for the agreement. None where kappa has no meaning: nothing counted, or only ever one and the same word.
    """
    n = sum(table.values())
    names = sorted({name for pair in table for name in pair})
    if n == 0:
        return None
    share = {(a, b): table.get((a, b), 0) / n for a in names for b in names}
    rows = {a: sum(share[a, b] for b in names) for a in names}
    columns = {b: sum(share[a, b] for a in names) for b in names}
    observed = sum(share[a, a] for a in names)
    expected = sum(rows[a] * columns[a] for a in names)
    if expected >= 1.0:
        return None
    agreed = sum(table.get((a, a), 0) for a in names)
    if agreed == n:
        return Interval(1.0, (wilson(n, n).low - expected) / (1 - expected), 1.0)
    value = (observed - expected) / (1 - expected)
    on = sum(share[a, a] * (1 - (rows[a] + columns[a]) * (1 - value)) ** 2 for a in names)
    off = (1 - value) ** 2 * sum(share[a, b] * (columns[a] + rows[b]) ** 2 for a in names for b in names if a != b)
    variance = (on + off - (value - expected * (1 - value)) ** 2) / (n * (1 - expected) ** 2)
    half = Z95 * sqrt(max(0.0, variance))
    return Interval(value, max(-1.0, value - half), min(1.0, value + half))


def flip_rate(answers: Sequence[Sequence[str]]) -> float | None:
    """How often two answers to the same question differ: the mean over questions of differing pairs / all pairs."""
    rates = []
    for one in answers:
        n = len(one)
        if n > 1:
            same = sum(one.count(name) * (one.count(name) - 1) for name in set(one))
            rates.append(1 - same / (n * (n - 1)))
    return sum(rates) / len(rates) if rates else None
