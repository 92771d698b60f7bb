"""How the scores of judges lie against their floors: counted in tenths, below and not below."""

from __future__ import annotations

from dataclasses import dataclass, field

from guardgate.plan import Plan
from guardgate.record import Attempt

BINS = 11


@dataclass
class Row:
    """The scores of one judge for one criterion. `floors`: what they had to reach."""

    judge: str
    criterion: str
    below: list[int] = field(default_factory=lambda: [0] * BINS)
    reached: list[int] = field(default_factory=lambda: [0] * BINS)
    floors: set[float] = field(default_factory=set)


class Scores:
    """Folds attempts; its size depends on judges and criteria."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._rows: dict[tuple[str, str], Row] = {}

    def add(self, attempt: Attempt) -> None:
        """Count the scores of one attempt; a criterion without a floor there decides nothing, and is left out."""
        if not attempt.scores:
            return
        floors = self._plan.deciders[self._plan.at(attempt.n).case].floors
        for score in attempt.scores:
            for name, value in score.scores.items():
                if name in floors and 0 <= value <= 1:
                    row = self._rows.setdefault((score.judge, name), Row(score.judge, name))
                    row.floors.add(floors[name])
                    (row.below if value < floors[name] else row.reached)[round(value * (BINS - 1))] += 1

    @property
    def rows(self) -> list[Row]:
        """By criterion, then judge."""
        return [self._rows[key] for key in sorted(self._rows, key=lambda one: (one[1], one[0]))]
