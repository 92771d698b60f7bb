"""Every document of the tool suite is screened: what the scanner misses is listed, and its twins raise no alarm."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from guardgate.scan import at_least, scan
from tests.support.project import ROOT

CASES = ROOT / "suites" / "tools" / "cases"
#: Documents that `guardgate scan` would let through; `python -m tests.suites.unscreened` writes it anew.
MISSED = Path(__file__).with_name("unscreened_tools.txt")


def documents(hostile: bool) -> list[Path]:
    """The documents of attacks, or of their twins."""
    cases = [case for file in sorted(CASES.glob("*.yaml")) for case in yaml.safe_load(file.read_text("utf-8"))["cases"]]
    named = {case["document"] for case in cases if "document" in case and (case["attack"] != "benign") == hostile}
    return sorted((CASES / name).resolve() for name in named)


def flagged(path: Path) -> bool:
    return any(at_least(finding.severity, "medium") for finding in scan(path.read_text("utf-8"), path.name))


def missed() -> str:
    return "".join(f"{path.name}\n" for path in documents(hostile=True) if not flagged(path))


def test_what_the_scanner_misses_is_what_is_listed() -> None:
    assert missed() == MISSED.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", documents(hostile=False), ids=lambda path: path.name)
def test_a_twin_is_let_through(path: Path) -> None:
    assert not flagged(path)


def test_no_document_of_the_suite_is_left_out() -> None:
    there = {path.name for path in (CASES.parent / "documents").iterdir()}
    assert there == {path.name for hostile in (True, False) for path in documents(hostile)}
    assert len(documents(hostile=True)) >= 10


def test_the_page_counts_them() -> None:
    page = " ".join((ROOT / "docs" / "scanner.md").read_text(encoding="utf-8").split())
    all_of_them, found = len(documents(hostile=True)), len(documents(hostile=True)) - len(missed().splitlines())
    assert re.findall(r"Of the (\d+) in `suites/tools` (\d+) are found", page) == [(str(all_of_them), str(found))]
