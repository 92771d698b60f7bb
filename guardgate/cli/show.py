"""`guardgate show`."""

from __future__ import annotations

from pathlib import Path

import click

from guardgate.cli.printer import printer
from guardgate.errors import Refused, did_you_mean
from guardgate.record import Attempt
from guardgate.results import Results, open_results
from guardgate.summary import redecided


@click.command("show")
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("attempt")
@click.pass_context
def command(context: click.Context, results: Path, attempt: str) -> int:
    """Show an ATTEMPT (its number, or the id of its case) of a RESULTS file in full.

    Exits 0 when it was shown, 3 otherwise.
    """
    from guardgate.report.show import render  # noqa: PLC0415 - only this command

    opened = open_results(results)
    for count, found in enumerate(wanted(opened, attempt)):
        printer(context).out("\n" if count else "")
        printer(context).out(render(opened.plan, redecided(opened.plan, found), colour=printer(context).colour))
    return 0


def wanted(opened: Results, name: str) -> list[Attempt]:
    """The attempts with this number or case id. Raises Refused where there is none."""
    found = [one for one in opened.attempts() if name in (str(one.n), one.case)]
    if not found:
        ids = [case.case.id for case in opened.plan.cases]
        raise Refused(
            str(opened.path), f"no attempt {name!r}", f"a number from 0 to {len(opened.plan) - 1}, or a case id",
            did_you_mean(name, ids) + "take it from the report",
        )  # fmt: skip
    return found
