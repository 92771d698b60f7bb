"""One live run: open what the plan names, ask each once, play, and leave a results file behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from guardgate.blinded import refuse_blind_checks
from guardgate.budget import Budget
from guardgate.engine import Run, play
from guardgate.intake import Intake
from guardgate.jury import Jury
from guardgate.opening import Opened, Order, close, open_all, system
from guardgate.plan import Plan
from guardgate.planning import plan
from guardgate.record import Attempt
from guardgate.recording import anchored, described, end_line, head_line, kept
from guardgate.restored import judge_stored
from guardgate.results import Results, Writer
from guardgate.resume import copied, left, refuse_other_plan, resumed
from guardgate.stopping import Stop, signals
from guardgate.targets import Expanded
from guardgate.trouble import grammars

FOLDER = "guardgate-results"
#: Seconds in which targets and judges get their greeting before anything else is worked on.
GREETINGS_FIRST = 0.02


def default_out(root: Path, now: datetime) -> Path:
    """`guardgate-results/2026-11-30T18-00-00-000000Z.jsonl`, with a number behind it where that exists.

    Microseconds keep runs apart that begin together: none has its file before its targets have answered.
    """
    stem = now.strftime("%Y-%m-%dT%H-%M-%S-%fZ")
    names = (f"{stem}{suffix}.jsonl" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(root / FOLDER / name for name in names if not (root / FOLDER / name).exists())


async def live(order: Order, shown: Callable[[Plan, Attempt | None], None], stored: Results | None = None) -> Path:
    """Play the order, or what a stored run left of it. Raises Unavailable before any case is played.

    `shown` is told of the plan and of each attempt.
    """
    stop = Stop()
    with signals(stop):
        if stored is not None:
            order = resumed(order, stored)
        away = [] if stored is None else [*stored.plan.skipped]
        planned = plan(order.loaded, order.choice, order.settings, order.environ, away)
        refuse_blind_checks(order, planned)
        ready = asyncio.create_task(_made_ready(planned))
        opened, skipped = await open_all(order, stop)
        try:
            lines = await ready
            if skipped:
                planned = plan(order.loaded, order.choice, order.settings, order.environ, [*away, *skipped])
                lines = described(planned)
            if stored is not None and skipped:
                refuse_other_plan(stored, planned, order)
            with _minutes(order.settings.limits.run_minutes, stop):
                await _record(order, planned, lines, opened, stop, shown, stored)
        finally:
            await close(opened.players, opened.judges)
    return order.out


async def _made_ready(planned: Plan) -> list[str]:
    """While the targets are waited for, `_ready` in a thread; a moment later, for it would hold up what goes out."""
    await asyncio.sleep(GREETINGS_FIRST)
    return await asyncio.to_thread(_ready, planned)


def _ready(planned: Plan) -> list[str]:
    """Work out what is needed when the first replies are there, and at the end; returns the lines of the plan."""
    planned.deciders  # noqa: B018 - it is kept
    import guardgate.report.terminal  # noqa: F401, PLC0415

    grammars()
    return described(planned)


@contextmanager
def _minutes(most: float, stop: Stop) -> Iterator[None]:
    """Ends the run when its time is over: anchors, copies and all."""
    reason = f"limits.run_minutes is reached ({most:g})"
    timer = asyncio.get_running_loop().call_later(most * 60, stop.at_once, reason, "budget")
    try:
        yield
    finally:
        timer.cancel()


async def _record(
    order: Order, planned: Plan, lines: Sequence[str], opened: Opened, stop: Stop,
    shown: Callable[[Plan, Attempt | None], None], stored: Results | None,
) -> None:  # fmt: skip
    """Write the head and the lines of the plan, play, write the end."""
    systems = {
        cell.name: text
        for cell in planned.cells
        if (text := system(order, Expanded(opened.players[cell.target].settings, ()), cell.params)) is not None
    }
    intake = Intake(opened.secrets)
    budget = Budget(order.settings.limits)
    with Writer(order.out, intake.redact) as writer:
        head = head_line(order, planned, opened)
        writer.line(head if stored is None else {**head, "resumed": stored.head["started"]})
        writer.lines(lines)
        jury = Jury(opened.judges, planned.panel, order.settings.limits.call_seconds, intake, budget)
        await anchored(order, planned, jury, stop, writer)
        shown(planned, None)

        def write(attempt: Attempt) -> None:
            shown(planned, kept(writer, planned, attempt))

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
        )
        # a copy that fails gets no end: the file then says itself that it may lack lines
        todo = planned.numbers if stored is None else await _restore(order, planned, jury, stop, stored, write)
        try:
            await play(run, todo if stop.reason is None else ())
        finally:
            writer.line(end_line(stop, budget))


async def _restore(
    order: Order, planned: Plan, jury: Jury, stop: Stop, stored: Results, write: Callable[[Attempt], None]
) -> Collection[int]:
    """Copy what is decided, judge again what only a judge left open; returns what is to be played.

    A signal does not cut the copy short: what is not in the new file would be played, and paid, again.
    """
    rest = left(stored, planned)
    for count, attempt in enumerate(copied(stored, planned)):
        write(attempt)
        if count % 64 == 0:
            await asyncio.sleep(0)  # signals are heard
    waiting = (attempt for attempt in stored.attempts() if attempt.n in rest.judge)
    await judge_stored(waiting, planned, jury, stop, order.settings, write)
    return rest.play
