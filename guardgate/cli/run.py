"""`guardgate run`."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from guardgate.cli.common import CONSTRAINTS, PROJECT, SETTINGS, usable
from guardgate.cli.finish import finish
from guardgate.cli.printer import Printer, printer
from guardgate.cli.progress import Progress
from guardgate.errors import Refused
from guardgate.intake import Intake
from guardgate.loaded import Loaded
from guardgate.model.project import Run
from guardgate.plan import Plan, Shard
from guardgate.planning import Choice, chosen_run, plan
from guardgate.record import Attempt
from guardgate.results import open_results, prepare
from guardgate.summary import Folding
from guardgate.targets import secrets_of


class _ShardType(click.ParamType[Shard]):
    """`2/4`: part 2 of 4."""

    name = "i/n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Shard:
        if isinstance(value, Shard):
            return value
        index, _, count = str(value).partition("/")
        if not (index.isascii() and index.isdigit() and count.isascii() and count.isdigit() and len(value) < 16):
            self.fail(f"{value!r} is no shard; expected I/N, such as 2/4", param, ctx)
        if not 1 <= int(index) <= int(count):
            self.fail(f"{value!r}: the part must be from 1 to {count}", param, ctx)
        return Shard(int(index), int(count))


SHARD = _ShardType()


@click.command("run")
@click.argument("name", default="default")
@PROJECT
@CONSTRAINTS
@SETTINGS
@click.option("--target", "targets", multiple=True, help="Play this target instead (may be repeated).")
@click.option("--judge", "judges", multiple=True, help="Let this judge score instead (may be repeated).")
@click.option("--case", "cases", multiple=True, help="Only this case; * is a wildcard (may be repeated).")
@click.option("--rule", "rules", multiple=True, help="Only attacks on this rule (may be repeated).")
@click.option("--attack", "attacks", multiple=True, help="Only this attack class (may be repeated).")
@click.option("--suite", "suites", multiple=True, help="Only the cases of this suite file (may be repeated).")
@click.option("--repeats", type=click.IntRange(1), help="How often each case is played.")
@click.option("--concurrency", type=click.IntRange(1), help="Most attempts in flight.")
@click.option("--max-calls", type=click.IntRange(1), help="Most calls, where the run allows more.")
@click.option("--max-cost-usd", type=click.FloatRange(0, min_open=True), help="Most US dollars, where the run allows "
              "more.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), help="Results file; it must not exist.")
@click.option("--rejudge", type=click.Path(path_type=Path), help="Judge the replies of this results file again; the "
              "target is not called.")  # fmt: skip
@click.option("--resume", type=click.Path(path_type=Path), help="Go on where this results file stopped: decided "
              "attempts are copied, the rest is played.")  # fmt: skip
@click.option("--shard", type=SHARD, help="Play part I of N, as I/N; `gate FILE... --out FILE` joins the parts.")
@click.option("--matrix", type=click.IntRange(1, 256), help="With --plan: print so many shards as a GitHub matrix.")
@click.option("--plan", "only_plan", is_flag=True, help="Print what would be played, and call nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("--quiet", is_flag=True, help="No progress, and only the verdict's first lines.")
@click.pass_context
def command(
    context: click.Context, name: str, project: Path, constraints: str | None, targets: tuple[str, ...],
    judges: tuple[str, ...], cases: tuple[str, ...], rules: tuple[str, ...], attacks: tuple[str, ...],
    suites: tuple[str, ...], repeats: int | None, concurrency: int | None, max_calls: int | None,
    max_cost_usd: float | None, settings: Path | None, out: Path | None, rejudge: Path | None, resume: Path | None,
    shard: Shard | None, matrix: int | None, only_plan: bool, as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Play run NAME (default: `default`): every case through the real target, every reply kept.

    Exits 0: every attempted rule held. 1: a soft rule fell below its own threshold. 2: a hard rule broke, even once.
    3: the run could not complete, so it says nothing either way.
    """
    if rejudge is not None:
        _refuse_with_rejudge(context)
    loaded = usable(project, constraints, settings)
    choice = Choice(
        run=name,
        targets=targets or _from_environment("GUARDGATE_TARGET"),
        judges=judges or _from_environment("GUARDGATE_JUDGE"),
        cases=cases,
        rules=rules,
        attacks=attacks,
        suites=suites,
        repeats=repeats,
        concurrency=concurrency,
        calls=max_calls,
        cost_usd=max_cost_usd,
        shard=shard,
    )
    chosen = chosen_run(loaded, choice, os.environ)
    printer(context).clean = Intake(secrets_of(loaded.project, os.environ)).redact
    planned = plan(loaded, choice, chosen, os.environ)
    if matrix is not None:
        if not only_plan:
            raise Refused("--matrix", "no --plan", "both together", "add --plan")
        printer(context).out(_matrix(planned, matrix))
        return 0
    if only_plan:
        from guardgate.cli.planned import show  # noqa: PLC0415 - only for --plan

        return show(printer(context), planned, loaded, chosen, as_json)
    play = _play if rejudge is None else _rejudge
    path, folded = play(_Order(loaded, choice, chosen, out, rejudge or resume), printer(context), quiet or as_json)
    return finish(printer(context), path, as_json=as_json, brief=quiet, folded=folded)


#: What chooses replies; stored ones are judged as they are.
_CHOOSES = ("targets", "cases", "rules", "attacks", "suites", "repeats", "only_plan", "resume", "shard")


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


@dataclass(frozen=True)
class _Order:
    """What the options come to: what to play, where to write, and the results file to start from."""

    loaded: Loaded
    choice: Choice
    settings: Run
    out: Path | None
    stored: Path | None


def _play(order: _Order, out: Printer, quiet: bool) -> tuple[Path, Folding | None]:
    """Play everything, or what a stored run left; the results file tells what came of it."""
    from guardgate.live import live  # noqa: PLC0415 - not for --plan

    stored = None if order.stored is None else open_results(order.stored)
    return _shown(order, out, quiet, lambda whole, shown: live(whole, shown, stored))


def _rejudge(order: _Order, out: Printer, quiet: bool) -> tuple[Path, Folding | None]:
    """Judge stored replies again."""
    from guardgate.rejudge import rejudge  # noqa: PLC0415 - not for --plan

    assert order.stored is not None  # noqa: S101 - the option was given
    stored = open_results(order.stored)
    return _shown(order, out, quiet, lambda whole, shown: rejudge(whole, stored, shown))


def _shown(order: _Order, out: Printer, quiet: bool, play: Any) -> tuple[Path, Folding | None]:
    from guardgate.live import default_out  # noqa: PLC0415 - not for --plan
    from guardgate.opening import Order, refuse_if_switched_off  # noqa: PLC0415

    refuse_if_switched_off(os.environ)
    path = order.out or default_out(Path(), datetime.now(UTC))
    whole = Order(order.loaded, order.choice, order.settings, os.environ, path)
    prepare(path)
    progress = Progress(out, quiet)

    folded: list[Folding] = []

    def shown(playing: Plan, attempt: Attempt | None) -> None:
        if attempt is None:
            folded.append(Folding(playing))
            progress.begin(len(playing.numbers), order.settings.concurrency)
        else:
            folded[-1].add(attempt)
            progress.attempt(attempt)

    try:
        asyncio.run(play(whole, shown))
        return path, folded[-1] if folded else None
    finally:
        progress.end()


def _matrix(planned: Plan, count: int) -> str:
    """The strategy matrix of GitHub Actions: never more shards than attempts."""
    shards = min(count, len(planned))
    return json.dumps({"shard": [f"{index}/{shards}" for index in range(1, shards + 1)]}) + "\n"
