"""Writes the sections of docs/transforms.md, one a transform, from the table and from what it writes.

python -m tests.docs.transforms
"""

from __future__ import annotations

from collections.abc import Iterator

from guardgate.normalize import visible
from guardgate.transforms import NONE, TABLE, sent
from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "transforms.md"
HEADING = "## The transforms"
TURN = "Is the code 7731?"


def sections() -> Iterator[str]:
    """A heading, what it does, and the turn as it is sent."""
    for name, one in TABLE.items():
        if name == NONE:
            continue
        notes = ["drawn by the run's seed"] if one.seeded else []
        notes += ["the target must remember turns"] if one.adds_turns else []
        notes += [] if one.inverse is not None else ["no way back"]
        told = f" ({'; '.join(notes)})" if notes else ""
        yield f"### {name}\n\n{one.what[0].upper()}{one.what[1:]}{told}.\n\n"
        for turn in sent(name, (TURN,), 0, "example", {}):
            yield "```text\n" + "\n".join(visible(line) for line in turn.split("\n")) + "\n```\n\n"


def refreshed(text: str) -> str:
    """The page with its sections as they are now; everything before them is kept."""
    head = text.partition(HEADING)[0]
    return f"{head}{HEADING}\n\n" + "".join(sections()).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
