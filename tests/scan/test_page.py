"""docs/scanner.md and the README: families, the file of suppressions, and findings as they are printed."""

from __future__ import annotations

import json

import pytest

from guardgate.explain import validated
from guardgate.model.suppressions import SuppressionsFile
from guardgate.scan import FAMILIES, at_least, scan
from guardgate.source import Document, parse
from tests.docs.pages import ROOT, Fence, every_fence, table
from tests.support.project import guardgate


def test_every_family_has_its_row() -> None:
    assert [row[0].strip("`") for row in table("docs/scanner.md", "family")] == list(FAMILIES)


def test_the_file_of_suppressions_is_one() -> None:
    fences = every_fence("yaml suppressions")
    assert {fence.page for fence in fences} == {"docs/files.md", "docs/scanner.md"}
    for fence in fences:
        read = parse(fence.text, fence.page)
        assert isinstance(read, Document)
        assert isinstance(validated(SuppressionsFile, read.data, fence.page), SuppressionsFile)


@pytest.mark.parametrize("fence", every_fence("text scan"), ids=lambda fence: fence.place)
def test_what_is_shown_is_what_is_printed(fence: Fence) -> None:
    path = fence.text.partition(":")[0]
    assert fence.text in guardgate(ROOT, "scan", path).out


def test_the_readme_and_the_page_show_a_finding() -> None:
    assert {fence.page for fence in every_fence("text scan")} == {"README.md", "docs/scanner.md"}


def flagged(text: str) -> bool:
    return any(at_least(finding.severity, "medium") for finding in scan(text))


def test_the_numbers_of_our_own_test_are_those_of_the_page() -> None:
    rows = [json.loads(line) for line in (ROOT / "tests/cases/scan/fresh.jsonl").read_text("utf-8").splitlines()]
    hits = [(row["label"], row["slice"], flagged(row["text"])) for row in rows]
    found = {name: sum(hit for _, slice_, hit in hits if slice_ == name) for name in ("overt", "obfuscated")}
    assert found == {"overt": 25, "obfuscated": 10}
    assert sum(hit for label, _, hit in hits if label == 0) == 0


@pytest.mark.parametrize(("name", "found", "of"), [("fresh_overt", 49, 60), ("fresh_more", 27, 40)])
def test_what_is_found_of_our_own_overt_injections_is_what_the_page_says(name: str, found: int, of: int) -> None:
    rows = [json.loads(line) for line in (ROOT / f"tests/cases/scan/{name}.jsonl").read_text("utf-8").splitlines()]
    assert (sum(flagged(row["text"]) for row in rows), len(rows)) == (found, of)
    page = " ".join((ROOT / "docs/scanner.md").read_text("utf-8").split())
    assert f"now {found} are found" in page or f"{found} at first sight" in page
