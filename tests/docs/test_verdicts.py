"""docs/verdicts.md and the exit codes wherever they are written."""

from __future__ import annotations

import pytest

from guardgate.gate import MEANING, WORD
from guardgate.record import KINDS
from tests.docs.pages import table


def test_every_kind_of_undecided_stands_there_with_its_side() -> None:
    rows = [(kind.strip("`"), side) for kind, side, _ in table("docs/verdicts.md", "kind")]
    assert rows == list(KINDS.items())


def test_the_table_of_exit_codes_is_the_gate_s() -> None:
    rows = table("docs/verdicts.md", "code")
    assert rows == [[str(code), WORD[code], MEANING[code]] for code in (0, 1, 2, 3)]


@pytest.mark.parametrize("page", ["README.md"])
def test_other_tables_of_exit_codes_say_the_same(page: str) -> None:
    assert table(page, "code") == [[str(code), MEANING[code]] for code in (0, 1, 2, 3)]
