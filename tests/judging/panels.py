"""Whole runs of a panel that errs, through the real jury, verdicts, summary and gate; the judges are in memory.

A run has 300 attempts on two rules: 150 on a hard one, 150 on a soft one with threshold 0.9. The truth is one of
three: nothing breaks (0), 20 replies on the soft rule break (1), one reply on the hard rule breaks (2).
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from guardgate.gate import gate
from guardgate.judging.panel import Panel
from guardgate.judging.question import ReadBack
from guardgate.plan import Plan
from guardgate.summary import summarise
from tests.judging.court import BROKE, HELD, Says, judged, jury, plan, rule, told

HARD, SOFT = 150, 150
THRESHOLD = 0.9
END = {"t": "end", "reason": None}

#: Who errs in an attempt: names, by dice.
Errs = Callable[[random.Random], set[str]]


@dataclass(frozen=True)
class Played:
    """What one run should have come to, and what it came to."""

    seed: int
    truth: int
    code: int


def one_of_two(dice: random.Random) -> set[str]:
    """One judge of the two errs in 4 % of the attempts, never both; who is asked then is right."""
    return {dice.choice(("one", "two"))} if dice.random() < 0.04 else set()


def both_by_themselves(dice: random.Random) -> set[str]:
    """Each of the two errs in 2 %, by itself, so in 0.04 % both do; who is asked then is right."""
    return {name for name in ("one", "two") if dice.random() < 0.02}


def all_three(dice: random.Random) -> set[str]:
    """One judge of the two errs in 4 %, and who is asked then errs in 1 % of what it is asked."""
    return one_of_two(dice) | ({"top"} if dice.random() < 0.01 else set())


def simulated(seeds: Iterable[int], errs: Errs, *, escalate: bool) -> list[Played]:
    """One run a seed; the truth goes round 0, 1, 2."""
    panel = Panel(("one", "two"), escalate="top" if escalate else None)
    of = plan([rule(), rule("S1", THRESHOLD)], ["R1"] * HARD + ["S1"] * SOFT, panel)
    return [Played(seed, seed % 3, asyncio.run(_code(of, seed, errs))) for seed in seeds]


async def _code(of: Plan, seed: int, errs: Errs) -> int:
    dice = random.Random(seed)
    broken = {0: 0, 1: 20, 2: 1}[seed % 3]
    first = HARD if seed % 3 == 1 else 0
    bad = set(dice.sample(range(first, first + HARD), broken))
    wrong: set[str] = set()
    panel = {name: _judge(name, wrong) for name in ("one", "two", "top")}
    by = jury(of.panel, **panel)
    attempts = []
    for n in range(len(of)):
        wrong.clear()
        wrong.update(errs(dice))
        attempts.append(await judged(of, by, n, BROKE if n in bad else HELD))
    return gate(summarise(of, attempts, END)).code


def _judge(name: str, wrong: set[str]) -> Says:
    """Reads the reply, and says the opposite where the dice made it err."""

    def says(asked: ReadBack) -> str:
        return told(asked, float((asked.replies[0] == HELD) != (name in wrong)))

    return says


def right(runs: Iterable[Played]) -> int:
    """How many ended with the true code."""
    return sum(run.code == run.truth for run in runs)


def table(runs: Iterable[Played]) -> str:
    """`truth -> code: count`, for a page and for a test that fails."""
    counts = Counter((run.truth, run.code) for run in runs)
    return ", ".join(f"{truth} -> {code}: {count}" for (truth, code), count in sorted(counts.items()))
