"""docs/cli.md against click: heading, usage, help and options of each command are click's own words.

`python -m tests.docs.commands` brings the page up to date; what stands below a table is kept.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from guardgate.cli import COMMANDS, group
from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "cli.md"


def command(name: str) -> click.Command:
    """`check` or another, or the group itself for an empty name."""
    found = import_module(COMMANDS[name][0]).command if name else group
    assert isinstance(found, click.Command)
    return found


def described(name: str) -> str:
    """Usage, help and options of one command, as the page has them."""
    named = command(name)
    wide: dict[str, Any] = {"terminal_width": 1000, "max_content_width": 1000, "help_option_names": ["-h", "--help"]}
    context = click.Context(named, info_name=f"guardgate {name}".strip(), **wide)
    usage = " ".join(context.get_usage().removeprefix("Usage: ").split())
    text = "\n\n".join(" ".join(part.split()) for part in (named.help or "").replace("\b", "").split("\n\n"))
    rows = [_row(one.get_help_record(context)) for one in named.get_params(context) if isinstance(one, click.Option)]
    head = "| option | what it does |\n|---|---|\n"
    return f"```text\n{usage}\n```\n\n{text}\n\n{head}{''.join(rows)}"


def _row(record: tuple[str, str] | None) -> str:
    left, right = record or ("", "")
    shown = [" ".join(part.split()).replace("|", "\\|") for part in (left, right)]
    return f"| `{shown[0]}` | {shown[1]} |\n"


def refreshed(text: str) -> str:
    """The page with click's own words in each section; a command without a section gets one."""
    lead, *sections = text.split("\n## guardgate")
    kept: dict[str, str] = {}
    for section in sections:
        title, _, body = section.partition("\n")
        kept[title.strip()] = _below_table(body)
    parts = [f"\n## {f'guardgate {name}'.strip()}\n\n{described(name)}{kept.get(name, '')}" for name in ("", *COMMANDS)]
    return lead + "".join(parts)


def _below_table(body: str) -> str:
    """What was written by hand, below the table of options."""
    lines = body.splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if line.startswith("|")), len(lines))
    while at < len(lines) and lines[at].startswith("|"):
        at += 1
    return "".join(lines[at:])


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
