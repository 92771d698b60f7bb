"""How each case did in each cell: what rates with intervals, sweep tables, flaky cases and comparisons are made of."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b

from guardgate.clusters import Case, Rate, rate
from guardgate.plan import Plan
from guardgate.record import Attempt

#: How many different replies to one case in one cell are remembered for the judge's flips.
KEEP_REPLIES = 32
_HELD, _BROKE, _OPEN = 0, 1, 2
_COLUMN = {"held": _HELD, "broke": _BROKE}


@dataclass(frozen=True, slots=True)
class Place:
    """One case in one cell: attempts that held, broke, and were left open."""

    case: int
    cell: int
    held: int
    broke: int
    open: int

    @property
    def planned(self) -> int:
        """All of them."""
        return self.held + self.broke + self.open

    @property
    def rate(self) -> Fraction | None:
        """Held of all planned; None where nothing was."""
        return Fraction(self.held, self.planned) if self.planned else None

    @property
    def mixed(self) -> bool:
        """Whether repeats of the same words came to both verdicts."""
        return self.held > 0 and self.broke > 0


class Grid:
    """Folds attempts into three numbers a place; its size depends on the plan, not on the attempts."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._width = len(plan.cases)
        self._counts = tuple(array("I", bytes(4 * self._width * len(plan.cells))) for _ in range(3))
        self._words: dict[tuple[int, int], dict[bytes, int]] = {}

    def add(self, case: int, cell: int, column: str) -> None:
        """Count one attempt: `held`, `broke`, or whose error left it open."""
        self._counts[_COLUMN.get(column, _OPEN)][cell * self._width + case] += 1

    def judged(self, attempt: Attempt) -> None:
        """Remember, of an attempt that a judge decided, which words got which verdict."""
        if self.plan.repeats < 2 or attempt.verdict == "undecided" or not attempt.findings:
            return
        if not attempt.findings[0].by.startswith(("judge:", "panel")) and attempt.verdict == "broke":
            return  # code broke it
        if attempt.findings[0].by.startswith("mark:"):
            return
        words = blake2b(digest_size=8)
        for reply in attempt.replies:
            words.update(reply.text.encode("utf-8", "replace") + b"\0")
        spot = self.plan.at(attempt.n)
        seen = self._words.setdefault((spot.case, spot.cell), {})
        key = words.digest()
        seen[key] = seen.get(key, 0) | 1 << _COLUMN[attempt.verdict]
        self._bound(seen)

    @staticmethod
    def _bound(seen: dict[bytes, int]) -> None:
        """The lowest hashes stay, so that the order of attempts changes nothing."""
        while len(seen) > KEEP_REPLIES:
            del seen[max(seen)]

    def merge(self, later: Grid) -> None:
        """Add what was folded from other attempts."""
        for own, other in zip(self._counts, later._counts, strict=True):
            own[:] = array("I", map(int.__add__, own, other))
        for place, words in later._words.items():
            seen = self._words.setdefault(place, {})
            for key, bits in words.items():
                seen[key] = seen.get(key, 0) | bits
            self._bound(seen)

    def place(self, case: int, cell: int) -> Place:
        """One case in one cell."""
        at = cell * self._width + case
        return Place(case, cell, *(counts[at] for counts in self._counts))

    @cached_property
    def of_rule(self) -> dict[str, tuple[int, ...]]:
        """Numbers of the cases of each rule."""
        found: dict[str, list[int]] = {}
        for number, planned in enumerate(self.plan.cases):
            found.setdefault(planned.case.rule, []).append(number)
        return {rule: tuple(cases) for rule, cases in found.items()}

    def cases(self, rule: str, cell: int) -> tuple[Place, ...]:
        """The cases of a rule that are played in a cell."""
        places = (self.place(case, cell) for case in self.of_rule.get(rule, ()))
        return tuple(place for place in places if place.planned)

    def rate(self, rule: str, cell: int) -> Rate:
        """The pass rate of a rule in a cell, as the gate counts it: what is open did not hold."""
        return rate([_pair(place) for place in self.cases(rule, cell)])

    def mixed(self) -> Iterator[Place]:
        """Cases that held and broke over their repeats in one cell."""
        for cell in range(len(self.plan.cells)):
            yield from (place for case in range(self._width) if (place := self.place(case, cell)).mixed)

    def flips(self) -> tuple[tuple[int, int], ...]:
        """Case and cell where judges gave the same words both verdicts."""
        both = 1 << _HELD | 1 << _BROKE
        return tuple(sorted(place for place, words in self._words.items() if both in words.values()))


def _pair(place: Place) -> Case:
    return place.held, place.planned
