"""Stand-ins for services with limits, for the loop of `travel`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from guardgate.budget import Budget
from guardgate.limits import Limiter, Patience, ask
from guardgate.model.project import Limits
from guardgate.record import Failure, Reply, Talk

LIMITED = Failure("rate_limited", "HTTP 429: too many", "resend", busy=True)


@dataclass
class Service:
    """Answers each call as `says` decides, `seconds` later; keeps when each call came, and how many were there."""

    says: Callable[[float], Reply | Failure]
    seconds: float = 0.01
    not_before: float = 0.0
    came: list[float] = field(default_factory=list)
    refused: int = 0
    most: int = 0
    _here: int = 0

    async def reply(self, talk: Talk) -> Reply | Failure:
        self.came.append(time.monotonic())
        self._here += 1
        self.most = max(self.most, self._here)
        try:
            await asyncio.sleep(self.seconds)
            said = self.says(time.monotonic())
            self.refused += isinstance(said, Failure)
            return said
        finally:
            self._here -= 1


def in_turn(*outcomes: Reply | Failure) -> Callable[[float], Reply | Failure]:
    """These outcomes one after the other; the last one stays."""
    rest: Iterator[Reply | Failure] = iter(outcomes)
    return lambda _: next(rest, outcomes[-1])


@dataclass
class Bucket:
    """A token bucket. `after`: the seconds it says to wait, from those there are until the next token."""

    rate: float
    burst: float
    after: Callable[[float], float] | None = None
    tokens: float = -1.0
    at: float = 0.0

    def __call__(self, now: float) -> Reply | Failure:
        if self.tokens < 0:
            self.tokens, self.at = self.burst, now
        self.tokens, self.at = min(self.burst, self.tokens + (now - self.at) * self.rate), now
        if self.tokens >= 1:
            self.tokens -= 1
            return Reply("No.")
        wait = (1 - self.tokens) / self.rate
        after = None if self.after is None else self.after(wait)
        return Failure("rate_limited", "HTTP 429: too many", "resend", after, busy=True)


async def calls(
    service: Service, count: int, in_flight: int, *, seconds: float = 300.0, limiter: Limiter | None = None,
    budget: Budget | None = None, call_seconds: float = 60.0,
) -> list[Reply | Failure]:  # fmt: skip
    """So many turns, so many at once, each with so many seconds of patience."""
    limiter, budget = limiter or Limiter(in_flight, None), budget or Budget(Limits())
    numbers = iter(range(count))
    done: list[Reply | Failure] = []

    async def slot() -> None:
        for number in numbers:
            talk, patience = Talk(str(number), ("hi",)), Patience(seconds)
            done.append(await ask(service, talk, limiter, budget, call_seconds, patience))  # type: ignore[arg-type]

    await asyncio.gather(*(slot() for _ in range(in_flight)))
    return done
