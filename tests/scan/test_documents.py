"""Every document case of the examples is screened here, those of the suites in tests/suites; runs show the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from guardgate.scan import at_least, scan
from tests.check.overlay import CASES, laid_over
from tests.support.project import ROOT, guardgate

EXAMPLE = ROOT / "examples" / "document_agents"
#: The documents in which the scanner finds nothing, one a line: known, not hidden.
MISSED = Path(__file__).with_name("missed.txt").read_text("utf-8").splitlines()


def documents(hostile: bool) -> set[Path]:
    """The documents of attacks, or of their twins, in the suites of all examples."""
    found = set()
    for suite in ROOT.glob("examples/**/*.yaml"):
        data = yaml.safe_load(suite.read_text("utf-8"))
        for case in data.get("cases", []) if isinstance(data, dict) else []:
            if "document" in case and (case["attack"] != "benign") == hostile:
                found.add((suite.parent / case["document"]).resolve())
    return found


def flagged(path: Path) -> bool:
    return any(at_least(finding.severity, "medium") for finding in scan(path.read_text("utf-8"), path.name))


def test_what_is_missed_is_what_is_listed() -> None:
    hostile = documents(hostile=True)
    assert len(hostile) >= 20
    assert sorted(path.relative_to(ROOT).as_posix() for path in hostile if not flagged(path)) == MISSED


def test_twins_are_let_through() -> None:
    clean = documents(hostile=False)
    assert len(clean) >= 13
    assert [path.name for path in sorted(clean) if flagged(path)] == []


@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_check_notes_what_the_scanner_misses_and_does_not_fail(strict: list[str]) -> None:
    ran = guardgate(EXAMPLE, "check", "--format", "json", *strict)
    notes = [one for one in json.loads(ran.out)["problems"] if one["code"] == "unscreened"]
    assert ran.code == 0
    found = [Path(one["found"].split("'")[1]).name for one in notes]
    assert sorted(found) == [Path(name).name for name in MISSED]


def test_a_note_is_one_for_strict_too(tmp_path: Path) -> None:
    project = laid_over(CASES / "invalid" / "document-unscreened", tmp_path)
    ran = guardgate(project, "check", "--strict")
    assert ran.code == 0
    assert "note: found the document '../documents/soft.md'" in ran.out
    assert "0 errors, 0 warnings, 1 note" in ran.out
