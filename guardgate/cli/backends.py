"""`guardgate backends`."""

from __future__ import annotations

import os
from typing import get_args

import click

from guardgate.backends import TABLE
from guardgate.cli.printer import printer
from guardgate.model.project import Target
from guardgate.targets import ALWAYS, WITH_MODEL


@click.command("backends")
@click.pass_context
def command(context: click.Context) -> int:
    """List the ways to reach a target, and what each needs. Exits 0."""
    out = printer(context)
    for name, words in kinds().items():
        here = "" if name in TABLE else "  (not part of this version)"
        out.out(f"{name:12} {words}{here}\n")
    named = ", ".join((*ALWAYS, *WITH_MODEL))
    state = "set" if os.environ.get("GUARDGATE_MODEL") else "not set"
    out.out(
        f"\nWithout an entry in guardgate.yaml: {named}\n(the last two once GUARDGATE_MODEL is set; it is {state})\n"
    )
    return 0


def kinds() -> dict[str, str]:
    """Every backend that a project file can name, with its sentence."""
    variants = get_args(get_args(Target)[0])
    return {get_args(one.model_fields["backend"].annotation)[0]: str(one.__doc__) for one in variants}
