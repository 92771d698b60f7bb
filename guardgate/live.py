"""One live run: open what the plan names, ask each once, play, and leave a results file behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from guardgate.engine import Run, play
from guardgate.intake import Intake
from guardgate.jury import Jury
from guardgate.limits import Budget
from guardgate.opening import Opened, Order, close, open_all, system
from guardgate.plan import Plan
from guardgate.planning import plan
from guardgate.record import Attempt
from guardgate.recording import anchored, begin, end_line, head_line
from guardgate.results import Writer
from guardgate.stopping import Stop, signals
from guardgate.targets import Expanded

FOLDER = "guardgate-results"


def default_out(root: Path, now: datetime) -> Path:
    """`guardgate-results/2026-11-30T18-00-00-000000Z.jsonl`, with a number behind it where that exists.

    Microseconds keep runs apart that begin together: none has its file before its targets have answered.
    """
    stem = now.strftime("%Y-%m-%dT%H-%M-%S-%fZ")
    names = (f"{stem}{suffix}.jsonl" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(root / FOLDER / name for name in names if not (root / FOLDER / name).exists())


async def live(order: Order, shown: Callable[[Plan, Attempt | None], None]) -> Path:
    """Play the order. `shown` is told of the plan and of each attempt. Raises Unavailable before any case is played."""
    stop = Stop()
    with signals(stop):
        opened, skipped = await open_all(order, stop)
        try:
            planned = plan(order.loaded, order.choice, order.settings, order.environ, skipped)
            await _record(order, planned, opened, stop, shown)
        finally:
            await close(opened.players, opened.judges)
    return order.out


async def _record(
    order: Order, planned: Plan, opened: Opened, stop: Stop, shown: Callable[[Plan, Attempt | None], None]
) -> None:
    """Write the head, play, write the end."""
    systems = {
        cell.name: text
        for cell in planned.cells
        if (text := system(order, Expanded(opened.players[cell.target].settings, ()), cell.params)) is not None
    }
    intake = Intake(opened.secrets)
    budget = Budget(order.settings.limits)
    with Writer(order.out, intake.redact) as writer:
        begin(writer, planned, head_line(order, planned, opened))
        jury = Jury(opened.judges, planned.panel, order.settings.limits.call_seconds, intake, budget)
        await anchored(order, planned, jury, stop, writer)
        shown(planned, None)

        def write(attempt: Attempt) -> None:
            writer.attempt(attempt)
            shown(planned, attempt)

        run = Run(
            plan=planned,
            players=opened.players,
            systems=systems,
            limits=order.settings.limits,
            intake=intake,
            budget=budget,
            stop=stop,
            write=write,
            jury=jury if planned.panel.judges else None,
            places=asyncio.Semaphore(order.settings.concurrency),
        )
        try:
            await play(run, range(len(planned)) if stop.reason is None else ())
        finally:
            writer.line(end_line(stop, budget))
