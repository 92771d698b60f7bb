"""How good a judge is on labelled replies: folded once, printed by a report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from guardgate.anchors import Probe
from guardgate.fitness import Fitness, Trial, fitness
from guardgate.judging.vote import Bar, Vote, vote
from guardgate.record import Score
from guardgate.stats import Interval, flip_rate, kappa, wilson

STEPS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Scored:
    """A probe, what a judge said of it, and what that comes to. `ask`: which repeat, from 0."""

    probe: Probe
    score: Score
    opinion: Vote
    ask: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Probes of one kind: how many, and on how many the judge was right."""

    name: str
    probes: int
    agreed: int


@dataclass(frozen=True, slots=True)
class FloorRow:
    """One criterion at one floor: what the same scores would come to."""

    criterion: str
    floor: float
    probes: int
    agreed: int
    false_held: int
    false_broke: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """Everything that is known of one judge. `flips`: share of pairs of answers to the same probe that differ."""

    fitness: Fitness
    agreement: Interval
    kappa: Interval | None
    flips: float | None
    kinds: tuple[Group, ...]
    floors: tuple[FloorRow, ...]
    wrong: tuple[Scored, ...]


def calibration(judge: str, scored: Sequence[Scored], floor: float, used: Collection[str]) -> Calibration:
    """Fold what a judge said. Agreement and kappa are of the first answer to each probe; flips are of all.

    `used`: what the judge is asked about, criteria and rules.
    """
    first = [one for one in scored if one.ask == 0]
    fit = fitness(judge, [one.probe.trial(one.opinion, used) for one in first], floor)
    table: dict[tuple[str, str], int] = {}
    for one in first:
        pair = (one.probe.label, one.opinion.outcome)
        table[pair] = table.get(pair, 0) + 1
    answers: dict[str, list[str]] = {}
    for one in scored:
        answers.setdefault(one.probe.id, []).append(one.opinion.outcome)
    return Calibration(
        fit,
        wilson(fit.agreed, fit.probes),
        kappa(table),
        flip_rate(list(answers.values())),
        _groups((one.probe.kind, one) for one in first),
        tuple(_floor_rows(first)),
        tuple(one for one in first if not one.probe.agrees(one.opinion)),
    )


def _groups(pairs: Iterable[tuple[str, Scored]]) -> tuple[Group, ...]:
    counts: dict[str, list[int]] = {}
    for name, one in pairs:
        row = counts.setdefault(name, [0, 0])
        row[0] += 1
        row[1] += one.probe.agrees(one.opinion)
    return tuple(Group(name, *row) for name, row in sorted(counts.items()))


def _floor_rows(scored: Sequence[Scored]) -> Iterator[FloorRow]:
    """Only probes of a single criterion say something about its floor alone."""
    by_name: dict[str, list[Scored]] = {}
    for one in scored:
        if len(one.probe.question.floors) == 1 and one.score.failure is None:
            by_name.setdefault(next(iter(one.probe.question.floors)), []).append(one)
    for name, group in sorted(by_name.items()):
        for floor in STEPS:
            votes = [Trial(one.probe.label, _at(one, {name: floor}).outcome) for one in group]
            fit = fitness(name, votes, floor)
            yield FloorRow(name, floor, fit.probes, fit.agreed, fit.false_held, fit.false_broke)


def _at(one: Scored, floors: Mapping[str, float]) -> Vote:
    question = replace(one.probe.question, floors=floors)
    return vote(one.score, Bar(floors, question.criteria, question.pass_threshold), question.replies)
