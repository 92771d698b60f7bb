"""Two foldings as one: what was counted apart is what would have been counted at once."""

from __future__ import annotations

from collections.abc import Iterable
from operator import add, or_

from guardgate.record import Attempt
from guardgate.summary import KEEP_BROKEN, KEEP_UNDECIDED, Counts, Facts, Folding, drawn, second_line


def merge(fold: Folding, later: Folding) -> None:
    """Add to `fold` what was folded from the attempts behind its own. Raises Refused where both hold one."""
    _meet(fold, later)
    for own, other in zip(_counts(fold), _counts(later), strict=True):
        for key, row in other.by.items():
            own.by[key] = list(map(add, own.by.get(key, [0] * len(row)), row))
    for kind, (count, example) in later.kinds.items():
        fold.kinds.setdefault(kind, [0, example])[0] += count
    for note, times in later.notes.items():
        fold.notes[note] = fold.notes.get(note, 0) + times
    fold.judged.merge(later.judged)
    fold.compared.merge(later.compared)
    fold.grid.merge(later.grid)
    _show(fold, later)
    _pay(fold, later)


def _meet(fold: Folding, later: Folding) -> None:
    for n, (one, other) in enumerate(zip(fold.met, later.met, strict=True)):
        if one and other:
            raise second_line(n)
    fold.met = bytearray(map(or_, fold.met, later.met))


def _counts(fold: Folding) -> tuple[Counts, ...]:
    return fold.rules, fold.classes, fold.cases, fold.total


def _show(fold: Folding, later: Folding) -> None:
    """Attempts that are kept whole: the first ones, as many as one folding keeps."""
    for rule, attempt in later.first.items():
        fold.first.setdefault(rule, attempt)
    most = fold.most_broken
    fold.hard, fold.soft = _first(most, fold.hard, later.hard), _first(most, fold.soft, later.soft)
    fold.undecided = _first(KEEP_UNDECIDED, fold.undecided, later.undecided)
    fold.marked = _first(KEEP_BROKEN, fold.marked, later.marked)
    fold.passes = drawn((*fold.passes, *later.passes))


def _first(most: int, *parts: Iterable[Attempt]) -> list[Attempt]:
    return [attempt for part in parts for attempt in part][:most]


def _pay(fold: Folding, later: Folding) -> None:
    one, other = fold.facts, later.facts
    fold.facts = Facts(
        one.replies + other.replies,
        one.copied + other.copied,
        one.input_tokens + other.input_tokens,
        one.output_tokens + other.output_tokens,
        None,
        one.judge_asks + other.judge_asks,
    )
    if later.usd is not None:
        fold.usd = later.usd + (fold.usd or 0)
