"""docs/checks.md: every kind, and every example is a rule whose checks have teeth."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardgate.checks import TABLE, settings
from guardgate.constraints import Constraints, parsed
from guardgate.lint import lint
from guardgate.load import load
from guardgate.model.checks import Checks
from guardgate.source import Document, parse
from tests.docs.pages import Fence, fences, headings, section

PAGE = "docs/checks.md"
RULES = [fence for fence in fences(PAGE) if fence.words == "yaml rules"]
FILES = {fence.words.removeprefix("json "): fence.text for fence in fences(PAGE) if fence.words.startswith("json ")}
PROJECT = """\
version: 1
constraints: constraints.yaml
suites: [suite.yaml]
targets: {bot: {backend: scripted, script: script.yaml}}
"""


def test_every_kind_of_check_has_its_heading_in_the_order_of_the_model() -> None:
    assert headings(PAGE) == list(Checks.model_fields)


def test_the_page_says_of_a_kind_that_cannot_be_decided_that_it_is_not_part_of_this_version() -> None:
    said = {kind for kind in Checks.model_fields if "not part of this version" in section(PAGE, kind)}
    assert said == set(Checks.model_fields) - set(TABLE)


def test_every_kind_that_can_be_decided_has_an_example_under_its_heading() -> None:
    for kind in TABLE:
        examples = [fence for fence in RULES if fence.text in section(PAGE, kind) + "\n"]
        assert len(examples) == 1, kind
        read = parse("rules:\n" + examples[0].text, PAGE)
        assert isinstance(read, Document)
        constraints = parsed(read)
        assert isinstance(constraints, Constraints)
        assert {name for rule in constraints.rules for name, _, _ in settings(rule.checks)} == {kind}


@pytest.mark.parametrize("fence", RULES, ids=lambda fence: fence.place)
def test_each_example_passes_the_check_without_a_warning(fence: Fence, tmp_path: Path) -> None:
    indented = "".join(f"  {line}\n" for line in fence.text.splitlines())
    rules = [line.split()[-1] for line in fence.text.splitlines() if line.startswith("- id:")]
    cases = "".join(f"  - {{id: on-{rule}, attack: benign, rule: {rule}, turns: [are you open]}}\n" for rule in rules)
    files = {
        **FILES,
        "guardgate.yaml": PROJECT,
        "constraints.yaml": f"rules:\n{indented}",
        "suite.yaml": f"cases:\n{cases}",
        "script.yaml": "- {say: We open at nine.}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    loaded, problems = load(tmp_path)
    assert loaded is not None
    assert [str(problem) for problem in [*problems, *lint(loaded, {})]] == []
