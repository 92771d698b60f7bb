"""The plan of a run: which cases, in which cells, how often. Numbers of attempts are arithmetic."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, product
from typing import Any

from guardgate.attacks import TABLE
from guardgate.decider import Decider, decider, turns_of
from guardgate.judging.panel import NOBODY, Panel
from guardgate.model.constraints import Criterion, Rule
from guardgate.model.project import Run
from guardgate.model.suite import Case
from guardgate.transforms import unchanged


@dataclass(frozen=True, slots=True)
class PlannedRule:
    """A rule with the hash of its statement, criteria and checks, and its place.

    `files`: each file that it names, as written there, with the key of its text in `Plan.files`.
    """

    rule: Rule
    sha: str
    file: str
    line: int
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlannedCase:
    """A case with the hash of everything in it and in its files, the name of its class, and its place.

    `sent`: by transform, the turns as they go out in the transformed cells of the plan.
    """

    case: Case
    sha: str
    attack: str
    file: str
    line: int
    files: Mapping[str, str] = field(default_factory=dict)
    sent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def benign(self) -> bool:
        """Whether the right thing is to help."""
        row = TABLE.get(self.attack)
        return row is not None and row.channel == "benign"

    @property
    def stays_plain(self) -> str | None:
        """Why the case is left out of transformed cells; None: it is in them."""
        if self.benign:
            return "benign"
        if self.case.document is not None:
            return "its attack is a document"
        return None if self.case.transform else "transform: false"


@dataclass(frozen=True, slots=True)
class Cell:
    """One point of the grid."""

    index: int
    target: str
    transform: str = "none"
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """`target transform key=value`, without what is plain."""
        words = [self.target] + ([self.transform] if self.transform != "none" else [])
        return " ".join(words + [f"{key}={value}" for key, value in sorted(self.params.items())])


@dataclass(frozen=True, slots=True)
class Spot:
    """Attempt `n` of a plan: which case (index), in which cell (index), which repeat."""

    n: int
    case: int
    cell: int
    repeat: int


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `index` (from 1) of `count`: every `count`-th attempt, so that parts are alike in size and kind."""

    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


@dataclass(frozen=True)
class Plan:
    """All that decides a run, and nothing that happened in it.

    `files`: text by name of every file that checks or targets read. `narrowed`: the options that left
    something of the run out. `total`: how many cases the project has. `core`: the hash of all but the judges.
    `left_out`: cells of the grid that are not played, with the reason. `seed`: of transforms by chance.
    """

    name: str
    rules: tuple[PlannedRule, ...]
    criteria: Mapping[str, Criterion]
    cases: tuple[PlannedCase, ...]
    cells: tuple[Cell, ...]
    repeats: int
    files: Mapping[str, str]
    sha: str
    total: int
    narrowed: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    panel: Panel = NOBODY
    core: str = ""
    shard: Shard | None = None
    left_out: tuple[tuple[str, str], ...] = ()
    seed: int = 0

    @cached_property
    def _members(self) -> tuple[tuple[int, ...], ...]:
        every = tuple(range(len(self.cases)))
        moved = tuple(i for i in every if self.cases[i].stays_plain is None)
        return tuple(every if cell.transform == "none" else moved for cell in self.cells)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return (0, *accumulate(len(members) for members in self._members))

    def __len__(self) -> int:
        """How many attempts are planned."""
        return self.repeats * self._starts[-1]

    def at(self, n: int) -> Spot:
        """The attempt with number `n`: repeats outermost, then cells, then cases."""
        if not 0 <= n < len(self):
            raise IndexError(n)
        repeat, rest = divmod(n, self._starts[-1])
        cell = bisect_right(self._starts, rest) - 1
        return Spot(n, self._members[cell][rest - self._starts[cell]], cell, repeat)

    @property
    def numbers(self) -> range:
        """The numbers of the attempts to be played: all, or those of the shard."""
        if self.shard is None:
            return range(len(self))
        return range(self.shard.index - 1, len(self), self.shard.count)

    def spots(self) -> Iterator[Spot]:
        """Every attempt to be played, in order."""
        return (self.at(n) for n in self.numbers)

    def planned(self, rule: str, cell: int) -> int:
        """How many attempts a rule has in a cell, repeats pooled."""
        return self._counts.get((rule, cell), 0)

    @cached_property
    def _counts(self) -> dict[tuple[str, int], int]:
        counts: dict[tuple[str, int], int] = {}
        for cell, members in enumerate(self._members):
            for index in members:
                key = (self.cases[index].case.rule, cell)
                counts[key] = counts.get(key, 0) + self.repeats
        return counts

    @cached_property
    def rule_index(self) -> dict[str, PlannedRule]:
        """Rules by id."""
        return {planned.rule.id: planned for planned in self.rules}

    @cached_property
    def deciders(self) -> tuple[Decider, ...]:
        """One decider a case, in order."""
        return tuple(self._decider(one, self.rule_index[one.case.rule]) for one in self.cases)

    def sent(self, spot: Spot) -> tuple[str, ...] | None:
        """The turns as they go out; None where they are the case's own."""
        transform = self.cells[spot.cell].transform
        return None if transform == "none" else self.cases[spot.case].sent[transform]

    def turns(self, spot: Spot) -> tuple[str, ...]:
        """What the user says in an attempt, before a document is put in."""
        return self.sent(spot) or turns_of(self.cases[spot.case].case)

    def decider(self, spot: Spot) -> Decider:
        """What decides an attempt: a transform may have made more turns of a case."""
        plain = self.deciders[spot.case]
        turns = self.sent(spot)
        return plain if turns is None or len(turns) == plain.turns else replace(plain, turns=len(turns))

    @cached_property
    def unchanged(self) -> tuple[tuple[str, str], ...]:
        """Case and transform, where the transform left every word as it was."""
        return tuple(
            (one.case.id, name)
            for one in self.cases
            for name, turns in one.sent.items()
            if unchanged(turns_of(one.case), turns)
        )

    def _decider(self, case: PlannedCase, rule: PlannedRule) -> Decider:
        return decider(rule.rule, case.case, self.texts(rule.files), self.texts(case.files), self.criteria)

    def document(self, case: PlannedCase) -> str | None:
        """The text of a case's document, or None."""
        name = case.case.document
        return None if name is None else self.files[case.files[name]]

    def texts(self, names: Mapping[str, str]) -> dict[str, str]:
        """The texts of named files, by the names that rule or case give them."""
        return {name: self.files[key] for name, key in names.items()}


def cells(run: Run, targets: tuple[str, ...]) -> tuple[Cell, ...]:
    """The grid of a run over these targets: targets x transforms x params, without what is excluded."""
    kept = [cell for cell in grid(run, targets) if not any(excluded(cell, rule) for rule in run.exclude)]
    return tuple(replace(cell, index=index) for index, cell in enumerate(kept))


def grid(run: Run, targets: tuple[str, ...]) -> Iterator[Cell]:
    """Every point, also those that `exclude` takes out."""
    names = sorted(run.params)
    return (
        Cell(0, target, transform, dict(zip(names, values, strict=True)))
        for target in targets
        for transform in run.transforms
        for values in product(*(run.params[name] for name in names))
    )


def excluded(cell: Cell, rule: Mapping[str, Any]) -> bool:
    """Whether an entry of `exclude` means the cell: every value that it names is the cell's own."""
    values = {**cell.params, "target": cell.target, "transform": cell.transform}
    return bool(rule) and all(key in values and same_value(values[key], wanted) for key, wanted in rule.items())


def same_value(one: Any, other: Any) -> bool:
    """Equal as values of a parameter: 1 is 1.0, and true is not 1."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)
