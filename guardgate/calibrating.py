"""One calibration: open a judge, put the labelled replies to it, fold what it said."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from guardgate.anchors import probes
from guardgate.budget import Budget
from guardgate.calibrate import DEFAULT_FLOOR, score_probes
from guardgate.calibration import Calibration, calibration
from guardgate.fitness import whole
from guardgate.intake import Intake
from guardgate.judging.panel import Panel
from guardgate.jury import Jury
from guardgate.loaded import Loaded
from guardgate.model.project import Limits, Run
from guardgate.opening import Order, close, open_all
from guardgate.planning import Choice
from guardgate.stopping import Stop, signals, until_stopped


async def calibrated(
    loaded: Loaded,
    judge: str,
    floors: Mapping[str, float],
    environ: Mapping[str, str],
    *,
    repeats: int,
    concurrency: int,
) -> Calibration:
    """How a judge does on every labelled reply for these criteria. Raises Unavailable where it cannot be asked."""
    changes = {"targets": (), "judges": (judge,), "concurrency": concurrency, "limits": _limits(loaded, judge)}
    settings = Run(targets=(judge,)).model_copy(update=changes)
    order = Order(loaded, Choice(judges=(judge,)), settings, environ, Path(os.devnull))
    stop = Stop()
    with signals(stop):
        opened, _ = await open_all(order, stop)
        try:
            intake, budget = Intake(opened.secrets), Budget(settings.limits)
            jury = Jury(opened.judges, Panel((judge,)), settings.limits.call_seconds, intake, budget)
            work = asyncio.ensure_future(score_probes(jury, judge, probes(loaded, floors), repeats))
            await until_stopped(work, stop)
        finally:
            await close(opened.players, opened.judges)
    floor = loaded.project.anchors.floor if loaded.project.anchors else DEFAULT_FLOOR
    used = {*floors, *(whole(one.rule.id) for one in loaded.rules)}
    return calibration(judge, work.result(), floor, used)


def _limits(loaded: Loaded, judge: str) -> Limits:
    """The patience of the first run that names the judge. Its budgets are for a run, and do not bind here."""
    runs = (run for run in loaded.project.runs.values() if judge in (*run.judges, run.escalate))
    return next((Limits(call_seconds=run.limits.call_seconds) for run in runs), Limits())
