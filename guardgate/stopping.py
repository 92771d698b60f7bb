"""How a run ends before its plan does: by a signal, a limit, a budget, or something that can only fail."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator
from typing import Any

from guardgate.errors import Refused
from guardgate.record import Failure, Reply

#: So many attempts in a row that found no connection, each after all of its retries, and a target or judge is given up.
LOST = 10
#: And from so many cases, where the plan has them: what one case does to a service is no reason to leave the others.
FROM = 3


class Stop:
    """Why and whether a run ends before its plan does. `now`: calls in flight are given up."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.kind = "cancelled"
        self.now = asyncio.Event()
        self.stopped: dict[str, str] = {}

    def at_once(self, reason: str, kind: str = "cancelled") -> None:
        """Give up what is in flight."""
        self.gently(reason, kind)
        self.now.set()

    def gently(self, reason: str, kind: str = "budget") -> None:
        """Start nothing new."""
        if self.reason is None:
            self.reason, self.kind = reason, kind


def unreachable(result: Reply | Failure | None) -> bool:
    """Whether there was no connection at all, as of a service that is gone."""
    return isinstance(result, Failure) and result.kind == "connection" and result.retry == "resend"


class Contact:
    """What was heard of a target or judge last: attempts in a row without a connection, and of which cases."""

    def __init__(self) -> None:
        self._lost = 0
        self._cases: set[str] = set()

    def heard(self, result: Reply | Failure) -> None:
        """Any answer begins the count again, also an HTTP error."""
        if not unreachable(result):
            self._lost = 0
            self._cases.clear()

    def ended(self, case: str, failure: Failure | None, cases: int) -> str | None:
        """One attempt is over. Why the other side is given up, or None. `cases`: how many the plan has."""
        if failure is None or not unreachable(failure):
            return None
        self._lost += 1
        self._cases.add(case)
        if self._lost < LOST or len(self._cases) < min(FROM, cases):
            return None
        return f"{self._lost} attempts in a row found no connection, each after all of its retries: {failure.detail}"


async def until_stopped(work: asyncio.Future[Any], stop: Stop) -> None:
    """Wait for the work, or give it up when a signal comes. Raises Refused then."""
    stopped = asyncio.ensure_future(stop.now.wait())
    await asyncio.wait({work, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if stop.now.is_set():
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        raise Refused("the run", f"{stop.reason} before the first case", "time to play", "run it again")
    work.result()


def _ending_signals() -> tuple[signal.Signals, ...]:
    """As in `__main__`, which must not be imported twice; a test compares the two."""
    found = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    return tuple(one for one in found if one.name != "SIGHUP" or signal.getsignal(one) != signal.SIG_IGN)


@contextlib.contextmanager
def signals(stop: Stop) -> Iterator[None]:
    """A signal that would end guardgate ends the run in order: what came in is written, and the gate says 3."""
    loop = asyncio.get_running_loop()

    def handler(number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(stop.at_once, f"interrupted by {signal.Signals(number).name}")

    before = {number: signal.signal(number, handler) for number in _ending_signals()}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
