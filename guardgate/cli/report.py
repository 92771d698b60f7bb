"""`guardgate report`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from guardgate.cli.common import newest
from guardgate.cli.printer import printer
from guardgate.errors import Refused
from guardgate.marks import Marks, read
from guardgate.recount import decided, summary_of
from guardgate.report import FORMATS, needs, render
from guardgate.results import open_results


@click.command("report")
@click.argument("results", required=False)
@click.option(
    "--format", "form", type=click.Choice(sorted(FORMATS)), default="md", show_default=True, help="Kind of report."
)
@click.option(
    "--marks", type=click.Path(path_type=Path), help="Let the marks of this file decide what judges left open."
)
@click.option(
    "--folder", default="", help="Where the project lies in its repository: stands before files in sarif, junit, json."
)
@click.option("--out", type=click.Path(path_type=Path), help="Write to this file instead of standard output.")
@click.pass_context
def command(
    context: click.Context, results: str | None, form: str, marks: Path | None, folder: str, out: Path | None
) -> int:
    """Write a RESULTS file (default: the newest in guardgate-results/) as a report.

    Exits 0 when the report was written, whatever it says; `guardgate gate` gives the verdict's code. 3 otherwise.
    """
    path = newest([results] if results else [])
    opened = open_results(Path(path))
    signed = Marks(read(marks)) if marks is not None else Marks(())
    summary, gated = summary_of(opened, marks=signed)
    attempts = decided(opened, opened.plan, signed, summary.verdicts, needs(form, summary))
    colour = printer(context).colour and out is None
    pieces = render(form, summary, gated, opened.head, path, attempts=attempts, colour=colour, folder=_prefix(folder))
    if out is None:
        printer(context).out(pieces)
        return 0
    _write(out, (printer(context).clean(piece) for piece in pieces), Path(path))
    return 0


def _prefix(folder: str) -> str:
    """The folder with / at its end, or nothing for the root of the repository. Raises Refused."""
    parts = [part for part in folder.replace("\\", "/").split("/") if part not in ("", ".")]
    if ".." in parts or folder.startswith(("/", "\\")) or ":" in folder:
        raise Refused("--folder", repr(folder), "a folder seen from the root of the repository", "such as bots/care")
    return "".join(f"{part}/" for part in parts)


def _write(out: Path, pieces: Iterable[str], results: Path) -> None:
    if out.exists() and out.samefile(results):
        raise Refused(str(out), "the results file itself", "another file", "choose another one with --out")
    try:
        with out.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
    except OSError as error:
        raise Refused(
            str(out), f"a report that cannot be written ({error.strerror})", "a folder with room", "make room, or "
            "choose another one with --out",
        ) from error  # fmt: skip
