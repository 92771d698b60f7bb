"""`guardgate check`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from guardgate.cli.common import CONSTRAINTS, PROJECT, SETTINGS, checked
from guardgate.cli.printer import printer
from guardgate.loaded import Loaded


@click.command("check")
@PROJECT
@CONSTRAINTS
@SETTINGS
@click.option("--strict", is_flag=True, help="Warnings give 3 too.")
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", show_default=True,
              help="How problems are printed.")  # fmt: skip
@click.option("--coverage", is_flag=True, help="Print which attack classes press on which rule, holes first.")
@click.pass_context
def command(
    context: click.Context, project: Path, constraints: str | None, settings: Path | None, strict: bool, form: str,
    coverage: bool,
) -> int:  # fmt: skip
    """Validate rules, attacks and documents: no model call, no network, no code of the project.

    Exits 0 (warnings included) or 3; with --strict a warning gives 3 too.
    """
    from guardgate.report.problems import render  # noqa: PLC0415 - only this command prints problems

    loaded, problems = checked(project, constraints, settings)
    out = printer(context)
    table = _coverage(loaded, form) if coverage and loaded is not None else ""
    if form == "json":
        both = {
            **json.loads("".join(render(problems, form, False))),
            **({"coverage": json.loads(table)} if table else {}),
        }
        out.out(json.dumps(both, indent=2) + "\n")
    else:
        out.out(table)
        out.out(render(problems, form, out.colour))
    if form == "text" and loaded is not None:
        out.out(f"{len(loaded.cases)} cases on {len(loaded.rules)} rules checked\n")
    bad = {"error", "warning"} if strict else {"error"}
    return 3 if loaded is None or any(problem.severity in bad for problem in problems) else 0


def _coverage(loaded: Loaded, form: str) -> str:
    from guardgate.report.coverage import render  # noqa: PLC0415 - only with --coverage

    rules = [(planned.rule.id, planned.rule.severity) for planned in loaded.rules]
    cases = [(case.case.rule, case.attack) for case in loaded.cases]
    return "".join(render(rules, cases, "json" if form == "json" else "text"))
