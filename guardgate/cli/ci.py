"""`guardgate ci`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

from guardgate.ci.inputs import INPUTS
from guardgate.cli.printer import printer


def _inputs(function: Callable[..., Any]) -> Callable[..., Any]:
    """Every input of the action as an option, from the same table."""
    for name, (default, told) in reversed(tuple(INPUTS.items())):
        shown = f" [default: {default}]" if default and name != "github-token" else ""
        function = click.option(f"--{name}", name.replace("-", "_"), help=f"{told}{shown}")(function)
    return function


@click.command("ci")
@_inputs
@click.pass_context
def command(context: click.Context, /, **options: str | None) -> int:
    """Do what the event of this job asks for: the action, in the Python of the job.

    The options are the inputs of the action; each may also be given as INPUT_NAME in the environment.

    Exits 0, 1, 2 or 3, as --fail-on makes of guardgate's code; 3 always stays 3.
    """
    from guardgate.ci.job import run  # noqa: PLC0415 - not for --help

    asked = {f"INPUT_{name.upper().replace('_', '-')}": value for name, value in options.items() if value is not None}
    return run({**os.environ, **asked}, printer(context))
