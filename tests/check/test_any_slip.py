"""Whatever slip a file holds, `check` says it in its own words: it never fails itself, and every place exists."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate.lint.headings import anchors
from guardgate.shipped import PREFIX
from tests.check.overlay import BASE, laid_over, problems
from tests.core.test_schema import changed
from tests.support.project import ROOT

FILES = {
    "project": "guardgate.yaml",
    "constraints": "constraints.yaml",
    "suite": "suites/a.yaml",
    "script": "scripts/desk.yaml",
    "anchors": "anchors.yaml",
    "translations": "translations.yaml",
    "suppressions": "suppressions.yaml",  # `scan` alone reads it
}


def place(root: Path, file: str) -> Path:
    """Where a file that a problem names is; a shipped suite's is named by the suite."""
    return ROOT / "suites" / file.removeprefix(PREFIX) if file.startswith(PREFIX) else root / file


@settings(max_examples=150, deadline=None)
@given(st.lists(changed(), min_size=1, max_size=3))
def test_a_project_with_slips_is_checked_to_its_end(files: list[tuple[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = laid_over(BASE, Path(folder).resolve())
        with (root / "guardgate.yaml").open("a", encoding="utf-8") as project:
            project.write("translations: {german: translations.yaml}\n")
        (root / "translations.yaml").write_text('turns: {"and its code": "und der Code"}', "utf-8")
        for kind, data in files:
            (root / FILES[kind]).write_text(json.dumps(data), "utf-8")
        found = problems(root)
        assert found == sorted(found, key=lambda one: (one.file, one.line, one.col))
        for one in found:
            lines = place(root, one.file).read_text("utf-8").splitlines()
            assert 1 <= one.line <= max(len(lines), 1), one
            assert 1 <= one.col <= len(lines[one.line - 1]) + 1, one
            assert one.found, one
            assert one.expected, one
            assert one.todo, one
            assert "\n" not in one.message, one


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# What it never does", ["what-it-never-does"]),
        ("What it does\n===\n\nHow\n---", ["what-it-does", "how"]),
        ("# A, b & c: d?", ["a-b--c-d"]),
        ("# One\n## One\n# One", ["one", "one-1", "one-2"]),
        ("# `code` and *stress*", ["code-and-stress"]),
        ("# [A link](x.md) here", ["a-link-here"]),
        ("# Überblick über 你好", ["überblick-über-你好"]),
        ("# Trailing  #", ["trailing"]),
        ("```\n# no heading\n```\n    # nor this", []),
        ("#no space\n\ntext", []),
        ("> # Quoted", ["quoted"]),
        ("# snake_case - and dash", ["snake_case---and-dash"]),
    ],
)
def test_headings_have_the_anchors_that_github_gives_them(text: str, found: list[str]) -> None:
    assert anchors(text) == found
