"""The pages of attack classes: their form, and what they quote."""

from __future__ import annotations

import itertools
import re

from guardgate.attacks import TABLE
from tests.support.project import ROOT

HEADINGS = ["Why it works", "A bad reply", "A good reply", "What to look at"]


def classes(channel: str) -> list[str]:
    """The classes of a channel, each of which has a page."""
    return [name for name, row in TABLE.items() if row.channel == channel]


def page_of(name: str) -> str:
    """The page of a class, in the form that all of them have."""
    page = (ROOT / "docs" / "attacks" / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {name}\n")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == HEADINGS
    return page


def case_of(page: str, suite: str) -> str:
    """The one case of the suite that a page speaks of."""
    named: set[str] = set(re.findall(rf"`{suite}/([\w-]+)`", page))
    (case,) = named
    return case


def quoted(page: str, heading: str | None = None) -> str:
    """The quotation below a heading, or the one before all headings, a line for each of its paragraphs."""
    below = page if heading is None else page.partition(f"\n## {heading}\n")[2]
    section = below.partition("\n## ")[0]
    lines = [line[2:] for line in section.splitlines() if line.startswith("> ") or line == ">"]
    return "\n".join(" ".join(paragraph) for written, paragraph in itertools.groupby(lines, bool) if written)


def unlisted(names: list[str]) -> list[str]:
    """The classes whose page docs/attacks.md does not link."""
    listed = (ROOT / "docs/attacks.md").read_text(encoding="utf-8")
    return [name for name in names if f"[{name}](attacks/{name}.md)" not in listed]
