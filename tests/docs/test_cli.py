"""docs/cli.md: every command with its options, in click's own words, and every environment variable."""

from __future__ import annotations

import re

from guardgate.cli import COMMANDS
from tests.docs.commands import PAGE, refreshed
from tests.docs.pages import ROOT, headings, table

REPAIR = "python -m tests.docs.commands brings docs/cli.md up to date"


def test_the_page_says_of_each_command_what_click_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert refreshed(text) == text, REPAIR


def test_there_is_one_section_a_command_in_the_order_of_the_table() -> None:
    assert headings("docs/cli.md") == ["guardgate", *(f"guardgate {name}" for name in COMMANDS)]


def test_a_stale_table_and_a_missing_command_are_repaired_and_other_words_are_kept() -> None:
    text = PAGE.read_text(encoding="utf-8")
    stale = text.replace("Warnings give 3 too.", "Something else.", 1).partition("\n## guardgate backends")[0]
    stale = stale.replace("\n## guardgate run", "\nWords by hand.\n\n## guardgate run", 1)
    repaired = refreshed(stale)
    assert "Words by hand." in repaired
    assert repaired.replace("\nWords by hand.\n", "", 1) == text


def test_the_table_of_environment_variables_is_what_the_code_reads() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "guardgate").rglob("*.py"))
    read = set(re.findall(r'"(GUARDGATE_[A-Z_]+|NO_COLOR)"', code))
    assert {row[0].strip("`") for row in table("docs/cli.md", "variable")} == read
