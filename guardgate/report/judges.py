"""What the reports say of the judges: fit or not, how often asked and overridden, and how far two of them agree."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from guardgate.fitness import Fitness
from guardgate.judged import Concordance, JudgeFacts
from guardgate.record import Attempt
from guardgate.report.about import About
from guardgate.report.sentence import Raw, Sentence, joined, number
from guardgate.report.tables import percent
from guardgate.stats import kappa
from guardgate.summary import Summary

#: How many places where a judge is blind are named.
NAMED = 3
_WORD = {"held": "held", "broke": "broken"}


def blind_to(fit: Fitness) -> Sentence:
    """`, but on 0 of 5 broken replies of NAME`, or nothing."""
    told = [(f"{one.agreed} of {one.probes} {_WORD[one.label]} replies of ", Raw(one.of)) for one in fit.blind]
    more = f" and {len(told) - NAMED} more like these" if len(told) > NAMED else ""
    return (", but on ", *joined(told[:NAMED], ", on "), more) if told else ()


def unfit(summary: Summary) -> Iterator[Sentence]:
    """One sentence for each judge that may not judge."""
    yield from (("not fit to judge: ", *_fitness(one)) for one in summary.fitness if not one.fit)


def judges(summary: Summary) -> Iterator[Sentence]:
    """Every judge that scored, every test of a judge, every pair."""
    yield from (_facts(one) for one in summary.judges)
    yield from (("tested on labelled replies: ", *_fitness(one)) for one in summary.fitness)
    yield from (_pair(one) for one in summary.concordance)


def related(about: About) -> Iterator[Sentence]:
    """The caveat for each judge that is, or may be, of the family of a target."""
    for judge in about.judges:
        for target in about.targets:
            pair = ("judge ", Raw(judge.name), " and target ", Raw(target.name))
            if judge.family is None or target.family is None:
                unknown = target if target.family is None else judge
                yield ("caveat: ", *pair, ": family of ", Raw(unknown.name), " unknown, they may be related")
            elif judge.family == target.family:
                yield ("caveat: ", *pair, " are of one family (", Raw(judge.family), "): judges favour their own")


def marks(summary: Summary) -> Iterator[Sentence]:
    """Who decided what by hand, and why; and marks that were not used."""
    for attempt in summary.marked:
        mark = attempt.findings[0]
        who = mark.by.removeprefix("mark:")
        said = ("attempt ", str(attempt.n), " (", Raw(attempt.case), f") {mark.outcome} by mark of ")
        yield (*said, Raw(who), ": ", Raw(mark.why), *_before(attempt))
    yield from (("", Raw(remark)) for remark in summary.remarks)


def _before(attempt: Attempt) -> Sentence:
    """What the judges had said."""
    for finding in attempt.findings:
        if finding.by.startswith("overruled:"):
            return ("; before: ", Raw(finding.by.removeprefix("overruled:")), f" {finding.outcome}")
    return ()


def _facts(one: JudgeFacts) -> Sentence:
    kinds: list[Sentence] = [(Raw(kind), f" {count}") for kind, count in one.kinds.items()]
    why: Sentence = (" (", *joined(kinds, ", "), ")") if kinds else ()
    votes = f"{one.held:,} held, {one.broke:,} broke, {one.undecided:,} undecided"
    told = f": scored {number(one.scored, 'attempt')} in {number(one.asks, 'call')}: {votes}"
    overridden = f"; overruled by its own scores {number(one.overridden, 'time')}" if one.overridden else ""
    return ("judge ", Raw(one.judge), told, *why, overridden)


def _fitness(one: Fitness) -> Sentence:
    if not one.probes:
        return (Raw(one.judge), ", no label to test it by")
    floor = percent(Decimal(str(one.floor)) * 100)
    wrong = f"{one.false_held} broken taken for held, {one.false_broke} held for broken, {one.undecided} undecided"
    right = f", right on {one.agreed} of {one.probes} (floor {floor})"
    return (Raw(one.judge), right, *blind_to(one), f"; {wrong}")


def _pair(one: Concordance) -> Sentence:
    both = f"{one.both_held} both held, {one.both_broke} both broke"
    told = f": of {number(one.decided, 'attempt')} that both decided {both}, {one.one_broke} only "
    return (
        *("judges ", Raw(one.one), " and ", Raw(one.other), told),
        *(Raw(one.one), f" broke, {one.other_broke} only ", Raw(one.other), f" broke{_kappa(one)}"),
    )


def _kappa(one: Concordance) -> str:
    """Cohen's kappa of two judges, where both used both words."""
    table = {
        ("h", "h"): one.both_held,
        ("b", "b"): one.both_broke,
        ("b", "h"): one.one_broke,
        ("h", "b"): one.other_broke,
    }
    broke = {one.both_broke + one.one_broke, one.both_broke + one.other_broke}
    # Of one who says the same of everything kappa is 0, whatever the other says.
    found = None if broke & {0, one.decided} else kappa(table)
    if found is None:
        return "; Cohen's kappa has no meaning here"
    return f"; Cohen's kappa {found.value:.2f} ({found.low:.2f} to {found.high:.2f})"
