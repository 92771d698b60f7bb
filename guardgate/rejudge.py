"""Judges again what a results file holds: stored replies, other judges or another prompt, no call to the target."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from guardgate.budget import Budget
from guardgate.errors import Refused
from guardgate.intake import Intake
from guardgate.judging.panel import Panel
from guardgate.jury import Jury
from guardgate.narrowing import JUDGE, narrowed_judges
from guardgate.opening import Order, close, open_all
from guardgate.plan import Plan
from guardgate.planning import asked, judge_sha, plan_sha
from guardgate.record import Attempt
from guardgate.recording import anchored, described, end_line, head_line, kept
from guardgate.restored import judge_stored
from guardgate.results import Results, Writer
from guardgate.stopping import Stop, signals


async def rejudge(order: Order, stored: Results, shown: Callable[[Plan, Attempt | None], None]) -> Path:
    """Write a new results file with the stored replies and new scores. Raises Unavailable before anything is judged."""
    panel = Panel(order.settings.judges, order.settings.agreement, order.settings.escalate)
    if not panel.judges:
        raise Refused("--rejudge", "no judge", "at least one", "name one with --judge, or under judges of the run")
    judging = replace(order, settings=order.settings.model_copy(update={"targets": ()}))
    shas = {name: judge_sha(order.loaded, name, order.environ) for name in asked(panel)}
    sha = plan_sha(stored.plan.core, panel, shas)
    planned = replace(stored.plan, panel=panel, sha=sha, narrowed=tuple(_narrowed(order, stored.plan)))
    stop = Stop()
    with signals(stop):
        opened, _ = await open_all(judging, stop)
        try:
            intake, budget = Intake(opened.secrets), Budget(order.settings.limits)
            jury = Jury(opened.judges, panel, order.settings.limits.call_seconds, intake, budget)
            head = head_line(order, planned, opened)
            inherited = {key: stored.head[key] for key in ("targets", "git", "files")}
            with Writer(order.out, intake.redact) as writer:
                writer.line({**head, **inherited, "rejudged": stored.head["plan"]})
                writer.lines(described(planned))
                try:
                    await anchored(order, planned, jury, stop, writer)
                    shown(planned, None)
                    await judge_stored(
                        stored.attempts(),
                        planned,
                        jury,
                        stop,
                        order.settings,
                        partial(_write, writer, planned, shown),
                    )
                finally:
                    writer.line({**end_line(stop, budget), **_inherited_end(stored, stop)})
        finally:
            await close(opened.players, opened.judges)
    return order.out


def _narrowed(order: Order, stored: Plan) -> Iterator[str]:
    """What narrowed the stored run still does, but for its judges: those are now the ones of this order."""
    yield from (one for one in stored.narrowed if not one.startswith(f"{JUDGE} "))
    yield from narrowed_judges(order.loaded.project.runs.get(order.choice.run), order.choice.judges)


def _inherited_end(stored: Results, stop: Stop) -> dict[str, object]:
    """What kept attempts from being played still keeps them from being there; where all are there, nothing does."""
    before = stored.end() or {}
    kept: dict[str, object] = {"stopped": before.get("stopped") or {}}
    if stop.reason is None and sum(1 for _ in stored.attempts()) < len(stored.plan):
        kept |= {"reason": before.get("reason"), "kind": before.get("kind")}
    return kept


def _write(writer: Writer, planned: Plan, shown: Callable[[Plan, Attempt | None], None], one: Attempt) -> None:
    shown(planned, kept(writer, planned, one))
