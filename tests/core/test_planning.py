"""From a project and a choice to a plan; and what its hash covers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guardgate.errors import Refused
from guardgate.load import load
from guardgate.loaded import Loaded
from guardgate.plan import Plan
from guardgate.planning import Choice, chosen_run, plan, reconstrained, uncovered
from tests.check.overlay import BASE, laid_over

PROJECT = """\
version: 1
constraints: constraints.yaml
suites: ["suites/*.yaml"]
targets:
  desk: {backend: scripted, script: ./scripts/desk.yaml, system: ./persona.md}
  other: {backend: scripted, script: scripts/desk.yaml, optional: true}
judges:
  strict: {backend: scripted, script: scripts/desk.yaml}
runs:
  default: {targets: [desk, other]}
  prompts: {targets: [desk], params: {system: [persona.md]}}
  judged: {targets: [desk], judges: [strict]}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = laid_over(BASE, tmp_path)
    (folder / "guardgate.yaml").write_text(PROJECT, "utf-8")
    return folder


def loaded(folder: Path) -> Loaded:
    found, problems = load(folder)
    assert found is not None, problems
    assert problems == []
    return found


def planned(folder: Path, run: str = "default", **more: Any) -> Plan:
    read, choice = loaded(folder), Choice(run=run, **more)
    return plan(read, choice, chosen_run(read, choice, {}), {})


def test_all_is_played_when_nothing_narrows(project: Path) -> None:
    of = planned(project)
    assert [case.case.id for case in of.cases] == ["vault-01", "vault-02", "brief-01"]
    assert (len(of), of.total, of.narrowed, [cell.name for cell in of.cells]) == (6, 3, (), ["desk", "other"])


@pytest.mark.parametrize(
    ("choice", "cases"),
    [
        ({"cases": ("vault-01",)}, ["vault-01"]),
        ({"cases": ("vault-*",)}, ["vault-01", "vault-02"]),
        ({"cases": ("vault-01", "brief-*")}, ["vault-01", "brief-01"]),
        ({"rules": ("R2",)}, ["brief-01"]),
        ({"attacks": ("authority",)}, ["vault-01"]),
        ({"attacks": ("authority_claim", "extraction")}, ["vault-01", "vault-02"]),
        ({"rules": ("R1",), "attacks": ("prompt_*",)}, ["vault-02"]),
    ],
)
def test_a_choice_narrows_and_is_named(project: Path, choice: dict[str, Any], cases: list[str]) -> None:
    of = planned(project, **choice)
    assert [case.case.id for case in of.cases] == cases
    assert of.narrowed == tuple(f"--{key[:-1]} {word}" for key, words in choice.items() for word in words)
    assert of.total == 3


@pytest.mark.parametrize(
    ("choice", "found", "hint"),
    [
        ({"cases": ("vault-03",)}, "'vault-03', which matches nothing", "did you mean 'vault-0"),
        ({"cases": ("vault-01", "nothing*")}, "'nothing*', which matches nothing", "name a case"),
        ({"rules": ("R3",)}, "'R3', which matches nothing", "name a rule"),
        ({"attacks": ("authority_clam",)}, "'authority_clam', which matches nothing", "did you mean 'authority_claim'"),
        ({"rules": ("R2",), "cases": ("vault-*",)}, "no case", "proves nothing"),
        ({"attacks": ("benign",)}, "no case", "proves nothing"),
        ({"targets": ("dask",)}, "the unknown target 'dask'", "did you mean 'desk'"),
        ({"targets": ("openai",)}, "the unknown target 'openai'", "set GUARDGATE_MODEL"),
        ({"judges": ("strickt",)}, "the unknown judge 'strickt'", "did you mean 'strict'"),
        ({"run": "nightly"}, "no run 'nightly'", "add it under runs"),
        ({"run": "promts"}, "no run 'promts'", "did you mean 'prompts'"),
    ],
)
def test_what_matches_nothing_is_refused(project: Path, choice: dict[str, Any], found: str, hint: str) -> None:
    with pytest.raises(Refused) as refused:
        planned(project, **choice)
    assert found in refused.value.found
    assert hint in refused.value.todo


def test_no_target_left_is_refused(project: Path) -> None:
    read = loaded(project)
    run = chosen_run(read, Choice(), {})
    with pytest.raises(Refused, match="no target that is available"):
        plan(read, Choice(), run, {}, [("desk", "gone"), ("other", "gone")])
    assert [cell.name for cell in plan(read, Choice(), run, {}, [("other", "gone")]).cells] == ["desk"]


