"""`guardgate suites`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from guardgate.cli.printer import printer
from guardgate.errors import Invalid
from guardgate.lending import Lent, suite
from guardgate.reader import Reader
from guardgate.shipped import PREFIX, located, shipped_suites
from guardgate.source import Reason, place, read_text

#: How a case says in which language the user writes; without it: English.
LANGUAGE = "lang:"


@click.command("suites")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> int:
    """List the suites that ship: cases, attack classes, rules and languages of each. Exits 0.

    A project uses one as `suites: [guardgate:NAME]`.
    """
    rows = [described(name) for name in shipped_suites()]
    out = printer(context)
    if as_json:
        out.out(json.dumps({"version": 1, "suites": rows}, indent=2) + "\n")
        return 0
    for row in rows:
        out.out(f"{PREFIX}{row['name']}\n")
        out.out(f"  {row['cases']} cases ({row['benign']} benign) of {len(row['classes'])} attack classes\n")
        out.out(f"  {len(row['rules'])} rules ({sum(one['severity'] == 'hard' for one in row['rules'])} hard)\n")
        out.out(f"  languages: {', '.join(row['languages'])}\n")
    return 0


def described(name: str) -> dict[str, Any]:
    """One suite as numbers and names. Raises Invalid where a file of it cannot be used."""
    reader = Reader(Path())
    found = suite(reader, name)
    if reader.problems:
        raise Invalid(place(reader.problems, _text))
    return {
        "name": name,
        "cases": len(found.cases),
        "benign": sum(one.benign for one in found.cases),
        "classes": sorted({one.attack for one in found.cases if not one.benign}),
        "rules": [{"id": one.rule.id.partition("/")[2], "severity": one.rule.severity, "rule": one.rule.rule}
                  for one in found.rules],
        "languages": _languages(found),
    }  # fmt: skip


def _languages(found: Lent) -> list[str]:
    tags = ({tag for tag in one.case.tags if tag.startswith(LANGUAGE)} for one in found.cases)
    return sorted({word.removeprefix(LANGUAGE) for each in tags for word in each or {f"{LANGUAGE}en"}})


def _text(name: str) -> str | None:
    text = read_text(located(Path(), name))
    return None if isinstance(text, Reason) else text
