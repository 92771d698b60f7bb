"""docs/action.md says what the code does."""

from __future__ import annotations

from tests.ci.pages import PAGE, filled
from tests.support.project import ROOT


def test_the_tables_are_those_of_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text) == text


#: GitHub's own words.
FOREIGN = ("Resource not accessible by integration",)


def test_every_message_that_the_setup_page_explains_is_one_of_ours() -> None:
    table = (ROOT / "docs" / "action-setup.md").read_text(encoding="utf-8").partition("## When it says no")[2]
    code = " ".join(file.read_text(encoding="utf-8") for file in (ROOT / "guardgate").rglob("*.py"))
    told = [line.split("|")[1].strip().strip("`") for line in table.splitlines() if line.startswith("| `")]
    assert len(told) > 9
    parts = [part.strip() for one in told if one not in FOREIGN for part in one.split("...") if part.strip()]
    assert [part for part in parts if part not in code] == []
