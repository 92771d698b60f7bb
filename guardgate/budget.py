"""What a run may spend: calls, tokens and dollars, asked for before each call."""

from __future__ import annotations

from guardgate.model.project import Limits
from guardgate.record import Usage


class Budget:
    """Calls, tokens and dollars left; None in `limits` is no bound.

    A call in flight counts as much as those before it cost on the average, so that a run with many in flight does not
    overspend by all of them.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.calls = self.tokens = 0
        self.usd = 0.0
        self._flying = self._back = 0

    def exhausted(self) -> str | None:
        """Which bound is reached, in words, or None."""
        ahead = self._flying / self._back if self._back else 0.0
        bounds = (
            ("calls", self.calls, self.calls, self._limits.calls),
            ("tokens", self.tokens, self.tokens * (1 + ahead), self._limits.tokens),
            ("cost_usd", self.usd, self.usd * (1 + ahead), self._limits.cost_usd),
        )
        for name, used, expected, most in bounds:
            if most is not None and expected >= most:
                flying = "" if used >= most else f", and {self._flying} more calls in flight"
                return f"limits.{name} is reached ({used:.6g} of {most:.6g}{flying})"
        return None

    def begin(self) -> None:
        """A call goes out."""
        self.calls += 1
        self._flying += 1

    def end(self, usage: Usage | None) -> None:
        """A call is over; count what it reported."""
        self._flying -= 1
        self._back += 1
        if usage is not None:
            self.tokens += (usage.input or 0) + (usage.output or 0)
            self.usd += usage.usd or 0.0
