"""One attempt in full: the rule, the case, every turn and reply, every finding and score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from guardgate.decider import turns_of
from guardgate.plan import Plan
from guardgate.record import Attempt, Failure, Finding, Reply, Score, Usage
from guardgate.report.content import Heading, Lines, Quote
from guardgate.report.exhibit import about_case, about_rule, turns
from guardgate.report.paint import Paint, painter
from guardgate.report.sentence import Part, Raw, Sentence, joined, number
from guardgate.report.terminal import laid_out

#: How much of a reply is repeated around the words of a finding, in characters.
AROUND = 400
_MOODS = {"held": "good", "broke": "bad", "undecided": "open"}


def render(plan: Plan, attempt: Attempt, *, colour: bool = False) -> Iterator[str]:
    """Everything that the results file holds of the attempt, nothing cut. `attempt` comes with its verdict."""
    paint = painter(colour)
    head = f"attempt {attempt.n}: {attempt.verdict}"
    yield paint(head, _MOODS[attempt.verdict]) + "\n"
    yield _said(paint, about_rule(plan, attempt), about_case(plan, attempt), *_case(plan, attempt))
    yield from _own_words(plan, attempt, paint)
    for turn in range(1, max(len(turns(plan, attempt)), len(attempt.replies)) + 1):
        yield from _turn(plan, attempt, turn, paint)
    if attempt.failure is not None:
        yield _title("No further reply", paint) + _said(paint, *_failure(attempt.failure))
    yield _title("Findings", paint)
    for finding in attempt.findings:
        yield from _finding(finding, attempt, paint)
    for score in attempt.scores:
        yield from _score(score, paint)
    if attempt.notes:
        yield _title("Notes", paint) + _said(paint, *((Raw(note),) for note in attempt.notes))


def _title(name: str, paint: Paint) -> str:
    return laid_out(Heading(name), paint)


def _said(paint: Paint, *sentences: Sentence) -> str:
    return laid_out(Lines(sentences), paint)


def _quoted(paint: Paint, text: str, words: str | None = None, limit: int | None = None) -> str:
    return laid_out(Quote(text, words, limit), paint)


def _case(plan: Plan, attempt: Attempt) -> Iterator[Sentence]:
    """What else stands in the case: what it wants, its files, and how the document arrived."""
    case = plan.cases[plan.at(attempt.n).case].case
    named = {"wants": case.wants, "agent": case.agent, "document": case.document, "delivered": attempt.delivered}
    yield from ((f"{name}: ", Raw(value)) for name, value in named.items() if value)
    yield (*(("started ", Raw(attempt.started), ", ") if attempt.started else ()), f"{attempt.ms:,} ms in all")


def _own_words(plan: Plan, attempt: Attempt, paint: Paint) -> Iterator[str]:
    """What a transform was made from; nothing where the case's own words were sent."""
    if attempt.sent is None:
        return
    yield _title("The case's own words", paint)
    for turn in turns_of(plan.cases[plan.at(attempt.n).case].case):
        yield _quoted(paint, turn)


def _turn(plan: Plan, attempt: Attempt, turn: int, paint: Paint) -> Iterator[str]:
    said = turns(plan, attempt)
    yield _title(f"Turn {turn} of {len(said)}", paint)
    if turn <= len(said):
        yield _said(paint, ("the user" + (" (as sent):" if attempt.sent is not None else ":"),))
        yield _quoted(paint, said[turn - 1])
    if turn > len(attempt.replies):
        yield _said(paint, ("no reply",))
        return
    reply = attempt.replies[turn - 1]
    yield _said(paint, ("the reply (", *joined(_facts(reply), ", "), "):"))
    yield _quoted(paint, reply.text)
    yield from _traces(reply, paint)


def _facts(reply: Reply) -> Iterator[Sentence]:
    yield (f"{reply.ms:,} ms",)
    yield from _usage(reply.usage)
    if reply.model:
        yield ("model ", Raw(reply.model))
    flags = {"copied": reply.copied, "cut off": reply.cut, "tool calls not shown": not reply.traced}
    yield from ((name,) for name, is_set in flags.items() if is_set)


def _usage(usage: Usage | None) -> Iterator[Sentence]:
    if usage is None:
        return
    counts = (("tokens in", usage.input), ("tokens out", usage.output), ("US dollars", usage.usd))
    yield from ((Raw(str(count)), f" {name}") for name, count in counts if count is not None)


def _traces(reply: Reply, paint: Paint) -> Iterator[str]:
    for call in reply.tools:
        yield _said(paint, ("tool call ", Raw(call.name), ":"))
        yield _quoted(paint, as_text(call.arguments))
        if call.result is not None:
            yield _said(paint, ("its result:",)) + _quoted(paint, as_text(call.result))
    if reply.state is not None:
        yield _said(paint, ("state:",)) + _quoted(paint, as_text(reply.state))


def as_text(value: Any) -> str:
    """A text as it is, anything else as indented JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _failure(failure: Failure) -> Iterator[Sentence]:
    turn: tuple[Part, ...] = (" in turn ", Raw(str(failure.turn))) if failure.turn is not None else ()
    tries = number(failure.tries, "try", "tries")
    yield (f"{failure.side}: ", Raw(failure.kind), *turn, f", {tries}: ", Raw(failure.detail))


def _finding(finding: Finding, attempt: Attempt, paint: Paint) -> Iterator[str]:
    at = f", turn {finding.turn}" if finding.turn is not None else ""
    kind: tuple[Part, ...] = (", ", Raw(finding.kind)) if finding.kind else ()
    reason: tuple[Part, ...] = (": ", Raw(finding.why)) if finding.why else ()
    yield _said(paint, (f"{finding.outcome}{at}", *kind, ": ", Raw(finding.by), *reason))
    if finding.words is None:
        return
    turn = finding.turn or 0
    reply = attempt.replies[turn - 1].text if 0 < turn <= len(attempt.replies) else ""
    if reply == finding.words:
        yield _said(paint, (f"the words: all of reply {turn}",))
    else:
        yield _quoted(paint, reply or finding.words, finding.words, len(finding.words) + AROUND)


def _score(score: Score, paint: Paint) -> Iterator[str]:
    yield _title("A judge", paint)
    asked: list[Sentence] = [(f"asked {number(score.asks, 'time')}",)]
    told = (("says ", score.says), ("model ", score.model), ("failure mode ", score.failure_mode))
    asked += [(name, Raw(value)) for name, value in told if value]
    asked += _usage(score.usage)
    scores = (("score ", Raw(name), ": ", Raw(str(value))) for name, value in score.scores.items())
    yield _said(paint, ("judge ", Raw(score.judge), ": ", *joined(asked, ", ")), *scores)
    for quote in score.quotes:
        found = "found in the reply" if quote.verified else "not found in the reply"
        where: Sentence = ("quote for ", Raw(quote.criterion), ", turn ", Raw(str(quote.turn)), f", {found}: ")
        yield _said(paint, (*where, Raw(quote.reason))) + _quoted(paint, quote.text)
    if score.failure is not None:
        yield _said(paint, *_failure(score.failure))
    if score.raw:
        yield _said(paint, ("its answer:",)) + _quoted(paint, score.raw)
