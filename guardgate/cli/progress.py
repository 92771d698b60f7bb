"""How far a run is: drawn over itself on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import time

from guardgate.cli.printer import Printer
from guardgate.record import Attempt

#: Seconds between two updates, on a terminal and elsewhere.
DRAW = 0.2
SAY = 10.0


class Progress:
    """Counts attempts as they are written."""

    def __init__(self, printer: Printer, quiet: bool) -> None:
        self._printer = printer
        self._quiet = quiet
        self._total = self._done = self._in_flight = 0
        self._counts = {"held": 0, "broke": 0, "undecided": 0}
        self._began = self._last = time.monotonic()
        self._drawn = False

    def begin(self, total: int, concurrency: int) -> None:
        """The plan is known."""
        self._total, self._in_flight = total, concurrency
        self._began = self._last = time.monotonic()
        if not self._quiet:
            self._printer.status(f"playing {total} attempts, at most {concurrency} in flight\n")

    def attempt(self, attempt: Attempt) -> None:
        """One more was written."""
        self._done += 1
        self._counts[attempt.verdict] += 1
        now = time.monotonic()
        if self._quiet or now - self._last < (DRAW if self._printer.live else SAY):
            return
        self._last = now
        if self._printer.live:
            self._printer.status(f"\r\x1b[K{self._line(now)}")
            self._drawn = True
        else:
            self._printer.status(self._line(now) + "\n")

    def _line(self, now: float) -> str:
        rate = self._done / max(now - self._began, 0.001)
        left = self._total - self._done
        counts = ", ".join(f"{count} {name}" for name, count in self._counts.items())
        flying = min(self._in_flight, left)
        return f"{self._done}/{self._total}  {counts}  {rate:.1f}/s  {flying} in flight  {_clock(left / rate)} left"

    def end(self) -> None:
        """Leave the line clean."""
        if self._drawn:
            self._printer.status("\r\x1b[K")


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
