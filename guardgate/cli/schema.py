"""`guardgate schema`."""

from __future__ import annotations

import click

from guardgate.cli.printer import printer
from guardgate.schema import MODELS, published


@click.command("schema")
@click.argument("name", type=click.Choice(sorted(MODELS)))
@click.pass_context
def command(context: click.Context, name: str) -> int:
    """Print the JSON Schema (draft-07) of a kind of file. Exits 0, or 3 for an unknown name.

    Editors complete a file that begins with `# yaml-language-server: $schema=PATH`.
    """
    printer(context).out(published(name))
    return 0
