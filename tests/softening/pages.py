"""`python -m tests.softening.pages` writes the table of docs/softening.md from the code; a test compares the two."""

from __future__ import annotations

from collections.abc import Iterator

from guardgate.softening import KINDS
from tests.support.project import ROOT

PAGE = ROOT / "docs" / "softening.md"
MARK = "<!-- kinds -->"
WEIGHT = {"rule": "the rule's"}


def rows() -> Iterator[str]:
    """The lines of the table."""
    yield from ("| kind | what counts | weight |", "|---|---|---|")
    for name, kind in KINDS.items():
        yield f"| `{name}` | {kind.says} | {WEIGHT.get(kind.weight, kind.weight)} |"


def filled(text: str) -> str:
    """The page with its table as the code gives it."""
    before, after = text.split(MARK)
    rest = after.lstrip("\n").split("\n")
    while rest and rest[0].startswith("|"):
        rest.pop(0)
    return f"{before}{MARK}\n\n" + "\n".join([*rows(), *rest])


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
