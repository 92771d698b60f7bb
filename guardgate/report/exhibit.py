"""From an attempt to what a reader needs to see of it: rule, case, place, turn, words, reasons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guardgate.decider import turns_of
from guardgate.plan import Plan
from guardgate.record import Attempt, Finding
from guardgate.report.sentence import Raw, Sentence, clipped, number

#: How many further findings of one attempt are told.
OTHERS = 3
_UNTOLD = Finding("guardgate", "broke", None, None, "no finding was recorded")


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One attempt at one turn: what stands before the user's words, both texts, and what stands after the reply."""

    title: Sentence
    before: tuple[Sentence, ...]
    said: str
    reply: str
    words: str | None
    after: tuple[Sentence, ...]


def exhibit(plan: Plan, attempt: Attempt, results: str) -> Exhibit:
    """The attempt at the turn of its first break, or at its last turn where nothing broke."""
    broke = [finding for finding in attempt.findings if finding.outcome == "broke"]
    if attempt.verdict == "broke" and not broke:
        broke = [_UNTOLD]
    said = turns(plan, attempt)
    turn = (broke[0].turn if broke else None) or len(attempt.replies) or 1
    return Exhibit(
        title=about_rule(plan, attempt),
        before=(about_case(plan, attempt), *_plainly(plan, attempt, turn), (_said(attempt, turn, len(said)),)),
        said=said[turn - 1] if 0 < turn <= len(said) else "",
        reply=attempt.replies[turn - 1].text if 0 < turn <= len(attempt.replies) else "",
        words=broke[0].words if broke else None,
        after=(*_reasons(attempt, broke), ("whole: ", Raw(command("show", results, str(attempt.n))))),
    )


def _said(attempt: Attempt, turn: int, turns: int) -> str:
    return f"turn {turn} of {turns}, the user said{'' if attempt.sent is None else ' (as sent)'}:"


def _plainly(plan: Plan, attempt: Attempt, turn: int) -> Iterator[Sentence]:
    """What a transform made hard to read, in the case's own words."""
    if attempt.sent is not None:
        own = turns_of(plan.cases[plan.at(attempt.n).case].case)
        yield ("in the case's own words: ", clipped(own[min(max(turn, 1), len(own)) - 1]))


def _reasons(attempt: Attempt, broke: list[Finding]) -> Iterator[Sentence]:
    for place, finding in enumerate(broke[: OTHERS + 1]):
        yield ("also broke: " if place else "why: ", Raw(finding.by), ": ", clipped(finding.why or "no reason given"))
    if len(broke) > OTHERS + 1:
        yield (f"and {number(len(broke) - OTHERS - 1, 'finding')} more",)
    for hole in [finding for finding in attempt.findings if finding.outcome == "undecided"][:1]:
        yield ("undecided too: ", Raw(hole.kind or "unknown"), ": ", clipped(hole.why))


def turns(plan: Plan, attempt: Attempt) -> tuple[str, ...]:
    """What the user said in this attempt: as sent, where that differs from the case."""
    return attempt.sent if attempt.sent is not None else turns_of(plan.cases[plan.at(attempt.n).case].case)


def about_rule(plan: Plan, attempt: Attempt) -> Sentence:
    """Severity, id and statement of the rule."""
    rule = plan.rule_index[plan.cases[plan.at(attempt.n).case].case.rule].rule
    return (f"{rule.severity} rule ", Raw(rule.id), ": ", Raw(rule.rule))


def about_case(plan: Plan, attempt: Attempt) -> Sentence:
    """Id, class and place of the case, and the cell and repeat where there are several."""
    spot = plan.at(attempt.n)
    case = plan.cases[spot.case]
    cell = (", cell ", Raw(plan.cells[spot.cell].name)) if len(plan.cells) > 1 else ()
    repeat = (f", repeat {spot.repeat + 1} of {plan.repeats}",) if plan.repeats > 1 else ()
    place = (", at ", Raw(f"{case.file}:{case.line}"))
    return (f"attempt {spot.n}, case ", Raw(case.case.id), ", class ", Raw(case.attack), *place, *cell, *repeat)


def command(name: str, results: str, *arguments: str) -> str:
    """A command on a results file, as a reader can type it."""
    plain = bool(results) and all(char.isalnum() or char in "._-/:\\" for char in results)
    return " ".join(["guardgate", name, results if plain else f'"{results}"', *arguments])
