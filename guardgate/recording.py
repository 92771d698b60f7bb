"""What every run writes around its attempts: head, files, cases, anchors, end."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from guardgate import __version__
from guardgate.anchors import probes
from guardgate.budget import Budget
from guardgate.calibrate import DEFAULT_FLOOR, anchor_line, score_probes
from guardgate.codec import case_line, plan_head
from guardgate.errors import Refused
from guardgate.fitness import fitness, fitness_line
from guardgate.git import head_commit
from guardgate.inuse import floors_in_use, in_use
from guardgate.jury import Jury
from guardgate.opening import Opened, Order
from guardgate.plan import Plan
from guardgate.planning import asked, identity, judge_sha, target_sha
from guardgate.record import Attempt
from guardgate.report.judges import blind_to
from guardgate.report.sentence import say
from guardgate.results import FORMAT, Writer, as_text
from guardgate.source import sha256
from guardgate.stopping import Stop, until_stopped
from guardgate.summary import redecided
from guardgate.targets import find


def described(planned: Plan) -> list[str]:
    """The lines of every file and case of the plan: the results need nothing else to be understood."""
    files = [{"t": "file", "name": name, "sha": sha256(text), "text": text} for name, text in planned.files.items()]
    return [as_text(one) for one in (*files, *map(case_line, planned.cases))]


def kept(writer: Writer, planned: Plan, attempt: Attempt) -> Attempt:
    """Write an attempt, and return what `gate FILE` will see of it: the stored words, and what they decide."""
    stored = writer.attempt(attempt, planned)
    return attempt if stored == attempt else redecided(planned, stored)


async def anchored(order: Order, planned: Plan, jury: Jury, stop: Stop, writer: Writer) -> None:
    """Every judge scores the anchors before a case is played; one that is unfit ends the run here."""
    floors = floors_in_use(planned)
    if not planned.panel.judges or not floors:
        return
    asked_probes = tuple(one for one in probes(order.loaded, floors) if one.asks(planned.criteria))
    used = in_use(planned)
    floor = order.loaded.project.anchors.floor if order.loaded.project.anchors else DEFAULT_FLOOR
    for name in asked(planned.panel):
        work = asyncio.ensure_future(score_probes(jury, name, asked_probes))
        with contextlib.suppress(Refused):
            await until_stopped(work, stop)
        if stop.now.is_set():
            return
        scored = work.result()
        spent = jury.budget.exhausted()
        if spent:  # what was not asked is no disagreement
            stop.gently(spent)
        for one in scored:
            writer.line(anchor_line(name, one))
        fit = fitness(name, [one.probe.trial(one.opinion, used) for one in scored], floor)
        writer.line(fitness_line(fit))
        if not fit.fit:
            right = f"it agrees on {fit.agreed} of {fit.probes} anchors, floor {floor:g}{say(blind_to(fit), str)}"
            stop.gently(f"the judge {name} is unfit: {right}", "unfit")


def end_line(stop: Stop, budget: Budget) -> dict[str, Any]:
    return {
        "t": "end",
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "reason": stop.reason,
        "kind": stop.kind if stop.reason else None,
        "stopped": stop.stopped,
        "calls": budget.calls,
    }


def head_line(order: Order, planned: Plan, opened: Opened) -> dict[str, Any]:
    settings = {name: find(order.loaded.project, name, order.environ) for name in opened.players}
    judges = {name: find(order.loaded.project, name, order.environ, judge=True) for name in opened.judges}
    return {
        "t": "run",
        "format": FORMAT,
        "guardgate": __version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "git": head_commit(order.loaded.root),
        **plan_head(planned),
        "targets": {
            name: {**identity(one), "sha": target_sha(order.loaded, one), **asdict(opened.about[name])}
            for name, one in settings.items()
            if one is not None
        },
        "judges": {
            name: {
                **identity(one),
                "sha": judge_sha(order.loaded, name, order.environ),
                **asdict(opened.about[f"judge {name}"]),
            }
            for name, one in judges.items()
            if one is not None
        },
        "limits": order.settings.limits.model_dump(mode="json"),
        "concurrency": order.settings.concurrency,
        "files": dict(order.loaded.hashes),
        "allow_quotes": order.loaded.project.allow_quotes,
    }
