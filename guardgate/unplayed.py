"""Planned attempts without a line in the results: why there is none, and what stands for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from guardgate.plan import Plan
from guardgate.record import KINDS, Attempt, Finding


def why_unplayed(plan: Plan, n: int, end: Mapping[str, Any]) -> tuple[str, str]:
    """Kind and reason: its target was stopped, or the run ended before."""
    target = plan.cells[plan.at(n).cell].target
    stopped = end.get("stopped") or {}
    if target in stopped:
        return "skipped", f"{target} was stopped: {stopped[target]}"
    reason = str(end.get("reason") or "the run did not come to its end")
    kind = end.get("kind")
    return kind if isinstance(kind, str) and kind in KINDS else "cancelled", f"not attempted: {reason}"


def planned(plan: Plan, attempts: Iterable[Attempt], end: Mapping[str, Any]) -> Iterator[Attempt]:
    """Every attempt of the plan: those with a line as they come, then an undecided one for each without."""
    met = bytearray(len(plan))
    for attempt in attempts:
        met[attempt.n] = 1
        yield attempt
    for n in plan.numbers:
        if not met[n]:
            kind, detail = why_unplayed(plan, n, end)
            spot = plan.at(n)
            open_ = Finding(f"transcript:{KINDS[kind]}", "undecided", None, None, detail, kind)
            yield Attempt(n, plan.cases[spot.case].case.id, spot.cell, spot.repeat, findings=(open_,))
