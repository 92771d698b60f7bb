"""Puts stored transcripts to judges, several at once, without a call to a target."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from guardgate.engine import question_of
from guardgate.judging.question import Question
from guardgate.jury import Jury, scores
from guardgate.model.project import Run
from guardgate.plan import Plan
from guardgate.record import Attempt, Failure, Score
from guardgate.stopping import Stop
from guardgate.summary import redecided
from guardgate.verdict import incomplete, needs_judge


async def judge_stored(
    attempts: Iterable[Attempt], planned: Plan, jury: Jury, stop: Stop, settings: Run, write: Callable[[Attempt], None]
) -> None:
    """As many attempts at once as the run allows, read one by one; a stop leaves the rest unjudged, and said so."""
    waiting: set[asyncio.Task[Attempt]] = set()
    ends = time.monotonic() + settings.limits.run_minutes * 60
    stopped: asyncio.Task[Any] = asyncio.create_task(stop.now.wait())
    try:
        for attempt in attempts:
            waiting.add(asyncio.create_task(_judged(attempt, planned, jury, stop, ends)))
            if len(waiting) >= settings.concurrency:
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
    decider = planned.decider(spot)
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
        question = question_of(planned, spot.case, copied, attempt.sent)
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
