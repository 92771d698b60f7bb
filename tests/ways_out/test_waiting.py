"""Time in our own queue is never held against the other side."""

from __future__ import annotations

import asyncio
import time

from guardgate.limits import Budget, Limiter, Patience, ask
from guardgate.model.project import Limits
from guardgate.record import Failure, Reply, Talk

SHORT = 0.05


class Prompt:
    """A backend that answers at once."""

    async def reply(self, talk: Talk) -> Reply | Failure:
        return Reply("No.")


async def _ask(limiter: Limiter, patience: Patience) -> Reply | Failure:
    backend, talk = Prompt(), Talk("t", ("hi",))
    return await ask(backend, talk, limiter, Budget(Limits()), 60, patience)  # type: ignore[arg-type]


def test_a_turn_that_waited_for_its_place_is_still_asked() -> None:
    """Eight attempts at a judge with one place: the last one waits longer than any single answer may take."""

    async def queue() -> Reply | Failure:
        limiter, patience = Limiter(1, None), Patience(SHORT)
        async with limiter.place(Prompt(), Patience(60), line=True):  # type: ignore[arg-type]
            waiting = asyncio.create_task(_ask(limiter, patience))
            while time.monotonic() < patience.until:
                await asyncio.sleep(SHORT)
        return await waiting

    assert isinstance(asyncio.run(queue()), Reply)


def test_a_turn_that_came_too_late_is_not() -> None:
    async def late() -> Reply | Failure:
        return await _ask(Limiter(1, None), Patience(-SHORT))

    outcome = asyncio.run(late())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "timeout"
