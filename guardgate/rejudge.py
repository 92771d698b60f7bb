"""Judges again what a results file holds: stored replies, other judges or another prompt, no call to the target."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from guardgate.engine import question_of
from guardgate.errors import Refused
from guardgate.intake import Intake
from guardgate.judging.panel import Panel
from guardgate.judging.question import Question
from guardgate.jury import Jury, scores
from guardgate.limits import Budget
from guardgate.opening import Order, close, open_all
from guardgate.plan import Plan
from guardgate.planning import asked, judge_sha, plan_sha
from guardgate.record import Attempt, Failure, Score
from guardgate.recording import anchored, begin, end_line, head_line
from guardgate.results import Results, Writer
from guardgate.stopping import Stop, signals
from guardgate.summary import redecided
from guardgate.verdict import incomplete, needs_judge


async def rejudge(order: Order, stored: Results, shown: Callable[[Plan, Attempt | None], None]) -> Path:
    """Write a new results file with the stored replies and new scores. Raises Unavailable before anything is judged."""
    panel = Panel(order.settings.judges, order.settings.agreement, order.settings.escalate)
    if not panel.judges:
        raise Refused("--rejudge", "no judge", "at least one", "name one with --judge, or under judges of the run")
    judging = replace(order, settings=order.settings.model_copy(update={"targets": ()}))
    shas = {name: judge_sha(order.loaded, name, order.environ) for name in asked(panel)}
    planned = replace(stored.plan, panel=panel, sha=plan_sha(stored.plan.core, panel, shas))
    stop = Stop()
    with signals(stop):
        opened, _ = await open_all(judging, stop)
        try:
            intake, budget = Intake(opened.secrets), Budget(order.settings.limits)
            jury = Jury(opened.judges, panel, order.settings.limits.call_seconds, intake, budget)
            head = head_line(order, planned, opened)
            inherited = {key: stored.head[key] for key in ("targets", "git", "files")}
            with Writer(order.out, intake.redact) as writer:
                begin(writer, planned, {**head, **inherited, "rejudged": stored.head["plan"]})
                try:
                    await anchored(order, planned, jury, stop, writer)
                    shown(planned, None)
                    await _all(order, stored, planned, jury, stop, lambda one: _write(writer, one, planned, shown))
                finally:
                    writer.line({**end_line(stop, budget), **_inherited_end(stored, stop)})
        finally:
            await close(opened.players, opened.judges)
    return order.out


def _inherited_end(stored: Results, stop: Stop) -> dict[str, object]:
    """What kept attempts from being played still keeps them from being there."""
    before = stored.end() or {}
    kept: dict[str, object] = {"stopped": before.get("stopped") or {}}
    if stop.reason is None:
        kept |= {"reason": before.get("reason"), "kind": before.get("kind")}
    return kept


def _write(writer: Writer, one: Attempt, planned: Plan, shown: Callable[[Plan, Attempt | None], None]) -> None:
    writer.attempt(one)
    shown(planned, one)


async def _all(
    order: Order, stored: Results, planned: Plan, jury: Jury, stop: Stop, write: Callable[[Attempt], None]
) -> None:
    """As many attempts at once as the run allows, read one by one; a stop leaves the rest unjudged, and said so."""
    waiting: set[asyncio.Task[Attempt]] = set()
    ends = time.monotonic() + order.settings.limits.run_minutes * 60
    stopped: asyncio.Task[Any] = asyncio.create_task(stop.now.wait())
    try:
        for attempt in stored.attempts():
            waiting.add(asyncio.create_task(_judged(attempt, planned, jury, stop, ends)))
            if len(waiting) >= order.settings.concurrency:
                waiting = await _next(waiting, stopped, write)
        while waiting:
            waiting = await _next(waiting, stopped, write)
    finally:
        stopped.cancel()


async def _next(
    waiting: set[asyncio.Task[Attempt]], stopped: asyncio.Task[Any], write: Callable[[Attempt], None]
) -> set[asyncio.Task[Attempt]]:
    both: set[asyncio.Task[Any]] = {*waiting, stopped}
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    if stopped.done():
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
    for task in (task for task in waiting if task.done()):
        write(task.result())
    return {task for task in waiting if not task.done()}


async def _judged(attempt: Attempt, planned: Plan, jury: Jury, stop: Stop, ends: float) -> Attempt:
    """The stored attempt with new scores. Where nothing is asked, its own words still decide."""
    spot = planned.at(attempt.n)
    decider = planned.deciders[spot.case]
    copied = tuple(replace(reply, copied=True) for reply in attempt.replies)
    failure = attempt.failure
    if (
        failure is not None
        and failure.side != "target"
        and incomplete(decider, copied, None, attempt.delivered) is None
    ):
        failure = None  # only the judging was missing: every turn has its reply
    attempt = replace(attempt, replies=copied, failure=failure, scores=())
    if needs_judge(decider, copied, failure, attempt.delivered):
        question = question_of(planned, spot.case, copied)
        attempt = replace(attempt, scores=await _scored(jury, question, f"{planned.sha[:8]}-{spot.n}", stop, ends))
    return redecided(planned, attempt)


async def _scored(jury: Jury, question: Question, talk_id: str, stop: Stop, ends: float) -> tuple[Score, ...]:
    """What the judges say; after a stop, that they were not asked. The transcript stays whole for another time."""
    if stop.reason is None:
        try:
            said = await scores(jury, question, f"{talk_id}-judged", ends)
        except asyncio.CancelledError:
            if not stop.now.is_set():
                raise
        else:
            _heed(stop, said)
            return said
    why = Failure(stop.kind, stop.reason or "stopped")
    return tuple(Score(name, asks=0, failure=why) for name in jury.panel.judges)


def _heed(stop: Stop, said: tuple[Score, ...]) -> None:
    """A judge that can only fail is not asked about the rest."""
    for score in said:
        if score.failure is not None and score.failure.fatal:
            stop.gently(f"the judge {score.judge} can only fail: {score.failure.detail}", "unreachable")
