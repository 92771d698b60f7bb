"""Whether two runs of the same cases differ: a permutation test, an interval, and what could have been seen at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm, log, sqrt
from random import Random

#: A change that noise brings in fewer than this share of all comparisons is beyond noise.
LEVEL = 0.05
_DRAWS = 2_000
#: Most random picks of one bootstrap; with more cases fewer draws are made.
_PICKS = 500_000
#: Where counting out all signs would touch more bytes than this, signs are drawn instead.
_BYTES = 1_000_000_000
_Z_LEVEL, _Z_POWER = 1.6448536269514722, 0.8416212335729143


@dataclass(frozen=True, slots=True)
class Change:
    """Mean difference of per-case rates, with its interval, and the chance p of a drop this large from noise alone.

    `visible`: the smallest drop that a comparison like this one shows in four of five cases; None: none at all.
    """

    cases: int
    mean: float
    low: float
    high: float
    p: float
    visible: float | None


def change(before: Sequence[Fraction], after: Sequence[Fraction], seed: str) -> Change:
    """Case by case, in the same order. Raises ValueError for no case, or lists of unlike length."""
    if not before:
        raise ValueError("no case to compare")
    pairs = list(zip(before, after, strict=True))
    differences = [new - old for old, new in pairs]
    low, high = bootstrap([float(one) for one in differences], seed)
    steps = lcm(*(one.denominator for one in (*before, *after)))
    return Change(
        cases=len(pairs),
        mean=float(sum(differences) / len(differences)),
        low=low,
        high=high,
        p=chance_of_drop(before, after, seed),
        visible=visible(differences, Fraction(1, steps)),
    )


def chance_of_drop(before: Sequence[Fraction], after: Sequence[Fraction], seed: str) -> float:
    """Chance p of a drop this large, case by case, from noise alone."""
    steps = lcm(*(one.denominator for one in (*before, *after)))
    return sign_flip([int((new - old) * steps) for old, new in zip(before, after, strict=True)], seed)


def sign_flip(differences: Sequence[int], seed: str = "") -> float:
    """Chance of a sum this low or lower if each difference could as well have had the other sign (Fisher 1935).

    Exact: all signs are counted. Of sums that are equally low, half count (Lancaster 1961), since without that
    a test on so few steps would miss its 5 %; with fewer than five differences all of them count.
    """
    sizes = [abs(one) for one in differences if one]
    ups = sum(one for one in differences if one > 0)
    if not sizes:
        return 1.0
    heavy = len(sizes) ** 2 * sum(sizes) // 8 > _BYTES
    lower, equal = _drawn(sizes, ups, seed) if heavy else _counted(sizes, ups)
    return lower + (equal if len(sizes) < FEW else equal / 2)


#: With fewer differences than this the full p is taken: half of it would already call four of four a change.
FEW = 5


def _counted(sizes: Sequence[int], ups: int) -> tuple[float, float]:
    """Shares of all sign patterns whose positive differences sum to less than `ups`, and to exactly `ups`.

    The patterns are the terms of a product of (1 + x^size), written into one large number, a field for each sum.
    """
    field = len(sizes) // 8 + 1
    product = 1
    for size in sizes:
        product += product << (8 * field * size)
    data = product.to_bytes(field * (sum(sizes) + 1) + 8, "little")
    counts = [int.from_bytes(data[at * field : (at + 1) * field], "little") for at in range(ups + 1)]
    whole = 1 << len(sizes)
    return float(Fraction(sum(counts[:-1]), whole)), float(Fraction(counts[-1], whole))


def _drawn(sizes: Sequence[int], ups: int, seed: str) -> tuple[float, float]:
    random = Random(seed.encode("utf-8", "surrogatepass"))  # noqa: S311 - repeatable by the plans
    sums = [sum(size for size in sizes if random.getrandbits(1)) for _ in range(_DRAWS)]
    # the pattern that was found is one of those that are possible, so p is never 0 (Phipson and Smyth 2010)
    return sum(one < ups for one in sums) / (_DRAWS + 1), (1 + sum(one == ups for one in sums)) / (_DRAWS + 1)


def bootstrap(differences: Sequence[float], seed: str) -> tuple[float, float]:
    """95 % interval of the mean: percentiles over cases drawn with replacement (Efron 1979); repeats stay together."""
    random = Random(seed.encode("utf-8", "surrogatepass"))  # noqa: S311 - repeatable by the plans
    n = len(differences)
    draws = max(200, min(_DRAWS, _PICKS // n))
    means = sorted(sum(random.choices(differences, k=n)) / n for _ in range(draws))
    return means[round(0.025 * (draws - 1))], means[round(0.975 * (draws - 1))]


def visible(differences: Sequence[Fraction], step: Fraction) -> float | None:
    """The smallest mean drop that these cases would show with probability 80 %; None where no drop can be shown.

    From the spread of the differences; never below the least that the test can call a change: `FEW` cases that
    each lose one `step`.
    """
    n = len(differences)
    least = ceil(log(LEVEL) / log(0.5))  # so many equal drops have a full p below the level
    if n < least:
        return None
    floor = float(step) * least / n
    mean = sum(differences) / n
    spread = sqrt(float(sum((one - mean) ** 2 for one in differences)) / (n - 1))
    return max(floor, (_Z_LEVEL + _Z_POWER) * spread / sqrt(n))


def benjamini_hochberg(values: Sequence[float], level: float = LEVEL) -> tuple[bool, ...]:
    """Which of many p values stand out, so that on average no more than `level` of them are noise (1995)."""
    ranked = sorted(range(len(values)), key=lambda at: values[at])
    last = max((rank for rank, at in enumerate(ranked, 1) if values[at] <= level * rank / len(values)), default=0)
    chosen = set(ranked[:last])
    return tuple(at in chosen for at in range(len(values)))


def false_alarm(n: int, share: float) -> float:
    """Chance that a judge who is wrong on this share of good replies calls at least one of n broken."""
    return 1.0 - (1.0 - share) ** n
