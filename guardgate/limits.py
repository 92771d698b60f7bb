"""Bounds on what a run may ask: budgets, places in flight, waits, and retries."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from dataclasses import replace

from guardgate.backends.base import Backend
from guardgate.model.project import Limits
from guardgate.record import Failure, Reply, Talk, Usage

MAX_TRIES = 5
FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
#: A backend ends a call at its deadline by itself; this much later we end it.
GRACE = 5.0


class Budget:
    """Calls, tokens and dollars left. Asked before each call; None in `limits` is no bound."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.calls = self.tokens = 0
        self.usd = 0.0

    def exhausted(self) -> str | None:
        """Which bound is reached, in words, or None."""
        bounds = (
            ("calls", self.calls, self._limits.calls),
            ("tokens", self.tokens, self._limits.tokens),
            ("cost_usd", self.usd, self._limits.cost_usd),
        )
        for name, used, most in bounds:
            if most is not None and used >= most:
                return f"limits.{name} is reached ({used:g} of {most:g})"
        return None

    def spend(self, usage: Usage | None) -> None:
        """Count what a reply reported."""
        if usage is not None:
            self.tokens += (usage.input or 0) + (usage.output or 0)
            self.usd += usage.usd or 0.0


class Patience:
    """How many seconds an attempt may take. Those in our own queue do not count: the other side had no part in them."""

    def __init__(self, seconds: float) -> None:
        self.until = time.monotonic() + seconds

    def queued(self, seconds: float) -> None:
        """So long it stood in our queue."""
        self.until += seconds


class Limiter:
    """One backend's places in flight, calls a minute, and pauses that it asked for."""

    def __init__(self, concurrency: int, max_rpm: int | None) -> None:
        self._places = asyncio.Semaphore(concurrency)
        self._max_rpm = max_rpm
        self._recent: deque[float] = deque()
        self._not_before = 0.0

    async def __aenter__(self) -> None:
        await self._places.acquire()
        try:
            while (wait := self._wait()) > 0:
                await asyncio.sleep(wait)
        except BaseException:
            self._places.release()
            raise
        if self._max_rpm is not None:
            self._recent.append(time.monotonic())

    async def __aexit__(self, *_: object) -> None:
        self._places.release()

    def _wait(self) -> float:
        now = time.monotonic()
        if self._max_rpm is None:
            return self._not_before - now
        while self._recent and self._recent[0] <= now - 60:
            self._recent.popleft()
        full = len(self._recent) >= self._max_rpm
        return max(self._not_before - now, self._recent[0] + 60 - now if full else 0.0)

    def pause(self, seconds: float) -> None:
        """No call of this backend for so many seconds."""
        self._not_before = max(self._not_before, time.monotonic() + seconds)


async def ask(
    backend: Backend, talk: Talk, limiter: Limiter, budget: Budget, call_seconds: float, patience: Patience
) -> Reply | Failure:
    """One turn, sent again while the other side refused it before processing, and while there is patience."""
    for tries in range(1, MAX_TRIES + 1):
        result = await _once(backend, talk, limiter, budget, call_seconds, patience)
        if isinstance(result, Reply):
            return result
        result = replace(result, tries=tries)
        if result.retry != "resend" or tries == MAX_TRIES:
            return result
        wait = result.after if result.after is not None else _backoff(tries)
        if time.monotonic() + wait >= patience.until:
            return replace(result, detail=f"{result.detail} (asked to wait {wait:.0f} s, longer than the time left)")
        if result.after is not None:
            limiter.pause(wait)
        await asyncio.sleep(wait)
    raise AssertionError("unreachable")


async def _once(
    backend: Backend, talk: Talk, limiter: Limiter, budget: Budget, call_seconds: float, patience: Patience
) -> Reply | Failure:
    came = time.monotonic()
    async with limiter:
        patience.queued(time.monotonic() - came)
        spent = budget.exhausted()
        if spent:
            return Failure("budget", spent)
        now = time.monotonic()
        deadline = min(now + call_seconds, patience.until)
        if deadline <= now:
            return Failure("timeout", "no time was left for this turn")
        budget.calls += 1
        try:
            async with asyncio.timeout(deadline - now + GRACE):
                result = await backend.reply(replace(talk, deadline=deadline))
        except TimeoutError:
            return Failure("timeout", f"no reply within {deadline - now:.0f} s")
        budget.spend(result.usage if isinstance(result, Reply) else None)
        return result


def _backoff(tries: int) -> float:
    """Exponential with full jitter, in seconds."""
    return random.uniform(0.5, 1.0) * min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (tries - 1))  # noqa: S311 - jitter
