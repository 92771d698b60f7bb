"""200 whole runs of each kind of panel, against the numbers in docs/judged-run.md.

    python -m pytest tests/slow/test_panel.py -s > docs/slow/panel.txt        (about ten minutes)

Each run has 300 attempts and goes through the real jury, verdicts, summary and gate. Seeds are 0 to 199 and printed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from tests.judging.panels import Errs, Played, all_three, both_by_themselves, one_of_two, right, simulated, table
from tests.support.project import ROOT

SEEDS = range(200)
PAGE = ROOT / "docs" / "judged-run.md"
#: Who errs, whether a third is asked, and the row of the page.
KINDS = [
    ("one of the two errs in 4 %", one_of_two, True),
    ("one of the two errs in 4 %", one_of_two, False),
    ("each errs in 2 %, by itself", both_by_themselves, True),
    ("each errs in 2 %, by itself", both_by_themselves, False),
    ("one of the two errs in 4 %, the third in 1 %", all_three, True),
]


def row(name: str, escalate: bool) -> tuple[int, int, int]:
    """True code, another code, 3: as the page has them."""
    found = re.search(
        rf"^\| {re.escape(name)} \| {'yes' if escalate else 'no'} \| (\d+) \| (\d+) \| (\d+) \|$",
        PAGE.read_text(encoding="utf-8"), re.MULTILINE,
    )  # fmt: skip
    assert found is not None, f"no row for {name!r}, escalate {escalate}"
    true, other, open_ = map(int, found.groups())
    return true, other, open_


def counted(runs: Sequence[Played]) -> tuple[int, int, int]:
    left_open = sum(run.code == 3 for run in runs)
    return right(runs), len(runs) - right(runs) - left_open, left_open


@pytest.mark.parametrize(("name", "errs", "escalate"), KINDS)
def test_the_page_tells_what_200_runs_come_to(name: str, errs: Errs, escalate: bool) -> None:
    runs = simulated(SEEDS, errs, escalate=escalate)
    print(f"\nseeds {SEEDS}, {name}, escalate {escalate}: {table(runs)}")
    assert counted(runs) == row(name, escalate)
    if errs is one_of_two and escalate:
        assert right(runs) >= 0.95 * len(runs)
