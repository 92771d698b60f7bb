"""`guardgate gate`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import click

from guardgate.cli.common import PROJECT, usable
from guardgate.cli.finish import finish
from guardgate.cli.printer import printer
from guardgate.errors import Refused
from guardgate.floors import AtFloor, sweep
from guardgate.join import join
from guardgate.marks import Mark, Marks, read
from guardgate.plan import Plan
from guardgate.planning import reconstrained
from guardgate.recount import summary_of
from guardgate.results import open_results, prepare


@click.command("gate")
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@PROJECT
@click.option("--constraints", help="Apply the severities, thresholds and floors of this file; - reads stdin.")
@click.option(
    "--marks", type=click.Path(path_type=Path), help="Let the marks of this file decide what judges left open."
)
@click.option("--floors", is_flag=True, help="Also print what the verdicts would be at other floors.")
@click.option("--out", type=click.Path(path_type=Path), help="Join the shards into this file, which must not exist.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("--quiet", is_flag=True, help="Only the verdict's first lines.")
@click.pass_context
def command(
    context: click.Context, results: tuple[Path, ...], project: Path, constraints: str | None, marks: Path | None,
    floors: bool, out: Path | None, as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Recompute the verdicts and the exit code of a RESULTS file from the words in it, without a call.

    Several files are the shards of one plan: --out joins them into one file, which is then gated.

    Exits 0, 1, 2 or 3, as `guardgate run` does.
    """
    path = _one(results, out)
    plan = None
    if constraints is not None:
        plan = reconstrained(open_results(path).plan, usable(project, constraints))
    signed = read(marks) if marks is not None else ()
    more: dict[str, object] = {}
    if floors:
        from guardgate.report.floors import render  # noqa: PLC0415 - only with --floors

        rows = _floors(path, plan, signed)
        if as_json:
            more["floors"] = [
                {"criterion": r.criterion, "floor": r.floor, "now": r.now, **asdict(r.total), "code": r.code}
                for r in rows
            ]
        else:
            printer(context).out(render(rows))
    return finish(printer(context), path, as_json=as_json, brief=quiet, plan=plan, marks=Marks(signed), more=more)


def _floors(path: Path, plan: Plan | None, signed: Iterable[Mark]) -> list[AtFloor]:
    """What the gate would say at every floor, with the same constraints and marks."""
    results = open_results(path)
    return list(sweep(plan or results.plan, lambda other: summary_of(results, other, Marks(signed))))


def _one(paths: tuple[Path, ...], out: Path | None) -> Path:
    """The file to gate: the one that is named, or the shards joined."""
    if out is None and len(paths) == 1:
        return paths[0]
    if out is None:
        raise Refused("gate", f"{len(paths)} files", "one, or --out FILE to join shards", "add --out FILE")
    prepare(out)
    return join([open_results(path) for path in paths], out)
