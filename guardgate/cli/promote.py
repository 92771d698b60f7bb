"""`guardgate promote`."""

from __future__ import annotations

from pathlib import Path

import click

from guardgate.cli.printer import printer
from guardgate.cli.show import wanted
from guardgate.errors import Refused
from guardgate.promote import pinned
from guardgate.report.escape import terminal
from guardgate.results import open_results
from guardgate.summary import redecided


@click.command("promote")
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("attempt")
@click.option("--into", type=click.Path(path_type=Path), default=Path("promoted"), show_default=True,
              help="Folder for the new files.")  # fmt: skip
@click.pass_context
def command(context: click.Context, results: Path, attempt: str, into: Path) -> int:
    """Pin an ATTEMPT (its number) of a RESULTS file as a new case, for a person to review.

    Copies its documents, keeps its turns as sent, and notes where it comes from. Never edits a file that exists, never
    runs anything. Exits 0 when the case was written, 3 otherwise.
    """
    opened = open_results(results)
    found = wanted(opened, attempt)
    if len(found) > 1:
        raise Refused("ATTEMPT", f"{len(found)} attempts of {attempt!r}", "one", "name it by its number")
    files = pinned(opened.plan, redecided(opened.plan, found[0]), results.name)
    there = [name for name in files if (into / name).exists()]
    if there:
        raise Refused(str(into / there[0]), "a file that exists", "no such file", "it was pinned before; move it away")
    for name, text in files.items():
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        with (into / name).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    printer(context).out(f"wrote {terminal(str(into / next(iter(files))))}: read it, then move it to your suites\n")
    return 0
