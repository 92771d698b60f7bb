"""Asks judges: a fresh nonce a call, a bounded number of re-asks, and scores or the reason why there are none."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from guardgate.backends.base import Backend
from guardgate.budget import Budget
from guardgate.intake import Intake
from guardgate.judging.answer import Invalid, Unparseable, parse
from guardgate.judging.panel import Panel, rule
from guardgate.judging.question import Escaped, Question, answer_schema, system_message, user_message
from guardgate.judging.quotes import verified
from guardgate.judging.vote import Bar, vote
from guardgate.limits import Limiter, Patience, ask
from guardgate.model.project import Target
from guardgate.record import Failure, Reply, Score, Talk, Usage
from guardgate.stopping import FROM, Contact

#: How often one judge is asked about one transcript.
MAX_ASKS = 3
#: What a judge's `response_format` says to have its answer constrained by the schema of the call.
CONSTRAINED = "scores"


@dataclass(frozen=True, slots=True)
class Judge:
    """One judge of a run: its backend, settings, places in flight, and whether it is still there."""

    name: str
    backend: Backend
    settings: Target
    limiter: Limiter
    contact: Contact = field(default_factory=Contact)


@dataclass(frozen=True)
class Jury:
    """The judges of a run by name, and how they agree."""

    judges: Mapping[str, Judge]
    panel: Panel
    call_seconds: float
    intake: Intake
    budget: Budget


async def scores(jury: Jury, question: Question, talk_id: str, until: float) -> tuple[Score, ...]:
    """The scores of every judge of the panel, side by side; of the escalation judge too where they leave it open."""
    bar = Bar(question.floors, question.criteria, question.pass_threshold)
    named = await asyncio.gather(*(score(jury, name, question, talk_id, until) for name in jury.panel.judges))
    votes = [vote(one, bar, question.replies) for one in named]
    if jury.panel.escalate is None or rule(jury.panel, votes).vote.decided:
        return tuple(named)
    return (*named, await score(jury, jury.panel.escalate, question, talk_id, until))


async def score(jury: Jury, name: str, question: Question, talk_id: str, until: float) -> Score:
    """What one judge says, asked again while its answer is of no use. Never raises for a judge's doing."""
    judge = jury.judges[name]
    bar = Bar(question.floors, question.criteria, question.pass_threshold)
    last = Score(name, failure=Failure("unreachable", "was not asked"))
    usage = Usage()
    for asks in range(1, MAX_ASKS + 1):
        last = await _once(jury, judge, question, f"{talk_id}-{name}-{asks}", until)
        usage = _plus(usage, last.usage)
        last = replace(last, asks=asks, usage=usage)
        if last.failure is not None and last.failure.kind in ("unreachable", "budget"):
            return last
        opinion = vote(last, bar, question.replies)
        if opinion.decided or asks == MAX_ASKS:
            return last
        question = replace(question, complaint=opinion.why)
    raise AssertionError("unreachable")


async def _once(jury: Jury, judge: Judge, question: Question, talk_id: str, until: float) -> Score:
    nonce = secrets.token_hex(8)
    try:
        talk = Talk(
            talk_id,
            (user_message(question, nonce),),
            system=system_message(question, nonce),
            params=_params(judge.settings.params, question, nonce),
        )
    except Escaped:
        return Score(judge.name, failure=Failure("unparseable", "a text contained the nonce of its frame"))
    patience = Patience(min(until - time.monotonic(), 2 * jury.call_seconds))
    result = await ask(judge.backend, talk, judge.limiter, jury.budget, jury.call_seconds, patience)
    await judge.backend.forget(talk_id)
    judge.contact.heard(result)
    if isinstance(result, Failure):
        failure = jury.intake.failure(result)
        gone = judge.contact.ended("\n".join(question.turns), failure, FROM)
        known = _unreachable(failure)
        return Score(judge.name, failure=replace(known, detail=gone, fatal=True) if gone else known)
    return _read(judge.name, jury.intake.reply(result).reply, question, nonce)


def _params(params: Mapping[str, Any], question: Question, nonce: str) -> dict[str, Any]:
    if params.get("response_format") != CONSTRAINED:
        return dict(params)
    schema = {"name": "scores", "strict": True, "schema": answer_schema(question, nonce)}
    return {**params, "response_format": {"type": "json_schema", "json_schema": schema}}


def _unreachable(failure: Failure) -> Failure:
    """A judge's failure is the judge's, whatever a target's would be called; a spent budget stays ours."""
    if failure.kind == "budget":
        return failure
    return Failure("unreachable", f"{failure.kind}: {failure.detail}", fatal=failure.fatal, tries=failure.tries)


def _read(name: str, reply: Reply, question: Question, nonce: str) -> Score:
    said = Score(name, raw=reply.text, usage=reply.usage, model=reply.model)
    if reply.cut:  # what follows might have taken it back
        return replace(said, failure=Failure("unparseable", "the answer broke off"))
    try:
        answer = parse(reply.text, question, nonce)
    except Unparseable as reason:
        return replace(said, failure=Failure("unparseable", str(reason)))
    except Invalid as reason:
        return replace(said, failure=Failure("scores_invalid", str(reason)))
    quotes = verified(answer.quotes, question.replies)
    return replace(said, scores=answer.scores, quotes=quotes, says=answer.says, failure_mode=answer.failure_mode)


def _plus(one: Usage, other: Usage | None) -> Usage:
    if other is None:
        return one
    return Usage(_sum(one.input, other.input), _sum(one.output, other.output), _sum(one.usd, other.usd))


def _sum(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else one + other
