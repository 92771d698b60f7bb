"""docs/attacks.md: the table of attack classes."""

from __future__ import annotations

from guardgate.attacks import TABLE
from tests.docs.pages import table


def test_the_table_is_the_one_in_the_code() -> None:
    expected = [
        [f"`{row.name}`", row.pressure, row.channel, " ".join(row.tags) or "-", ", ".join(row.aliases) or "-"]
        for row in TABLE.values()
    ]
    assert table("docs/attacks.md", "class") == expected
