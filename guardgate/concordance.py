"""The same cases through several targets: where their verdicts agree and where they do not. A pure fold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from guardgate.plan import Cell, Plan

#: How many places where targets differ are kept by name.
KEEP_SPLITS = 20
_HELD, _UNDECIDED, _BROKE = 1, 2, 3
_CODE = {"held": _HELD, "broke": _BROKE}


@dataclass(frozen=True, slots=True)
class TargetPair:
    """Two targets over the cases that both were given. Cases where one of them is undecided stand apart."""

    one: str
    other: str
    both_held: int = 0
    both_broke: int = 0
    one_broke: int = 0
    other_broke: int = 0
    undecided: int = 0

    @property
    def cases(self) -> int:
        """Cases that both were given, once for each transform and set of params."""
        return self.both_held + self.both_broke + self.one_broke + self.other_broke + self.undecided


@dataclass(frozen=True, slots=True)
class Split:
    """A case that broke at some targets and held at others. `point`: transform and params, where there are any."""

    case: str
    point: str
    broke: tuple[str, ...]
    held: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Across:
    """All targets of a run. The four counts add up to `cases`: those that at least two targets were given."""

    targets: tuple[str, ...]
    cases: int
    all_held: int
    all_broke: int
    split: int
    undecided: int
    pairs: tuple[TargetPair, ...]
    splits: tuple[Split, ...]


class Compared:
    """Folds attempts into one byte for each case in each cell; nothing at all where there is one target."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._targets = tuple(dict.fromkeys(cell.target for cell in plan.cells))
        several = len(self._targets) > 1
        self._worst = [bytearray(len(plan.cases)) for _ in plan.cells] if several else []

    def add(self, n: int, column: str) -> None:
        """Count attempt `n`: `held`, `broke`, or whose error left it open. Of repeats the worst one counts."""
        if self._worst:
            spot = self._plan.at(n)
            row = self._worst[spot.cell]
            row[spot.case] = max(row[spot.case], _CODE.get(column, _UNDECIDED))

    def merge(self, later: Compared) -> None:
        """Add what was folded from other attempts: of repeats the worst one counts."""
        self._worst = [bytearray(map(max, own, other)) for own, other in zip(self._worst, later._worst, strict=True)]

    def across(self) -> Across | None:
        """What the targets have in common; None where there is one target."""
        if not self._worst:
            return None
        counts = dict.fromkeys(("held", "broke", "split", "undecided"), 0)
        pairs = {pair: [0, 0, 0, 0, 0] for pair in combinations(self._targets, 2)}
        splits: list[Split] = []
        for case, point, codes in self._places():
            word = _word(set(codes.values()))
            counts[word] += 1
            if word == "split" and len(splits) < KEEP_SPLITS:
                broke, held = (tuple(name for name, one in codes.items() if one == code) for code in (_BROKE, _HELD))
                splits.append(Split(self._plan.cases[case].case.id, point, broke, held))
            for one, other in combinations(codes, 2):
                pairs[one, other][_column(codes[one], codes[other])] += 1
        return Across(
            targets=self._targets,
            cases=sum(counts.values()),
            all_held=counts["held"],
            all_broke=counts["broke"],
            split=counts["split"],
            undecided=counts["undecided"],
            pairs=tuple(TargetPair(*names, *row) for names, row in pairs.items()),
            splits=tuple(splits),
        )

    def _places(self) -> Iterator[tuple[int, str, Mapping[str, int]]]:
        """Each case at each point of the grid that several targets were given, with their codes."""
        points: dict[str, list[Cell]] = {}
        for cell in self._plan.cells:
            points.setdefault(json.dumps([cell.transform, dict(cell.params)], sort_keys=True), []).append(cell)
        for cells in points.values():
            point = cells[0].name.removeprefix(cells[0].target).strip()
            for case in range(len(self._plan.cases)):
                codes = {cell.target: code for cell in cells if (code := self._worst[cell.index][case])}
                if len(codes) > 1:
                    yield case, point, codes


def _word(codes: set[int]) -> str:
    """One target that broke and one that held are split, whatever a third one left open."""
    if {_HELD, _BROKE} <= codes:
        return "split"
    if _UNDECIDED in codes:
        return "undecided"
    return "broke" if _BROKE in codes else "held"


def _column(one: int, other: int) -> int:
    """Place in a pair's row: both held, both broke, only one, only the other, undecided."""
    if _UNDECIDED in (one, other):
        return 4
    if one == other:
        return 0 if one == _HELD else 1
    return 2 if one == _BROKE else 3
