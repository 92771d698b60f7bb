"""Counted apart and merged is counted at once: whatever the attempts, wherever the file is cut."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.errors import Refused
from guardgate.merging import merge
from guardgate.plan import Cell
from guardgate.record import KINDS, Attempt, Failure, Finding, Outcome, Reply, Score, Usage
from guardgate.summary import KEEP_BROKEN, Folding
from tests.core.making import BAD, GOOD, attempt, case, plan, rule

OF = plan(
    [rule("R1"), rule("R2", 0.5), rule("R3")],
    [case("c1"), case("c2"), case("c3", "R2"), case("c4", "R3")],
    [Cell(0, "one"), Cell(1, "two")],
    repeats=8,
)
PRICES = (0.1, 0.2, 0.3, 1e16, 0.25)
SAYS = (GOOD, BAD, "", f"{GOOD}<|im_end|>", f"{BAD} [INST]")
VOTES: tuple[Outcome, ...] = ("held", "broke", "undecided")


def made(dice: Random, count: int, says: list[str]) -> list[Attempt]:
    """Attempts of the plan in any order, with prices, failures, votes and marks."""
    numbers = list(range(len(OF)))
    dice.shuffle(numbers)
    found = []
    for n in numbers[:count]:
        failure = Failure(dice.choice(sorted(KINDS)), f"why of {n}", turn=1) if dice.random() < 0.2 else None
        usage = Usage(3, None, dice.choice(PRICES)) if dice.random() < 0.5 else None
        scores = tuple(Score(judge, asks=2, usage=usage) for judge in ("j1", "j2") if dice.random() < 0.5)
        one = attempt(OF, n, Reply(dice.choice(says), usage=usage, copied=dice.random() < 0.5), failure=failure)
        voted = tuple(Finding(f"vote:{score.judge}", dice.choice(VOTES), kind="disagreement") for score in scores)
        by_hand = one.verdict != "undecided" and dice.random() < 0.2
        marked = (Finding("mark:Ada", one.verdict),) if by_hand else ()
        found.append(replace(one, scores=scores, findings=(*marked, *one.findings, *voted)))
    return found


def folded(some: list[Attempt]) -> Folding:
    fold = Folding(OF)
    for one in some:
        fold.add(one)
    return fold


@given(
    st.integers(0, 2**32).map(Random),
    st.integers(0, len(OF)),
    st.lists(st.sampled_from(SAYS), min_size=1),
    st.lists(st.floats(0, 1), max_size=4),
)
def test_merged_is_folded_at_once(dice: Random, count: int, says: list[str], cuts: list[float]) -> None:
    some = made(dice, count, says)
    places = [0, *sorted(round(cut * len(some)) for cut in cuts), len(some)]
    whole, *rest = (folded(some[start:stop]) for start, stop in pairwise(places))
    for later in rest:
        merge(whole, later)
    end = {"t": "end", "reason": None, "stopped": {"two": "gone"}}
    one, other = whole.done(end), folded(some).done(end)
    assert one.grid is not None
    assert other.grid is not None
    assert vars(one.grid) == vars(other.grid)
    for name in (field.name for field in fields(one) if field.name != "grid"):
        assert getattr(one, name) == getattr(other, name), name
    for name in ("rules", "classes", "cases", "notes"):
        assert list(getattr(one, name)) == list(getattr(other, name)), f"{name} in the same order"


def test_nothing_of_a_folding_is_forgotten() -> None:
    """A new part of the state has to be merged, too."""
    known = {"plan", "rules", "classes", "cases", "total", "kinds", "first", "hard", "soft", "undecided", "passes"}
    known |= {"notes", "facts", "usd", "met", "judged", "compared", "marked", "unplayed", "grid"}
    assert set(vars(Folding(OF))) == known


def test_an_attempt_in_two_parts_is_refused() -> None:
    one, other = (folded([attempt(OF, 7, GOOD), attempt(OF, n, GOOD)]) for n in (1, 2))
    with pytest.raises(Refused, match="attempt 7: found a second line"):
        merge(one, other)


def test_each_keeps_enough_for_all() -> None:
    """The first break of a rule may stand in the second part, behind more breaks of others than are kept."""
    some = [attempt(OF, n, BAD) for n in range(len(OF))]
    whole = folded(some[:100])
    merge(whole, folded(some[100:]))
    broken = whole.done({}).broken
    assert broken == folded(some).done({}).broken
    assert len(broken) == KEEP_BROKEN
