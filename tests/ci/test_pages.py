"""docs/action.md says what the code does."""

from __future__ import annotations

from tests.ci.pages import PAGE, filled


def test_the_tables_are_those_of_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text) == text
