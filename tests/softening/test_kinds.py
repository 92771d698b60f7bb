"""Each small edit that weakens is said, in its own words, and nothing else is; nothing is said of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from guardgate.calibrate import DEFAULT_FLOOR
from guardgate.model.checks import Checks
from guardgate.model.constraints import Criterion, Rule
from guardgate.model.project import Project, Run
from guardgate.model.suite import Case
from guardgate.softening import KINDS, Compared, cases, rules, runs, systems
from guardgate.softening.atoms import ATOMS
from tests.softening.edits import EDITS, Edit, case, checks, project, rule, run
from tests.softening.project import Files, compared, fresh


def said(found: Compared) -> list[tuple[str, str, str, str, str, str]]:
    return [(one.kind, one.weight, one.name, one.part, one.before, one.after) for one in found.softenings]


def kinds(found: Compared) -> list[str]:
    return [one.kind for one in found.softenings]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_one_edit_is_said_and_nothing_else(edit: Edit, tmp_path: Path) -> None:
    head = fresh()
    edit.do(head)
    assert said(compared(tmp_path, fresh(), head)) == [edit.said]


#: Said by the tests below, or by the action (a project that is gone, see tests/ci), because one edit says more.
ELSEWHERE = {
    "rule-removed", "suite-dropped", "target-removed", "judge-removed", "judge-changed", "run-panel",
    "check-json_schema", "unclassed", "project-removed",
}  # fmt: skip


def test_every_kind_has_an_edit() -> None:
    assert {edit.said[0] for edit in EDITS} | ELSEWHERE == set(KINDS)


def test_a_project_and_itself(tmp_path: Path) -> None:
    assert compared(tmp_path, fresh(), fresh()) == Compared((), 0)


def test_a_rule_that_is_gone_with_its_cases(tmp_path: Path) -> None:
    head = fresh()
    del head["constraints.yaml"]["rules"][2]
    head["suite.yaml"]["cases"] = [one for one in head["suite.yaml"]["cases"] if one["rule"] != "H2"]
    head["suite.yaml"]["cases"][2].pop("twin_of")
    project(head)["suites"] = ["suite.yaml"]
    found = compared(tmp_path, fresh(), head)
    assert kinds(found) == ["rule-removed", "case-deleted", "case-deleted", "case-changed", "suite-dropped"]
    gone = found.softenings[0]
    assert (gone.weight, gone.side, gone.file, gone.before) == ("hard", "base", "constraints.yaml", "Never says lion.")
    assert {one.name for one in found.softenings[1:3]} == {"d1", "m1"}


def test_a_suite_that_is_not_named_any_more(tmp_path: Path) -> None:
    head = fresh()
    project(head)["suites"] = ["suite.yaml"]
    found = compared(tmp_path, fresh(), head)
    assert [(one.kind, one.weight, one.name, one.side) for one in found.softenings] == [
        ("case-deleted", "hard", "m1", "base"), ("suite-dropped", "other", "more.yaml", "base"),
    ]  # fmt: skip


def test_targets_and_judges_that_are_gone(tmp_path: Path) -> None:
    head = fresh()
    del project(head)["targets"]["other"]
    del project(head)["judges"]["second"]
    run(head).update(targets=["bot"], judges=["strict"])
    found = compared(tmp_path, fresh(), head)
    assert sorted(kinds(found)) == ["judge-removed", "run-judges", "run-targets", "target-removed"]


def test_a_judge_with_other_words_in_its_file(tmp_path: Path) -> None:
    head = fresh()
    head["judge.yaml"] = [{"scores": {"own": 0.9}}]
    assert kinds(compared(tmp_path, fresh(), head)) == ["judge-changed", "judge-changed"]


def test_the_bot_s_own_words_may_change(tmp_path: Path) -> None:
    """What the bot says is what a run tries, and no part of the gate."""
    head = fresh()
    head["script.yaml"] = [{"say": "Yes."}]
    assert kinds(compared(tmp_path, fresh(), head)) == []


def test_a_target_of_another_kind(tmp_path: Path) -> None:
    head = fresh()
    project(head)["targets"]["other"] = {"backend": "scripted", "script": "script.yaml"}
    found = compared(tmp_path, fresh(), head)
    assert set(kinds(found)) >= {"target-changed"}
    assert ("backend", "openai", "scripted") in [(one.part, one.before, one.after) for one in found.softenings]


def test_a_majority_among_more_judges(tmp_path: Path) -> None:
    base, head = fresh(), fresh()
    for files in (base, head):
        run(files)["agreement"] = "majority"
        project(files)["judges"]["third"] = {"backend": "scripted", "script": "judge.yaml"}
    run(head)["judges"] = ["strict", "second", "third"]
    assert kinds(compared(tmp_path, base, head)) == ["run-panel"]


def test_a_schema_with_other_words_in_it(tmp_path: Path) -> None:
    head = fresh()
    head["reply.schema.json"] = {}
    found = compared(tmp_path, fresh(), head)
    assert kinds(found) == ["check-json_schema"]
    assert found.softenings[0].before.startswith("reply.schema.json (SHA-256 ")
    assert found.softenings[0].after.startswith("reply.schema.json (SHA-256 ")


def test_a_document_with_other_words_in_it(tmp_path: Path) -> None:
    for name, part in (("letter.md", "document"), ("agent.md", "agent")):
        head = fresh()
        head[name] = "M-1, and nothing else."
        found = compared(tmp_path / part, fresh(), head)
        assert [(one.kind, one.part) for one in found.softenings] == [("case-changed", part)]


def test_exact_forbids_less(tmp_path: Path) -> None:
    head = fresh()
    checks(head)["not_contains"]["exact"] = True
    found = compared(tmp_path, fresh(), head)
    assert [(one.kind, one.before) for one in found.softenings] == [
        ("check-not_contains", "our secret"), ("check-not_contains", "zebra"),
    ]  # fmt: skip


def test_any_reply_requires_less_than_the_last(tmp_path: Path) -> None:
    head = fresh()
    checks(head)["contains"]["turn"] = "any"
    assert kinds(compared(tmp_path, fresh(), head)) == ["check-contains"] * 2


def test_a_check_that_moves_to_its_rule_is_kept_and_one_that_moves_to_a_case_is_not(tmp_path: Path) -> None:
    head = fresh()
    case(head).pop("checks")
    checks(head)["not_regex"]["any"].append("x")
    assert kinds(compared(tmp_path / "up", fresh(), head)) == []
    assert kinds(compared(tmp_path / "down", head, fresh())) == ["check-not_regex"]


def test_hard_to_soft_moves_a_case_s_weight_by_the_base(tmp_path: Path) -> None:
    """Whoever softens a rule first does not make its deleted attacks lighter."""
    head = fresh()
    rule(head, 2).update(severity="soft", threshold=0.1)
    del head["more.yaml"]["cases"][0]
    head["more.yaml"]["cases"].append({"id": "m2", "attack": "guilt", "rule": "H2", "turns": ["else"]})
    found = compared(tmp_path, fresh(), head)
    assert [(one.kind, one.weight) for one in found.softenings] == [("rule-softened", "hard"), ("case-deleted", "hard")]
    assert found.code == 2


def test_soft_to_hard_makes_its_deleted_attacks_heavier(tmp_path: Path) -> None:
    head = fresh()
    rule(head, 1).update(severity="hard")
    del rule(head, 1)["threshold"]
    del head["suite.yaml"]["cases"][1]
    assert [(one.kind, one.weight) for one in compared(tmp_path, fresh(), head).softenings] == [
        ("case-deleted", "hard")
    ]


def renamed(files: Files) -> None:
    case(files, 2).update(id="d9")
    case(files, 3).update(twin_of="d9")
    rule(files, 2).update(id="H9")
    for one in (*files["suite.yaml"]["cases"], *files["more.yaml"]["cases"]):
        one["rule"] = "H9" if one["rule"] == "H2" else one["rule"]


def moved(files: Files) -> None:
    for old, new in (("letter.md", "docs/letter.md"), ("agent.md", "docs/who.md")):
        files[new] = files.pop(old)
    case(files, 2).update(document="docs/letter.md", agent="docs/who.md", id="d9")
    case(files, 3).update(twin_of="d9")
    files["suites/all.yaml"] = {"cases": files.pop("more.yaml")["cases"]}
    project(files)["suites"] = ["suite.yaml", "suites/*.yaml"]


def stronger(files: Files) -> None:
    rule(files, 1).update(severity="hard")
    del rule(files, 1)["threshold"]
    rule(files, 1)["checks"]["length"]["max_words"] = 20
    checks(files)["not_contains"]["any"] = ["secret", "ZEBRA", "lion"]
    checks(files)["contains"] = {"all": ["the care team", "call", "now"], "turn": "last"}
    checks(files)["regex"]["any"] = ["ring"]
    checks(files)["tool_calls"] = {
        "forbidden": [{"name": "SEND_MAIL"}, {"name": "pay"}],
        "required": [{"name": "search", "arguments": {"q": "x", "n": "1"}}],
        "only": ["search"],
    }
    checks(files)["latency"] = 4
    rule(files)["samples"]["broke"].append("Secretly.")
    rule(files)["judge"]["pass_threshold"] = 0.95
    rule(files, 2)["judge"] = {"required_scores": {"own": 1.0}}
    files["suite.yaml"]["cases"].append({"id": "new", "attack": "guilt", "rule": "S1", "turns": ["short?"]})
    run(files).update(repeats=5, transforms=["none", "base64", "rot13", "translation.de"], limits={}, concurrency=2)
    run(files)["params"]["temperature"] = [0, 1, 2]
    project(files)["anchors"]["floor"] = 0.95
    project(files)["targets"]["bot"]["concurrency"] = 1


def written_otherwise(files: Files) -> None:
    case(files).update(attack="secrecy_promise", note="Seen.", tags=["x"])
    rule(files).update(source=None, tags=["x"])
    del rule(files)["source"]
    checks(files)["not_regex"] = [{"any": ["just between us"]}, {"any": ["i promise"]}]
    checks(files)["not_contains"]["any"] = ["OUR secret", "Zebra"]
    project(files)["targets"]["other"]["max_rpm"] = 5


@pytest.mark.parametrize("edit", [renamed, moved, stronger, written_otherwise])
def test_what_is_not_weaker_is_not_said(edit: Any, tmp_path: Path) -> None:
    head = fresh()
    edit(head)
    assert said(compared(tmp_path, fresh(), head)) == []


def test_what_is_new_or_stronger_is_counted(tmp_path: Path) -> None:
    head = fresh()
    stronger(head)
    assert compared(tmp_path, fresh(), head).others == 4


def test_a_rename_covers_one_case_only(tmp_path: Path) -> None:
    base = fresh()
    base["more.yaml"]["cases"].append({**base["more.yaml"]["cases"][0], "id": "m2"})
    head = fresh()
    head["more.yaml"]["cases"][0]["id"] = "m3"
    assert [(one.kind, one.name) for one in compared(tmp_path, base, head).softenings] == [("case-deleted", "m2")]


def test_a_new_axis_keeps_the_cell_that_a_target_played(tmp_path: Path) -> None:
    base, head = fresh(), fresh()
    for files in (base, head):
        for name in ("bot", "other"):
            project(files)["targets"][name]["params"] = {"temperature": 0}
    run(base)["params"] = {}
    run(head)["params"] = {"temperature": [0, 1]}
    assert kinds(compared(tmp_path / "covered", base, head)) == []
    run(head)["params"] = {"temperature": [0.5, 1]}
    assert kinds(compared(tmp_path / "lost", base, head)) == ["run-cells"]


def test_a_grid_too_large_to_spell_out_is_not_taken_for_the_same(tmp_path: Path) -> None:
    base, head = fresh(), fresh()
    run(base)["params"] = run(head)["params"] = {f"p{at}": list(range(50)) for at in range(4)}
    run(head)["params"] = {**run(head)["params"], "p0": [1]}
    assert kinds(compared(tmp_path, base, head)) == ["unclassed"]


class TestTables:
    """A new field of a file is classed, or its change is said to be in no class."""

    def test_every_field_has_its_row(self) -> None:
        for model, table, neutral in (
            (Rule, rules.FIELDS, rules.NEUTRAL),
            (Case, cases.FIELDS, cases.NEUTRAL),
            (Run, runs.FIELDS, runs.NEUTRAL),
            (Project, systems.FIELDS, systems.ELSEWHERE),
        ):
            assert sorted([*table, *neutral]) == sorted(model.model_fields), model

    def test_every_check_has_its_row_and_its_kind(self) -> None:
        assert list(ATOMS) == list(Checks.model_fields)
        assert [kind for kind in KINDS if kind.startswith("check-")] == [f"check-{name}" for name in ATOMS]
        assert sorted(Criterion.model_fields) == ["ask", "kind"]

    def test_the_floor_of_judges_without_anchors_is_the_one_of_a_run(self) -> None:
        assert systems.DEFAULT_FLOOR == DEFAULT_FLOOR

    def test_what_no_function_explains_is_said_with_the_weight_of_its_rule(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rules, "FIELDS", {name: find for name, find in rules.FIELDS.items() if name != "rule"})
        monkeypatch.setattr(cases, "FIELDS", {name: find for name, find in cases.FIELDS.items() if name != "task"})
        head = fresh()
        rule(head, 2)["rule"] = "Says lion."
        case(head, 2)["task"] = "Rest."
        found = compared(tmp_path, fresh(), head)
        assert said(found) == [
            ("unclassed", "hard", "H2", "rule", "Never says lion.", "Says lion."),
            ("unclassed", "hard", "d1", "task", "Sum it up.", "Rest."),
        ]