def test_a_run_without_an_entry_needs_a_named_target(project: Path) -> None:
    (project / "guardgate.yaml").write_text(PROJECT.partition("runs:")[0], "utf-8")
    assert [cell.name for cell in planned(project, targets=("desk",)).cells] == ["desk"]
    with pytest.raises(Refused, match="no run 'default'"):
        planned(project)


def edit(name: str, before: str, after: str) -> Callable[[Path], None]:
    def apply(project: Path) -> None:
        text = (project / name).read_text("utf-8")
        assert before in text
        (project / name).write_text(text.replace(before, after), "utf-8")

    return apply


CHANGES: dict[str, tuple[str, str, str]] = {
    "a turn": ("suites/a.yaml", "branch manager", "bank's owner"),
    "a case's id": ("suites/a.yaml", "vault-01", "vault-9"),
    "a case's class": ("suites/a.yaml", "authority_claim", "self_harm"),
    "a rule's statement": ("constraints.yaml", "code of the vault", "code of the safe"),
    "a rule's check": ("constraints.yaml", "values: [OTTER-5520]", "values: [OTTER-5520, HERON-7731]"),
    "a script": ("scripts/desk.yaml", "We open at nine.", "We open at ten."),
    "a system prompt": ("persona.md", "Briefly", "Very briefly"),
    "a target's settings": ("guardgate.yaml", "system: ./persona.md", "params: {temperature: 1}"),
    "the targets": ("guardgate.yaml", "targets: [desk, other]", "targets: [desk]"),
    "the repeats": ("guardgate.yaml", "targets: [desk, other]", "targets: [desk, other], repeats: 2"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_another_plan_has_another_hash(project: Path, what: str) -> None:
    before = planned(project)
    edit(*CHANGES[what])(project)
    assert planned(project).sha != before.sha


SAME: dict[str, tuple[str, str, str]] = {
    "severity and threshold": ("constraints.yaml", "severity: soft\n    threshold: 0.9", "severity: hard"),
    "samples": ("constraints.yaml", "We open at nine.", "We open at noon."),
    "a limit": ("guardgate.yaml", "targets: [desk, other]", "targets: [desk, other], limits: {calls: 5}"),
    "concurrency": ("guardgate.yaml", "optional: true", "optional: true, concurrency: 1, max_rpm: 9"),
    "a comment": ("suites/a.yaml", "cases:", "# a remark\ncases:"),
    "another run": ("guardgate.yaml", "judges: [strict]}", "judges: [strict], repeats: 9}"),
}


@pytest.mark.parametrize("what", SAME)
def test_what_does_not_change_the_run_does_not_change_the_hash(project: Path, what: str) -> None:
    before = planned(project)
    edit(*SAME[what])(project)
    assert planned(project).sha == before.sha


def test_a_system_prompt_that_the_run_names_counts_too(project: Path) -> None:
    before = planned(project, "prompts")
    edit(*CHANGES["a system prompt"])(project)
    assert planned(project, "prompts").core != before.core


def test_the_judges_count_apart_from_the_core(project: Path) -> None:
    edit("guardgate.yaml", "judges: [strict]}", "judges: [strict]}\n  alone: {targets: [desk]}")(project)
    judged, alone = planned(project, "judged"), planned(project, "alone")
    assert (judged.core, judged.sha != alone.sha) == (alone.core, True)


def test_a_rule_that_no_target_attacks_any_more_is_uncovered(project: Path) -> None:
    whole = planned(project)
    assert uncovered(whole, planned(project, rules=("R1",))) == ("R2",)
    assert uncovered(whole, whole) == ()


def test_new_severities_are_applied_and_changed_rules_refused(project: Path) -> None:
    stored = planned(project)
    edit(*SAME["severity and threshold"])(project)
    after = reconstrained(stored, loaded(project))
    assert [one.rule.severity for one in after.rules] == ["hard", "hard"]
    edit(*CHANGES["a rule's check"])(project)
    with pytest.raises(Refused, match="of R1"):
        reconstrained(stored, loaded(project))


def test_a_rule_that_is_gone_is_refused_only_when_it_was_attacked(project: Path) -> None:
    narrowed = planned(project, rules=("R1",))
    text = (project / "constraints.yaml").read_text("utf-8")
    (project / "constraints.yaml").write_text(text.replace("id: R2", "id: R3"), "utf-8")
    read, _ = load(project)
    assert read is not None
    assert reconstrained(narrowed, read).rules[0].rule.id == "R1"
    whole = planned_before(project)
    with pytest.raises(Refused, match="of R2"):
        reconstrained(whole, read)


def planned_before(project: Path) -> Plan:
    folder = laid_over(BASE, project / "again")
    (folder / "guardgate.yaml").write_text(PROJECT, "utf-8")
    return planned(folder)
