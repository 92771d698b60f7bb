"""`guardgate compare`."""

from __future__ import annotations

from pathlib import Path

import click

from guardgate.cli.common import find_project, placed
from guardgate.cli.printer import printer
from guardgate.errors import Invalid
from guardgate.load import load
from guardgate.loaded import Loaded


@click.command("compare")
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("head", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json", "md", "github"]), default="text",
              show_default=True, help="How it is printed.")  # fmt: skip
@click.pass_context
def command(context: click.Context, base: Path, head: Path, form: str) -> int:
    """Say what became weaker from the files of project BASE to those of project HEAD: no call, no code of either.

    Exits 2: a hard rule became weaker, or less is tried on it. 1: something else became weaker, or changed so that a
    person must say whether it is weaker. 0: nothing did. 3: one of the two could not be read, so it says nothing.
    """
    from guardgate.report.softening import render  # noqa: PLC0415 - not for --help
    from guardgate.softening import compare  # noqa: PLC0415

    found = compare(_read(base), _read(head))
    out = printer(context)
    out.out(render(found, form, out.colour))
    return found.code


def _read(path: Path) -> Loaded:
    """A project whose files could all be read. Raises Invalid; what its files say is `check`'s matter."""
    file = find_project(path)
    loaded, problems = load(file)
    errors = placed(file, [problem for problem in problems if problem.severity == "error"])
    if errors or loaded is None:
        raise Invalid(errors)
    return loaded
