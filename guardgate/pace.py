"""How fast calls may start where nobody says it: learnt from what is answered and what is refused."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import uniform

#: The first pause after a refusal, in seconds; it doubles while nothing is answered, up to the longest.
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 30.0
#: After a refusal the pace begins so far under what is thought to be the limit, and comes back to it in a curve.
DOWN = 0.1
#: How long the way back takes: at least so many seconds, calls and pauses where the limit is known, and where it is
#: only guessed; never longer than the longest.
KNOWN, GUESSED, LONGEST_WAY = (2.0, 25, 7), (1.0, 10, 2), 30.0
#: Before anything is known, the answers a second, most of them a burst, are divided by this; and a pause brings back
#: a sixth of the burst at least.
FIRST_GUESS, BURSTS_A_PAUSE = 3, 6
#: How finely a span is looked at afterwards, in seconds; how much of it is kept; how often the interval is halved.
GRAIN, KEPT, HALVINGS = 0.05, 2_000, 20
#: So many seconds may be caught up when a start came late.
LATE = 0.05
#: Slower than one call in so many seconds is no pace.
SLOWEST = 1 / LONGEST_PAUSE


@dataclass
class _Span:
    """The time between two refusals: its seconds, those without the pause, the calls a second at its end, answers.

    `starts`: how many calls started in each `GRAIN` of its last seconds.
    """

    seconds: float
    moving: float
    rate: float
    answered: int
    pause: float
    starts: tuple[int, ...] = ()


class Pace:
    """Calls a second; no bound before the first refusal. Every time is monotonic, in seconds.

    After a refusal nothing starts for a while, then calls start one by one: a little slower than the limit is thought
    to be, at the limit a while later, and faster and faster beyond it until the next refusal (CUBIC, with calls a
    second in place of a window). Refusals of calls that were under way already say nothing new.

    `silent`: how many refusals in turn, with no answer between them.
    """

    def __init__(self, jitter: Callable[[float, float], float] = uniform) -> None:
        self._jitter = jitter
        self._limit: float | None = None
        self._way = GUESSED[0]
        self._burst = math.inf
        self._refused_at = -math.inf
        self._since: float | None = None
        self._resumes = self._next = self._gap = 0.0
        self._flying = self._started = self._answered = self.silent = 0
        self._span: _Span | None = None
        self._starts: deque[int] = deque(maxlen=KEPT)
        self._grain = 0

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
        way = max(0.0, now - self._resumes) / self._way - 1
        return max(SLOWEST, self._limit * (1 + DOWN * way**3))

    def start(self, now: float) -> None:
        """A call starts."""
        if self._since is None or (self._limit is None and not self._flying and self._span is None):
            self._since, self._started, self._answered = now, 0, 0  # what was idle before says nothing
        self._flying += 1
        if self._span is not None:  # not before: what was under way has told by now whether it was taken
            self._learn(self._span)
        self._started += 1
        self._note(now)
        rate = self.rate(now)
        if rate is not None:
            self._next = max(self._next, now - LATE) + (self._gap or 1 / rate)

    def _note(self, now: float) -> None:
        grain = int(max(0.0, now - self._resumes) / GRAIN)
        self._starts.extend([0] * min(grain + 1 - self._grain, KEPT))
        self._grain = max(self._grain, grain + 1)
        self._starts[-1] += 1

    def answer(self, now: float, started: float) -> None:
        """A call that started then was not refused."""
        self._flying -= 1
        if started <= self._refused_at:
            if self._span is not None:
                self._span.answered += 1
            return
        self._answered += 1
        if self._gap and self._since is not None:
            # after a silence the truth lies between the pace before and one call in all that time
            rate = self.rate(now) or SLOWEST
            self._believe(min(rate, math.sqrt(rate / max(now - self._since, LATE))), 0.0, GUESSED)
            self._resumes, self._next = now, now + 1 / (self.rate(now) or SLOWEST)
        self.silent, self._gap = 0, 0.0

    def lose(self) -> None:
        """A call was lost: nobody knows whether it was refused."""
        self._flying -= 1

    def refuse(self, now: float, started: float, after: float | None) -> None:
        """A call that started then was refused, and we were asked to wait (None: we were not)."""
        self._flying -= 1
        if started <= self._refused_at:
            self._resumes = max(self._resumes, now + (after or 0.0))
            return
        pause = self._pause() if after is None else after
        if self.silent == 0:
            self._close(now, pause)
        self.silent += 1
        if self.silent > 2:
            self._gap = min(LONGEST_PAUSE, max(pause, FIRST_PAUSE))  # one call at a time, until one is answered
        self._refused_at = now
        self._resumes = self._next = now + pause

    def _pause(self) -> float:
        return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**self.silent) * self._jitter(0.75, 1.25)

    def _close(self, now: float, pause: float) -> None:
        """A span ends with a refusal."""
        seconds = max(now - (now if self._since is None else self._since), 0.001)
        moving = max(min(seconds, now - self._resumes), 0.001)
        rate = self.rate(now) or self._started / seconds
        self._span = _Span(seconds, moving, rate, self._answered, pause, tuple(self._starts))
        self._starts.clear()
        self._grain = 0
        self._since, self._started, self._answered = now, 0, 0

    def _learn(self, span: _Span) -> None:
        """What the other side takes, from what it took in a span that ended with a refusal."""
        self._span = None
        if span.answered:
            self._burst = min(self._burst, span.answered)
        limit, known = self._guess(span)
        self._believe(min(span.rate, limit), span.pause, known)

    def _guess(self, span: _Span) -> tuple[float, tuple[float, int, int]]:
        """Calls a second, and how sure that is. The rate was too high; a burst is taken that was saved while idle."""
        if self._limit is None:
            most = span.answered * BURSTS_A_PAUSE / max(span.pause, FIRST_PAUSE)
            return min((span.answered / span.seconds or span.rate) / FIRST_GUESS, most or math.inf), GUESSED
        # whether a pause still filled the bucket, or it was full already, cannot be seen: half of it counts
        taken = span.answered / (span.moving + (span.seconds - span.moving) / 2)
        enough = span.answered >= 3 * self._burst
        if not enough:
            return math.sqrt(max(taken, span.rate / 16) * span.rate), GUESSED
        taken = max(taken, (span.answered - self._burst) / span.moving)
        if self._limit * (1 - DOWN) > taken:
            return taken, KNOWN
        return max(taken, self._runs_dry(span)), KNOWN  # the pace began under it, so more could have been taken

    def _runs_dry(self, span: _Span) -> float:
        """The calls a second with which a bucket that saves a burst runs dry by what was started in the span."""
        low, high = 0.0, span.rate
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            saved = least = min(self._burst, middle * (span.seconds - span.moving))
            for started in span.starts:
                saved = min(self._burst, saved + middle * GRAIN - started)
                least = min(least, saved)
            low, high = (middle, high) if least <= 0 else (low, middle)
        return low

    def _believe(self, limit: float, pause: float, sure: tuple[float, int, int]) -> None:
        self._limit = max(SLOWEST, limit)
        seconds, calls, pauses = sure
        self._way = min(LONGEST_WAY, max(seconds, calls / self._limit, pauses * pause))
