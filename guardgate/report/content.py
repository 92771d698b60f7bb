"""What a report holds and in which order, for every format that people read. A format only lays the blocks out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from guardgate.concordance import Across
from guardgate.gate import Gate
from guardgate.record import Attempt
from guardgate.report import sweep, words
from guardgate.report.about import About
from guardgate.report.compared import overall, pair_table, splits
from guardgate.report.exhibit import command, exhibit
from guardgate.report.judges import judges, marks, related
from guardgate.report.sentence import Raw, Sentence, listed, number
from guardgate.report.sure import sure
from guardgate.report.tables import Table, class_table, rule_table, tag_table
from guardgate.summary import Summary

#: How many characters of what the user said, and of a reply.
SAID = 400
REPLY = 800

Mood = Literal["", "good", "bad", "open"]
_MOODS: dict[int, Mood] = {0: "good", 1: "bad", 2: "bad", 3: "open"}


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of a section. Never text from outside. `first`: the verdict itself."""

    text: str
    mood: Mood = ""
    first: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """Sentences, each on lines of its own. `title`: begins something; `deep`: under the ones before."""

    sentences: tuple[Sentence, ...]
    mood: Mood = ""
    title: bool = False
    deep: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """A text from outside, cut after `limit` characters, with the words that decided pointed at."""

    text: str
    words: str | None = None
    limit: int | None = None


Block = Heading | Lines | Quote | Table


def content(
    summary: Summary, gate: Gate, about: About, *, broken: int, brief: bool = False, quiet: bool = False
) -> Iterator[Block]:
    """The blocks of a report. At most `broken` broken attempts; `brief`: only what comes before them.

    `quiet`: no word of any reply, judge or error; ids, counts and the words of the rules stay.
    """
    yield from verdict(summary, gate)
    if brief and gate.code == 3:
        yield Lines(tuple(words.reason(summary)))
    if not brief:
        yield from _broke(summary, about, broken, quiet)
        yield from undecided(summary, about, quiet)
        yield from tables(summary, gate)
        yield from judged(summary, about)
        if not quiet:
            yield from _passes(summary, about)
        yield Heading("The run")
        yield Lines(tuple(words.facts(summary, about)))


def verdict(summary: Summary, gate: Gate) -> Iterator[Block]:
    """The verdict, what it rests on, and what it does not speak of."""
    yield Heading(words.banner(summary, gate), _MOODS[gate.code], first=True)
    if gate.hard_broke:
        yield Lines((words.hard_broke(gate),), "bad")
    below: tuple[Sentence, ...] = (words.below(gate),) if gate.having("below") else ()
    below += (words.deferred(gate),) if gate.having("deferred") else ()
    yield Lines((*below, *words.limits(summary), (words.counts(summary.total),)))


def _broke(summary: Summary, about: About, limit: int, quiet: bool) -> Iterator[Block]:
    if not summary.total.broke:
        return
    yield Heading(f"What broke ({number(summary.total.broke, 'attempt')})")
    shown = _spread(summary)[:limit]
    for attempt in shown:
        yield from (_named if quiet else _exhibited)(summary, attempt, about, "bad")
    left = summary.total.broke - len(shown)
    if left > 0:
        yield Lines(((f"and {left:,} more that broke: ", Raw(command("show", about.results, "N"))),))


def _spread(summary: Summary) -> list[Attempt]:
    """Hard rules first; among them the first break of each rule before the second of any."""
    met: Counter[str] = Counter()
    ranked: list[tuple[bool, int, Attempt]] = []
    for attempt in summary.broken:
        rule = summary.plan.cases[summary.plan.at(attempt.n).case].case.rule
        ranked.append((summary.severity(rule) != "hard", met[rule], attempt))
        met[rule] += 1
    return [attempt for _, _, attempt in sorted(ranked, key=lambda one: one[:2])]


def _exhibited(summary: Summary, attempt: Attempt, about: About, mood: Mood) -> Iterator[Block]:
    one = exhibit(summary.plan, attempt, about.results)
    yield Lines((one.title,), mood, title=True)
    yield Lines(one.before)
    yield Quote(one.said, None, SAID)
    yield Lines((("the reply:",),))
    yield Quote(one.reply, one.words, REPLY)
    yield Lines(one.after)


def _named(summary: Summary, attempt: Attempt, about: About, mood: Mood) -> Iterator[Block]:
    """An attempt without a word of it: who decided, and how to read it."""
    one = exhibit(summary.plan, attempt, about.results)
    by = tuple(dict.fromkeys(finding.by for finding in attempt.findings if finding.outcome == "broke"))
    yield Lines((one.title,), mood, title=True)
    yield Lines((one.before[0], ("decided by ", *listed(by)), one.after[-1]))


def undecided(summary: Summary, about: About, quiet: bool) -> Iterator[Block]:
    """Whose errors left attempts open, by kind."""
    sides = list(words.undecided(summary))
    if not sides:
        return
    yield Heading(f"What is undecided ({number(summary.total.undecided, 'attempt')})")
    for side in sides:
        yield Lines((side.head,))
        yield Lines(tuple(kind[:2] for kind in side.kinds) if quiet else side.kinds, deep=True)
    numbers = words.undecided_attempts(summary)
    if numbers:
        yield Lines(((*numbers, ": ", Raw(command("show", about.results, "N"))),))


def tables(summary: Summary, gate: Gate) -> Iterator[Block]:
    """Counts by rule, cell, class and target, and what they can tell."""
    several = len(summary.plan.cells) > 1
    if several:
        yield Heading("Cells")
        yield sweep.cell_table(summary, gate)
    yield Heading("Rules")
    yield rule_table(summary, gate)
    told = tuple(sure(summary, gate))
    if told:
        yield Heading("What the numbers can tell")
        yield Lines(told)
    if several:
        yield from _sweep(summary, gate)
    else:
        yield Heading("Attack classes")
        yield class_table(summary)
    tags = tag_table(summary)
    if tags.rows:
        yield Heading("Public tags")
        yield tags
    if summary.across is not None:
        yield from _compared(summary.across)


def judged(summary: Summary, about: About) -> Iterator[Block]:
    """Who judged, how well, and what people decided."""
    if summary.judges or summary.fitness or about.judges:
        yield Heading("Judges")
        yield Lines((*judges(summary), *related(about), *marks(summary)))


def _sweep(summary: Summary, gate: Gate) -> Iterator[Block]:
    yield Heading("Rules by cell")
    yield Lines(((sweep.LEGEND,),))
    yield from sweep.rules_by_cell(summary, gate)
    yield Heading("Attack classes by target")
    yield Lines(sweep.named(summary.plan))
    yield from sweep.classes_by_target(summary)
    if len({cell.transform for cell in summary.plan.cells}) > 1:
        yield Heading("Transforms by target")
        yield from sweep.transforms_by_target(summary)


def _compared(across: Across) -> Iterator[Block]:
    yield Heading("Targets compared")
    yield Lines(tuple(overall(across)))
    yield pair_table(across)
    if across.split:
        yield Lines(tuple(splits(across)))


def _passes(summary: Summary, about: About) -> Iterator[Block]:
    if not summary.passes:
        return
    yield Heading(f"A sample of what held ({len(summary.passes)} of {number(summary.total.held, 'attempt')})")
    yield Lines(((words.READ_THESE,),))
    for attempt in summary.passes:
        yield from _exhibited(summary, attempt, about, "")
