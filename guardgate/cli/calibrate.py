"""`guardgate calibrate`."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import click

from guardgate.cli.common import PROJECT, usable
from guardgate.cli.printer import printer
from guardgate.criteria import known
from guardgate.errors import Refused, did_you_mean, one_of
from guardgate.loaded import Loaded
from guardgate.targets import known as known_targets


@click.command("calibrate")
@PROJECT
@click.option("--judge", required=True, help="The judge to test.")
@click.option(
    "--criterion", "criteria", multiple=True, help="Only this criterion (may be repeated); default: those in use."
)
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True, help="How often each reply is judged.")
@click.option("--concurrency", type=click.IntRange(1), default=8, show_default=True, help="Most calls in flight.")
@click.pass_context
def command(
    context: click.Context, project: Path, judge: str, criteria: tuple[str, ...], repeats: int, concurrency: int
) -> int:
    """Put labelled replies to a judge: agreement, kappa, false positives and negatives, flip rate, a floor table.

    Exits 0: the judge is fit. 3: it is unfit, or it could not be asked. 1 and 2 do not occur.
    """
    from guardgate.calibrating import calibrated  # noqa: PLC0415 - not for --help
    from guardgate.opening import refuse_if_switched_off  # noqa: PLC0415
    from guardgate.report.calibration import render  # noqa: PLC0415

    refuse_if_switched_off(os.environ)
    loaded = usable(project)
    every = known_targets(loaded.project, os.environ, judge=True)
    if judge not in every:
        raise Refused(
            "--judge",
            f"the unknown judge {judge!r}",
            one_of(every),
            did_you_mean(judge, every) + "name a judge that exists",
        )
    floors = _floors(loaded, criteria)
    found = asyncio.run(calibrated(loaded, judge, floors, os.environ, repeats=repeats, concurrency=concurrency))
    printer(context).out(render(found))
    return 0 if found.fitness.fit and found.fitness.probes else 3


def _floors(loaded: Loaded, wanted: tuple[str, ...]) -> dict[str, float]:
    """Criteria with the highest floor that a rule or case sets; all that exist where the project uses none."""
    every = known(loaded.constraints.criteria if loaded.constraints else {})
    floors: dict[str, float] = {}
    for settings in [one.rule.judge for one in loaded.rules] + [one.case.judge for one in loaded.cases]:
        for name, floor in (settings.required_scores if settings else {}).items():
            floors[name] = max(floor, floors.get(name, 0.0))
    for name in wanted:
        if name not in every:
            raise Refused(
                "--criterion", f"the unknown criterion {name!r}", one_of(every),
                did_you_mean(name, list(every)) + "name a criterion that exists",
            )  # fmt: skip
    names = wanted or tuple(floors) or tuple(every)
    return {name: floors.get(name, 1.0) for name in names}
