"""Bounds on how a run asks: places in flight, calls a minute, pauses, and how often a turn is sent again."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from guardgate.backends.base import Backend
from guardgate.budget import Budget
from guardgate.pace import Pace
from guardgate.record import Failure, Reply, Talk

__all__ = ["Budget", "Limiter", "Patience", "ask"]

#: How often a turn is sent. Refusals by a rate limit do not count: those are bounded by time alone.
MAX_TRIES = 5
FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
#: A backend ends a call at its deadline by itself; this much later we end it.
GRACE = 5.0
#: Seconds between two looks at a wait, which may have become longer or shorter.
LOOK = 0.25


class Patience:
    """How many seconds an attempt may take. Those in our own line do not count: the other side had no part in them."""

    def __init__(self, seconds: float) -> None:
        self.until = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left; 0 where none is."""
        return max(0.0, self.until - time.monotonic())


class TooLateError(Exception):
    """A call could not start in time; the words say why."""


class Limiter:
    """One backend's places in flight, calls a minute, learnt pace, and pauses that it asked for.

    `shared` are the places of the whole run. They are taken last, so that a backend that waits holds up no other.
    """

    def __init__(self, concurrency: int, max_rpm: int | None, shared: asyncio.Semaphore | None = None) -> None:
        self._places = asyncio.Semaphore(concurrency)
        self._shared = shared if shared is not None else asyncio.Semaphore(concurrency)
        self._door = asyncio.Lock()
        self._max_rpm = max_rpm
        self._recent: deque[float] = deque()
        self.pace = Pace()

    @asynccontextmanager
    async def place(self, backend: Backend, patience: Patience, *, line: bool) -> AsyncIterator[float]:
        """A place for one call, first come first served; gives the time. Raises TooLateError.

        `line`: the turn was not sent yet, so the patience stands still.
        """
        left = patience.until - time.monotonic() if line else None
        async with self._places:
            async with self._door:
                while (now := await self._open(backend, patience, left)) is None:
                    pass
                if self._max_rpm is not None:
                    self._recent.append(now)
            try:
                yield now
            finally:
                self._shared.release()

    async def _open(self, backend: Backend, patience: Patience, left: float | None) -> float | None:
        """Wait until a call may start; the time, with a place of the run, or None where a pause came in between."""
        while (wait := self._wait(backend, patience, left)) > 0:
            await asyncio.sleep(min(wait, LOOK))
        await self._shared.acquire()
        try:
            free = self._wait(backend, patience, left) <= 0
        except TooLateError:
            free = False  # the next look says so
        if free:
            return time.monotonic()
        self._shared.release()
        return None

    def _wait(self, backend: Backend, patience: Patience, left: float | None) -> float:
        now = time.monotonic()
        if left is not None:
            patience.until = now + left
        if self.pace.resumes > patience.until:
            raise TooLateError(f"is not to be called for {self.pace.resumes - now:.0f} s, longer than the time left")
        hint: float = getattr(backend, "not_before", 0.0)
        opens = max(self.pace.opens, hint if hint <= patience.until else 0.0)
        if self._max_rpm is not None:
            while self._recent and self._recent[0] <= now - 60:
                self._recent.popleft()
            if len(self._recent) >= self._max_rpm:
                opens = max(opens, self._recent[0] + 60)
        return opens - now


async def ask(
    backend: Backend, talk: Talk, limiter: Limiter, budget: Budget, call_seconds: float, patience: Patience
) -> Reply | Failure:
    """One turn, sent again while the other side refused it before processing, as long as the patience lasts."""
    last: Failure | None = None
    tries = counted = 0
    while True:
        try:
            result = await _once(backend, talk, limiter, budget, call_seconds, patience, line=last is None)
        except TooLateError as reason:
            return _too_late(last, reason, nobody=limiter.pace.silent >= MAX_TRIES)
        if isinstance(result, Reply):
            return result
        if last is not None and last.kind == "rate_limited" and result.kind == "timeout" and not patience.left:
            late = TooLateError("did not answer in the time that was left then")
            return _too_late(last, late, nobody=limiter.pace.silent >= MAX_TRIES)
        tries += 1
        last = replace(result, tries=tries)
        limited = last.kind == "rate_limited"
        counted += not limited
        if last.retry != "resend" or counted >= MAX_TRIES:
            return last
        wait = 0.0 if limited or last.after is not None else _backoff(counted)
        if time.monotonic() + wait >= patience.until:
            return last
        await asyncio.sleep(wait)


async def _once(
    backend: Backend, talk: Talk, limiter: Limiter, budget: Budget, call_seconds: float, patience: Patience, *,
    line: bool,
) -> Reply | Failure:  # fmt: skip
    """One call, when there is a place for it. Raises TooLateError where there is none in time."""
    try:
        async with asyncio.timeout(None if line else patience.left) as clock:
            async with limiter.place(backend, patience, line=line) as now:
                clock.reschedule(None)
                return await _call(backend, talk, limiter, budget, min(now + call_seconds, patience.until))
    except TimeoutError as error:
        raise TooLateError("was still refusing calls when the time was over") from error


async def _call(backend: Backend, talk: Talk, limiter: Limiter, budget: Budget, deadline: float) -> Reply | Failure:
    spent = budget.exhausted()
    if spent:
        return Failure("budget", spent)
    began = time.monotonic()
    if deadline <= began:
        return Failure("timeout", "no time was left for this turn")
    budget.begin()
    limiter.pace.start(began)
    result: Reply | Failure | None = None
    try:
        async with asyncio.timeout(deadline - began + GRACE):
            result = await backend.reply(replace(talk, deadline=deadline))
    except TimeoutError:
        result = Failure("timeout", f"no reply within {deadline - began:.0f} s")
    finally:
        received = result.partial if isinstance(result, Failure) else result
        budget.end(received.usage if received else None)
        _learn(limiter.pace, result, began)
    return result


def _learn(pace: Pace, result: Reply | Failure | None, began: float) -> None:
    """Tell the pace what came of a call; of one that was lost nobody knows whether it was taken."""
    if result is None or (isinstance(result, Failure) and result.kind in ("connection", "timeout")):
        pace.lose()
    elif isinstance(result, Failure) and (result.busy or result.kind == "rate_limited"):
        pace.refuse(time.monotonic(), began, result.after)
    else:
        pace.answer(time.monotonic(), began)


def _too_late(last: Failure | None, reason: TooLateError, *, nobody: bool) -> Failure:
    """What is known of a turn that found no place. Where nobody was answered for long, nobody will be."""
    if last is None:
        return Failure("rate_limited", f"not sent: the other side {reason}", tries=0)
    return replace(last, detail=f"{last.detail} (it {reason})", fatal=last.fatal or nobody)


def _backoff(tries: int) -> float:
    """Exponential with jitter, in seconds."""
    return random.uniform(0.5, 1.0) * min(LONGEST_WAIT, FIRST_WAIT * 3.0 ** (tries - 1))  # noqa: S311 - jitter
