"""What the numbers can tell and what they cannot, each in one line that a reader understands."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from guardgate.differences import benjamini_hochberg, false_alarm, sign_flip
from guardgate.gate import Gate, RuleGate
from guardgate.grid import Grid, Place
from guardgate.report.sentence import Raw, Sentence, joined, listed, more, number
from guardgate.report.tables import between, bound
from guardgate.stats import still_possible
from guardgate.summary import Summary

#: How many cases are named.
NAMED = 10
#: With more rules in cells than this nobody looks for single ones that stand out.
COMPARED = 1_000
#: How often a good judge may be wrong, in the line on false alarms.
WRONG = 0.01


def sure(summary: Summary, gate: Gate) -> Iterator[Sentence]:
    """The lines, as far as there is something to say."""
    grid = summary.grid
    if grid is None or not gate.rules:
        return
    yield (
        "95 % interval: made like this, it holds the true rate in 19 of 20 runs; repeats of one case count for less "
        "than new cases, as far as they agree",
    )
    yield from _unbroken(gate, grid)
    yield from _cannot_tell(gate, grid)
    yield from _flaky(summary, grid)
    yield from _alarms(summary)
    yield from _stand_out(summary, gate, grid)


def _unbroken(gate: Gate, grid: Grid) -> Iterator[Sentence]:
    """Hard rules by how many cases they held: in the cell where they have the fewest."""
    cases: dict[str, int] = {}
    for one in gate.rules:
        if one.severity == "hard" and one.state == "held":
            count = len(grid.cases(one.rule, one.cell))
            cases[one.rule] = min(count, cases.get(one.rule, count))
    for count in sorted(set(cases.values())):
        rules = [rule for rule, own in cases.items() if own == count]
        bound = ceil(still_possible(count) * 1000) / 10
        yield (
            f"no break in {number(count, 'case')} still leaves it open (95 %) that up to {bound:g}% of such attacks "
            "break the rule: ", *listed(rules, NAMED),
        )  # fmt: skip


def _cannot_tell(gate: Gate, grid: Grid) -> Iterator[Sentence]:
    """Soft rules whose interval holds their threshold: the code goes by the plain rate, luck may have decided it."""
    unsure = [one for one in gate.rules if one.state in ("held", "below") and _straddles(one, grid)]
    if unsure:
        told = [_which(one, grid) for one in unsure[:NAMED]]
        yield (
            "too few attempts to tell (the code goes by the plain rate, the interval holds the threshold): ",
            *joined(told, "; "), *more(len(unsure) - NAMED, "more"),
        )  # fmt: skip


def _straddles(one: RuleGate, grid: Grid) -> bool:
    interval = grid.rate(one.rule, one.cell).interval
    return one.threshold is not None and interval.low < one.threshold <= interval.high


def _which(one: RuleGate, grid: Grid) -> Sentence:
    cell = f" in c{one.cell}" if len(grid.plan.cells) > 1 else ""
    return (Raw(one.rule), f"{cell} {between(grid.rate(one.rule, one.cell).interval)} around {bound(one.threshold)}")


def _flaky(summary: Summary, grid: Grid) -> Iterator[Sentence]:
    flips = set(grid.flips())
    mixed = [one for one in grid.mixed() if (one.case, one.cell) not in flips]
    if mixed:
        yield (
            f"flaky: {number(len(mixed), 'case')} held in some repeats and broke in others, because the replies "
            "differed: ", *_places(summary, mixed),
        )  # fmt: skip
    if flips:
        turned = [grid.place(*place) for place in sorted(flips)]
        yield (
            f"the judge flipped: {number(len(turned), 'case')} in which the same words got both verdicts, which says "
            "nothing of the target: ", *_places(summary, turned),
        )  # fmt: skip


def _places(summary: Summary, places: list[Place]) -> Sentence:
    several = len(summary.plan.cells) > 1
    told: list[Sentence] = [
        (Raw(summary.plan.cases[one.case].case.id), f" ({f'c{one.cell}, ' if several else ''}{one.held}/{one.planned})")
        for one in places[:NAMED]
    ]
    return (*joined(told, ", "), *more(len(places) - NAMED, "more"))


def _alarms(summary: Summary) -> Iterator[Sentence]:
    """One judge alone over many replies of hard rules breaks one of them by mistake, sooner or later."""
    if len(summary.plan.panel.judges) != 1 or summary.plan.panel.escalate is not None:
        return
    hard = {one.rule.id for one in summary.plan.rules if one.rule.severity == "hard"}
    judged = {index for index, one in enumerate(summary.plan.cases) if summary.plan.deciders[index].floors
              and one.case.rule in hard}  # fmt: skip
    replies = sum(1 for spot in summary.plan.spots() if spot.case in judged) if judged else 0
    if replies:
        chance = false_alarm(replies, WRONG)
        yield (
            f"one judge alone decides {number(replies, 'attempt')} on hard rules: if it is wrong about 1 good reply in "
            f"100, a false break comes with probability {chance:.0%}",
        )


def _stand_out(summary: Summary, gate: Gate, grid: Grid) -> Iterator[Sentence]:
    """Soft rules in cells that are worse than their other cells. Hard rules need no test: one break is one."""
    soft = [one for one in gate.rules if one.severity == "soft"]
    if len(summary.plan.cells) < 2 or len(soft) > COMPARED:
        return
    means = {rule: _others(grid, rule) for rule in dict.fromkeys(one.rule for one in soft)}
    known = [(one, p) for one in soft if (p := _p(one, grid, means[one.rule])) is not None]
    chosen = benjamini_hochberg([p for _, p in known])
    worse = [one for (one, _), stands in zip(known, chosen, strict=True) if stands]
    if worse:
        told: list[Sentence] = [(Raw(one.rule), f" in c{one.cell}") for one in worse[:NAMED]]
        yield (
            f"exploratory ({number(len(known), 'comparison')}, Benjamini-Hochberg at 5 %): worse than the same cases "
            "in the other cells: ", *joined(told, ", "), *more(len(worse) - NAMED, "more"),
        )  # fmt: skip


def _others(grid: Grid, rule: str) -> dict[int, tuple[float, int]]:
    """Of each case of a rule: the sum of its rates over all cells, and in how many it was played."""
    cells = range(len(grid.plan.cells))
    rates = {case: [grid.place(case, cell).rate for cell in cells] for case in grid.of_rule.get(rule, ())}
    played = {case: [float(one) for one in own if one is not None] for case, own in rates.items()}
    return {case: (sum(own), len(own)) for case, own in played.items()}


def _p(one: RuleGate, grid: Grid, sums: dict[int, tuple[float, int]]) -> float | None:
    """Case by case, this cell against the mean of the others, in steps of a hundredth."""
    differences = [
        round(100 * (float(place.rate) - (total - float(place.rate)) / (count - 1)))
        for place in grid.cases(one.rule, one.cell)
        for total, count in (sums[place.case],)
        if place.rate is not None and count > 1
    ]
    return sign_flip(differences, f"{grid.plan.sha} {one.rule} {one.cell}") if differences else None
