"""`python -m tests.ci.pages` writes the tables of docs/action.md from the code; a test compares the two."""

from __future__ import annotations

from collections.abc import Iterator

from guardgate.ci.inputs import INPUTS
from guardgate.ci.outputs import OUTPUTS
from guardgate.github.mode import TABLE
from tests.support.project import ROOT

PAGE = ROOT / "docs" / "action.md"
ANY = "every other event"


def rows(name: str) -> Iterator[str]:
    """The lines of one table."""
    if name == "events":
        yield from ("| event | when | what it does | why |", "|---|---|---|---|")
        for row in TABLE:
            events = ", ".join(f"`{event}`" for event in row.events)
            mode = "3" if row.mode == "refused" else row.mode
            yield f"| {events} | {row.when} | {mode} | {row.why} |"
        yield f"| {ANY} | always | 3 | say `mode: check` to check what is checked out |"
    elif name == "inputs":
        yield from ("| input | default | what it does |", "|---|---|---|")
        for key, (default, told) in INPUTS.items():
            yield f"| `{key}` | {f'`{default}`' if default else 'none'} | {told.replace('|', '')} |"
    else:
        yield from ("| output | what it says |", "|---|---|")
        yield from (f"| `{key}` | {told} |" for key, told in OUTPUTS.items())


def filled(text: str) -> str:
    """The page with its tables as the code gives them."""
    for name in ("events", "inputs", "outputs"):
        mark = f"<!-- {name} -->"
        before, after = text.split(mark)
        rest = after.lstrip("\n").split("\n")
        while rest and rest[0].startswith("|"):
            rest.pop(0)
        body = "\n".join(rest).lstrip("\n")
        text = before + mark + "\n\n" + "\n".join(rows(name)) + "\n\n" + body
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
