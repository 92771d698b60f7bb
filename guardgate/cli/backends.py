"""`guardgate backends`."""

from __future__ import annotations

import os

import click

from guardgate.backends import TABLE
from guardgate.cli.common import printer
from guardgate.model.project import Project
from guardgate.schema import published
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
    """Every backend that a project file can name, with its sentence from the schema."""
    import json  # noqa: PLC0415

    definitions = json.loads(published("project"))["definitions"]
    found = {}
    for variant in Project.model_json_schema()["properties"]["targets"]["additionalProperties"]["oneOf"]:
        one = definitions[variant["$ref"].rsplit("/", 1)[-1]]
        found[one["properties"]["backend"]["const"]] = one["description"]
    return found
