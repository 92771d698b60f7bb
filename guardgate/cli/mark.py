"""`guardgate mark`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import click

from guardgate.cli.printer import printer
from guardgate.cli.show import wanted
from guardgate.errors import Refused
from guardgate.marks import MARKS_FILE, Opinion, append, sign
from guardgate.results import open_results
from guardgate.summary import redecided


@click.command("mark")
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("attempt")
@click.argument("verdict", type=click.Choice(["held", "broke"]))
@click.option("--by", required=True, help="Who decides; reports name this person.")
@click.option("--note", required=True, help="Why; reports show it.")
@click.option("--criterion", help="The criterion that broke, for an anchor made of this mark.")
@click.option("--marks", type=click.Path(path_type=Path), default=Path(MARKS_FILE), show_default=True,
              help="File to append to.")  # fmt: skip
@click.pass_context
def command(
    context: click.Context, results: Path, attempt: str, verdict: str, by: str, note: str, criterion: str | None,
    marks: Path,
) -> int:  # fmt: skip
    """Sign an opinion on an ATTEMPT (its number) of a RESULTS file.

    In `guardgate gate --marks` it decides what a judge left open, or overrules a judge; never code. Exits 0 when the
    mark was written, 3 otherwise.
    """
    opened = open_results(results)
    found = wanted(opened, attempt)
    if len(found) > 1:
        raise Refused("ATTEMPT", f"{len(found)} attempts of {attempt!r}", "one", "name it by its number")
    one = redecided(opened.plan, found[0])
    outcome: Literal["held", "broke"] = "held" if verdict == "held" else "broke"
    opinion = Opinion(outcome, by, note, criterion or "")
    append(marks, sign(opened.plan, one, opinion, datetime.now(UTC).isoformat(timespec="seconds")))
    from guardgate.report.escape import terminal  # noqa: PLC0415

    printer(context).out(f"marked attempt {one.n} ({one.case}) {verdict}, in {terminal(str(marks))}\n")
    return 0
