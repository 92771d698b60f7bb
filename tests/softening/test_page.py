"""docs/softening.md says what the code does."""

from __future__ import annotations

from guardgate.report.softening import MEANING
from guardgate.softening import WEIGHTS
from tests.docs.pages import table
from tests.softening.pages import PAGE, filled


def test_the_table_is_the_one_of_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text) == text


def test_the_weights_stand_in_their_order() -> None:
    assert [row[0] for row in table("docs/softening.md", "weight")] == list(WEIGHTS)


def test_every_code_is_explained() -> None:
    rows = {int(code): meaning for code, meaning in table("docs/softening.md", "code")}
    assert sorted(rows) == [0, 1, 2, 3]
    assert rows[0] == MEANING[0]
    assert rows[2] == MEANING[2]
