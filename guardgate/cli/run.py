"""`guardgate run`."""

from __future__ import annotations

import asyncio
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import click

from guardgate.cli.common import CONSTRAINTS, PROJECT, printer, usable
from guardgate.cli.finish import finish
from guardgate.cli.printer import Printer
from guardgate.cli.progress import Progress
from guardgate.errors import Refused
from guardgate.intake import Intake
from guardgate.loaded import Loaded
from guardgate.model.project import Run
from guardgate.plan import Plan
from guardgate.planning import Choice, chosen_run, plan
from guardgate.record import Attempt
from guardgate.results import open_results, prepare
from guardgate.targets import secrets_of


@click.command("run")
@click.argument("name", default="default")
@PROJECT
@CONSTRAINTS
@click.option("--target", "targets", multiple=True, help="Play this target instead (may be repeated).")
@click.option("--judge", "judges", multiple=True, help="Let this judge score instead (may be repeated).")
@click.option("--case", "cases", multiple=True, help="Only this case; * is a wildcard (may be repeated).")
@click.option("--rule", "rules", multiple=True, help="Only attacks on this rule (may be repeated).")
@click.option("--attack", "attacks", multiple=True, help="Only this attack class (may be repeated).")
@click.option("--repeats", type=click.IntRange(1), help="How often each case is played.")
@click.option("--concurrency", type=click.IntRange(1), help="Most attempts in flight.")
@click.option("--out", type=click.Path(path_type=Path), help="Results file; it must not exist.")
@click.option("--rejudge", type=click.Path(path_type=Path), help="Judge the replies of this results file again; the "
              "target is not called.")  # fmt: skip
@click.option("--plan", "only_plan", is_flag=True, help="Print what would be played, and call nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("--quiet", is_flag=True, help="No progress, and only the verdict's first lines.")
@click.pass_context
def command(
    context: click.Context, name: str, project: Path, constraints: str | None, targets: tuple[str, ...],
    judges: tuple[str, ...], cases: tuple[str, ...], rules: tuple[str, ...], attacks: tuple[str, ...],
    repeats: int | None, concurrency: int | None, out: Path | None, rejudge: Path | None, only_plan: bool,
    as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Play run NAME (default: `default`): every case through the real target, every reply kept.

    Exits 0: every rule held. 1: a soft rule fell below its own threshold. 2: a hard rule broke, even once. 3: the
    run could not complete, so it says nothing either way.
    """
    if rejudge is not None:
        _refuse_with_rejudge(context)
    loaded = usable(project, constraints)
    choice = Choice(
        run=name,
        targets=targets or _from_environment("GUARDGATE_TARGET"),
        judges=judges or _from_environment("GUARDGATE_JUDGE"),
        cases=cases,
        rules=rules,
        attacks=attacks,
        repeats=repeats,
        concurrency=concurrency,
    )
    settings = chosen_run(loaded, choice, os.environ)
    printer(context).clean = Intake(secrets_of(loaded.project, os.environ)).redact
    planned = plan(loaded, choice, settings, os.environ)
    if only_plan:
        return _show_plan(printer(context), planned, loaded, as_json)
    path = _play(printer(context), loaded, choice, settings, out, rejudge, quiet or as_json)
    return finish(printer(context), path, as_json=as_json, brief=quiet)


#: What chooses replies; stored ones are judged as they are.
_CHOOSES = ("targets", "cases", "rules", "attacks", "repeats", "only_plan")


def _refuse_with_rejudge(context: click.Context) -> None:
    """Options that a stored run cannot follow are no silent no-ops. Raises Refused."""
    for parameter in context.command.params:
        if parameter.name in _CHOOSES and context.params.get(parameter.name):
            raise Refused(
                parameter.opts[0], "this option together with --rejudge", "one of them",
                "leave it out: every stored reply is judged again",
            )  # fmt: skip


def _from_environment(name: str) -> tuple[str, ...]:
    value = os.environ.get(name)
    return (value,) if value else ()


def _play(
    out: Printer, loaded: Loaded, choice: Choice, settings: Run, path: Path | None, stored: Path | None, quiet: bool
) -> Path:
    """Play, or judge stored replies again; the results file tells what came of it."""
    from guardgate.live import default_out, live  # noqa: PLC0415 - not for --plan
    from guardgate.opening import Order, refuse_if_switched_off  # noqa: PLC0415
    from guardgate.rejudge import rejudge  # noqa: PLC0415

    refuse_if_switched_off(os.environ)
    order = Order(loaded, choice, settings, os.environ, path or default_out(Path(), datetime.now(UTC)))
    prepare(order.out)
    progress = Progress(out, quiet)

    def shown(playing: Plan, attempt: Attempt | None) -> None:
        progress.begin(len(playing), settings.concurrency) if attempt is None else progress.attempt(attempt)

    try:
        if stored is None:
            return asyncio.run(live(order, shown))
        return asyncio.run(rejudge(order, open_results(stored), shown))
    finally:
        progress.end()


def _show_plan(out: Printer, planned: Plan, loaded: Loaded, as_json: bool) -> int:
    from guardgate.decider import turns_of  # noqa: PLC0415
    from guardgate.report.escape import terminal  # noqa: PLC0415

    calls = sum(len(turns_of(planned.cases[spot.case].case)) for spot in planned.spots())
    facts = {
        "run": planned.name,
        "cases": len(planned.cases),
        "of_cases": planned.total,
        "rules_attempted": len({case.case.rule for case in planned.cases}),
        "of_rules": len(loaded.rules),
        "cells": [cell.name for cell in planned.cells],
        "repeats": planned.repeats,
        "attempts": len(planned),
        "calls_to_targets": calls,
        "preflight_calls": len({cell.target for cell in planned.cells}),
        "plan": planned.sha,
    }
    if as_json:
        out.out(json.dumps(facts, ensure_ascii=False) + "\n")
        return 0
    for key, value in facts.items():
        text = ", ".join(value) if isinstance(value, list) else str(value)
        out.out(f"{key.replace('_', ' '):18} {terminal(text)}\n")
    return 0
