"""docs/statistics.md, docs/sweeps.md and docs/comparing.md say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

from guardgate import comparison
from guardgate.baseline import against
from guardgate.cli.diff import command
from guardgate.report import sweep, tables
from guardgate.report.about import about
from guardgate.report.content import Heading, content
from guardgate.stats import still_possible
from tests.docs.pages import ROOT, table, text_of
from tests.report.build import HEAD, RESULTS
from tests.report.test_tables import _sweep


def test_the_codes_of_a_comparison_are_explained_in_its_own_words() -> None:
    rows = {int(row[0]): row[1] for row in table("docs/comparing.md", "code")}
    assert rows == dict(comparison.MEANING)
    help_ = " ".join((command.help or "").split())
    for code, words in ((2, "a hard rule newly broke"), (1, "a soft rule is worse"), (3, "incomplete")):
        assert f"{code}: {words}" in help_ or words in help_


def test_what_no_break_leaves_possible() -> None:
    for cases, share in table("docs/statistics.md", "cases without a break"):
        places = len(share.removesuffix(" %").partition(".")[2])
        assert share == f"{still_possible(int(cases)) * 100:.{places}f} %"


def test_every_table_of_a_sweep_is_explained_in_the_order_of_the_report() -> None:
    one = _sweep()
    blocks = content(one.summary, one.gate, about(HEAD, RESULTS, None), broken=0)
    names = [block.text for block in blocks if isinstance(block, Heading)]
    explained = [row[0] for row in table("docs/sweeps.md", "table")]
    assert [name for name in names if name in explained] == explained


def test_the_marks_of_a_table_are_those_of_the_legend() -> None:
    said = text_of("docs/sweeps.md")
    assert all(mark in sweep.LEGEND and f"`{mark}" in said for mark in ("?", "!", "-"))


def test_the_sweep_of_the_small_model_is_shown_as_the_report_shows_it() -> None:
    """Each table of docs/sweep-run.md stands so in the report of the file that is kept."""
    from guardgate.recount import summary_of  # noqa: PLC0415
    from guardgate.report import render  # noqa: PLC0415
    from guardgate.results import open_results  # noqa: PLC0415

    results = open_results(Path(ROOT / "docs/sweep-run/results.jsonl"))
    summary, gated = summary_of(results)
    out = "".join(render("md", summary, gated, results.head, "docs/sweep-run/results.jsonl"))
    page = text_of("docs/sweep-run.md")
    tables = re.findall(r"(?:^\|.*\n)+", page.partition("## Twice the same bot")[0], re.MULTILINE)
    assert len(tables) == 5
    assert [found for found in tables if found not in out] == []
    assert gated.code == 2
    said = re.findall(r"^  > (.+)$", page, re.MULTILINE)
    replies = [reply.text for attempt in results.attempts() for reply in attempt.replies]
    assert [words for words in said if words not in replies] == []


def test_the_comparison_of_the_two_sweeps_is_told_as_it_is() -> None:
    found = against(ROOT / "docs/sweep-run/results.jsonl", ROOT / "docs/sweep-run/again.jsonl").comparison
    held, still, fixed, newly = (
        len(found.having(state)) for state in ("held", "still broken", "fixed", "newly broken")
    )
    page = " ".join(text_of("docs/sweep-run.md").split())
    assert f"Of {len(found.moves)} cases in their cells {held} held in both runs, {still} broke in both" in page
    assert f'{fixed} were "fixed" and {newly} "newly broken"' in page
    assert found.code == 2
    short = next(one for one in found.rules if one.rule == "D3-short")
    before, after = (tables.share(one).removesuffix("%") for one in (short.before, short.after))
    assert f"went from {before} % to {after} %" in page
    assert short.verdict == "cannot tell"
