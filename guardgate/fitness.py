"""Whether a judge is fit to judge: how far it agrees with labels by people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from guardgate.judging.vote import Vote


@dataclass(frozen=True, slots=True)
class Fitness:
    """How a judge did on its probes. `floor`: lowest agreement that is fit."""

    judge: str
    probes: int
    agreed: int
    undecided: int
    false_held: int
    false_broke: int
    floor: float

    @property
    def agreement(self) -> float:
        """Share of the probes on which the judge said what people said."""
        return self.agreed / self.probes if self.probes else 0.0

    @property
    def fit(self) -> bool:
        """At or over the floor. Without a probe nothing is shown, and nothing is held against the judge."""
        return self.probes == 0 or self.agreement >= self.floor


def fitness(judge: str, results: Iterable[tuple[str, Vote]], floor: float) -> Fitness:
    """Fold (label, vote) pairs."""
    counts = {"agreed": 0, "undecided": 0, "false_held": 0, "false_broke": 0}
    total = 0
    for label, opinion in results:
        total += 1
        if opinion.outcome == label:
            counts["agreed"] += 1
        elif not opinion.decided:
            counts["undecided"] += 1
        else:
            counts[f"false_{opinion.outcome}"] += 1
    return Fitness(judge, total, floor=floor, **counts)


def fitness_from(line: Mapping[str, Any]) -> Fitness:
    """The line as a record."""
    return Fitness(**{key: value for key, value in line.items() if key != "t"})
