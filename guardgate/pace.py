"""How fast calls may start where nobody says it: learnt from what is answered and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import uniform

#: The first pause after a refusal, in seconds; it doubles while nothing is answered, up to the longest.
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 30.0
#: After a refusal the pace begins so far under what is thought to be the limit, and comes back to it in a curve.
DOWN = 0.1
#: How long the way back takes: seconds at least and at most, calls at least, pauses at least.
BACK_SECONDS, BACK_MOST, BACK_CALLS, BACK_PAUSES = 2.0, 30.0, 25, 10
#: So many seconds may be caught up when a start came late.
LATE = 0.05
#: Slower than one call in so many seconds is no pace.
SLOWEST = 1 / LONGEST_PAUSE


class Pace:
    """Calls a second; no bound before the first refusal. Every time is monotonic, in seconds.

    After a refusal nothing starts for a while, then calls start one by one: a little slower than the limit is thought
    to be, at the limit a while later, and faster and faster beyond it until the next refusal (CUBIC, with calls a
    second in place of a window). Refusals of calls that were under way already say nothing new.
    """

    def __init__(self, jitter: Callable[[float, float], float] = uniform) -> None:
        self._jitter = jitter
        self._limit: float | None = None
        self._back = BACK_SECONDS
        self._burst = math.inf
        self._refused_at = -math.inf
        self._resumes = self._next = 0.0
        self._since: float | None = None
        self._started = self._answered = 0
        self.silent = 0
        self._gap = 0.0

    @property
    def opens(self) -> float:
        """When the next call may start."""
        return max(self._resumes, self._next)

    @property
    def resumes(self) -> float:
        """When the last pause ends."""
        return self._resumes

    def rate(self, now: float) -> float | None:
        """Calls a second, or None where there is no bound."""
        if self._limit is None:
            return None
        way = max(0.0, now - self._resumes) / self._back - 1
        return max(SLOWEST, self._limit * (1 + DOWN * way**3))

    def start(self, now: float) -> None:
        """A call starts."""
        if self._since is None:
            self._since = now
        self._started += 1
        rate = self.rate(now)
        if rate is not None:
            self._next = max(self._next, now - LATE) + (self._gap or 1 / rate)

    def answer(self, now: float) -> None:
        """A call was not refused."""
        self._answered += 1
        if self._gap and self._limit is not None and self._since is not None:
            # after a silence the truth lies between the pace before and one call in all that time
            rate = self.rate(now) or self._limit
            self._believe(min(rate, math.sqrt(rate / max(now - self._since, LATE))), 0.0)
            self._resumes, self._next = now, now + 1 / self._limit
        self.silent, self._gap = 0, 0.0

    def refuse(self, now: float, started: float, after: float | None) -> None:
        """A call that started then was refused, and we were asked to wait (None: we were not)."""
        if started <= self._refused_at:
            self._resumes = max(self._resumes, now + (after or 0.0))
            return
        pause = self._pause() if after is None else after
        if self.silent == 0:
            self._learn(now, pause)
        self.silent += 1
        if self.silent > 1:
            self._gap = min(LONGEST_PAUSE, max(pause, FIRST_PAUSE))  # one call at a time, until one is answered
        self._refused_at = now
        self._resumes = self._next = now + pause

    def _pause(self) -> float:
        return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**self.silent) * self._jitter(0.75, 1.25)

    def _learn(self, now: float, pause: float) -> None:
        """What the other side takes, from what it took since the refusal before."""
        since = now if self._since is None else self._since
        elapsed = max(now - since, 0.001)
        rate = self.rate(now) or self._started / elapsed
        if self._answered:
            self._burst = min(self._burst, self._answered)
        self._believe(min(rate, self._guess(now, elapsed, rate)), pause)
        self._since, self._started, self._answered = now, 0, 0

    def _guess(self, now: float, elapsed: float, rate: float) -> float:
        """Calls a second that it takes. `rate` was too many; it can take a burst at once that it saved while idle."""
        if self._limit is None:
            return (self._answered / elapsed or rate) / 2
        moving = max(min(elapsed, now - self._resumes), 0.001)
        # whether a pause still filled its bucket, or the bucket was full already, cannot be seen: half of it counts
        taken = self._answered / (moving + (elapsed - moving) / 2)
        enough = self._answered >= 3 * self._burst
        if enough:
            taken = max(taken, (self._answered - self._burst) / moving)
        if enough and self._limit * (1 - DOWN) > taken:
            return taken
        return math.sqrt(max(taken, rate / 16) * rate)

    def _believe(self, limit: float, pause: float) -> None:
        moving = 0.0 if self._since is None else max(0.0, self._refused_at - self._since)
        self._limit = max(SLOWEST, limit)
        self._back = min(BACK_MOST, max(BACK_SECONDS, moving / 2, BACK_PAUSES * pause, BACK_CALLS / self._limit))
