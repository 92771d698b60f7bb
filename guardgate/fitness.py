"""Whether a judge is fit to judge: how far it agrees with labels by people, over all and criterion by criterion."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from guardgate.record import Outcome

LABELS = ("held", "broke")


@dataclass(frozen=True, slots=True)
class Trial:
    """One labelled reply, and what the judge's scores came to. `of`: what the label speaks of."""

    label: str
    outcome: Outcome
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Side:
    """The labelled replies of one label of a criterion (or of a rule as a whole), and on how many it was right."""

    of: str
    label: str
    probes: int
    agreed: int

    @property
    def blind(self) -> bool:
        """Right on fewer than half."""
        return 2 * self.agreed < self.probes


@dataclass(frozen=True, slots=True)
class Fitness:
    """How a judge did on its probes. `floor`: lowest agreement that is fit; 0 switches the test off."""

    judge: str
    probes: int
    agreed: int
    undecided: int
    false_held: int
    false_broke: int
    floor: float
    sides: tuple[Side, ...] = ()

    @property
    def agreement(self) -> float:
        """Share of the probes on which the judge said what people said."""
        return self.agreed / self.probes if self.probes else 0.0

    @property
    def blind(self) -> tuple[Side, ...]:
        """Where it was right on fewer than half, though it may be right on nearly all of the rest."""
        return tuple(side for side in self.sides if side.blind)

    @property
    def fit(self) -> bool:
        """At or over the floor, and blind nowhere. Without a probe nothing is shown, or held against the judge."""
        return self.probes == 0 or self.floor == 0 or (self.agreement >= self.floor and not self.blind)


def fitness(judge: str, trials: Iterable[Trial], floor: float) -> Fitness:
    """Fold what a judge said of each probe."""
    counts = {"agreed": 0, "undecided": 0, "false_held": 0, "false_broke": 0}
    sides: dict[tuple[str, str], list[int]] = {}
    total = 0
    for one in trials:
        total += 1
        right = one.outcome == one.label
        counts["agreed" if right else "undecided" if one.outcome == "undecided" else f"false_{one.outcome}"] += 1
        for of in one.of:
            row = sides.setdefault((of, one.label), [0, 0])
            row[0] += 1
            row[1] += right
    found = tuple(Side(of, label, *row) for (of, label), row in sides.items())
    return Fitness(judge, total, floor=floor, sides=found, **counts)


def whole(rule: str) -> str:
    """A rule, among what labels speak of. No criterion has a space in its name."""
    return f"rule {rule}"


def sampled(probe: str) -> str:
    """The rule of a sample, by the id of its probe."""
    return probe.rsplit(":", 2)[0]


def spoken_of(probe: str, kind: str, label: str, criteria: Collection[str], used: Collection[str]) -> tuple[str, ...]:
    """What a label speaks of, among what is used: each criterion; a broken sample of several, the rule as a whole."""
    broken = kind == "sample" and label == "broke" and len(criteria) > 1
    return tuple(one for one in ([whole(sampled(probe))] if broken else criteria) if one in used)


def trial_from(line: Mapping[str, Any], used: Collection[str], outcome: Outcome | None = None) -> Trial:
    """An `anchor` line as a trial; `outcome`: what its scores come to now, where that is not what is stored."""
    if line["label"] not in LABELS:
        raise ValueError(f"the label {line['label']!r}")
    if not isinstance(line["id"], str) or not isinstance(line["floors"], Mapping):
        raise TypeError("an anchor's id or floors")
    of = spoken_of(line["id"], line["kind"], line["label"], line["floors"], used)
    return Trial(line["label"], outcome or line["outcome"], of)


def fitness_line(fitness: Fitness) -> dict[str, Any]:
    """The `fitness` line of a results file: one a judge, behind its anchors, which say the rest."""
    return {"t": "fitness", **{key: value for key, value in asdict(fitness).items() if key != "sides"}}


def fitness_from(line: Mapping[str, Any], anchors: Iterable[Mapping[str, Any]], used: Collection[str]) -> Fitness:
    """The line as a record, counted again from its anchors. Raises ValueError where the two differ."""
    stored = Fitness(**{key: value for key, value in line.items() if key != "t"})
    if not isinstance(stored.floor, int | float):
        raise TypeError(f"the floor {stored.floor!r}")
    counted = fitness(stored.judge, [trial_from(one, used) for one in anchors], stored.floor)
    if replace(counted, sides=()) != stored:
        there = f"what {stored.judge!r} said of {counted.probes} of {stored.probes} labelled replies"
        raise ValueError(f"{there}, right on {counted.agreed} and not on {stored.agreed} as it says")
    return counted
