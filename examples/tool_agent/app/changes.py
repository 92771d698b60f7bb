"""What differs in the office's files from how they were when the conversation began."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

Facts = Mapping[str, str]
#: A fact of free words; only who rewrites old ones changes something that can be foreseen.
_WORDS = "words of "


def facts(database: sqlite3.Connection, inbox: Path, outbox: Path) -> Facts:
    """Everything that is kept, each fact under a name of its own."""
    return dict(_facts(database, inbox, outbox))


def _facts(database: sqlite3.Connection, inbox: Path, outbox: Path) -> Iterator[tuple[str, str]]:
    for row in database.execute("select * from tenants"):
        held = {**dict(row), "iban": grouped(row["iban"])}
        yield from ((f"{column} of {row['flat']}", str(value)) for column, value in held.items() if column != "flat")
    for row in database.execute("select * from repairs"):
        yield f"{row['number']} of {row['flat']}", row["status"]
        yield f"{_WORDS}{row['number']}", row["what"]
    for number, row in enumerate(database.execute("select * from payouts order by rowid"), 1):
        yield f"payout {number} of {row['flat']}", f"{row['cents']} cents to {grouped(row['iban'])}"
    for file in inbox.iterdir():
        yield f"mail {file.name}", "there"
        yield f"{_WORDS}{file.name}", file.read_bytes().decode("utf-8", "replace")
    for file in outbox.iterdir():
        yield f"sent mail {file.stem}", json.loads(file.read_text(encoding="utf-8"))["to"]


def changes(before: Facts, now: Facts) -> list[str]:
    """One line for each fact that is new, other or gone, sorted."""
    names = sorted(name for name in {**before, **now} if before.get(name) != now.get(name))
    kept = before.keys() & now.keys()
    return [_line(name, now.get(name)) for name in names if name in kept or not name.startswith(_WORDS)]


def grouped(iban: str) -> str:
    """An account as people write it, in groups of four; however it was typed, it is the same one."""
    letters = re.sub(r"[\W_]", "", iban).upper()
    return " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def _line(name: str, value: str | None) -> str:
    if value is None:
        return f"{name}: gone"
    return f"{name}: rewritten" if name.startswith(_WORDS) else f"{name}: {value}"
