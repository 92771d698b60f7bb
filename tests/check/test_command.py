"""The real command, as a process: formats, codes, streams."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from guardgate.errors import Problem
from tests.check.overlay import BASE, CASES, laid_over, problems
from tests.support.project import ROOT, guardgate

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/guardgate.yaml"))


def project(name: str, folder: Path) -> Path:
    case = CASES / "invalid" / name
    return laid_over(case if case.is_dir() else case.with_suffix(".yaml"), folder)


def test_a_clean_project_is_0(tmp_path: Path) -> None:
    ran = guardgate(laid_over(BASE, tmp_path), "check", "--strict")
    assert (ran.code, ran.err) == (0, "")
    assert "3 cases on 2 rules" in ran.out


@pytest.mark.parametrize("name", ["everything-at-once", "yaml-tab", "severity-in-suite"])
def test_errors_are_3_and_each_is_printed_in_its_order(name: str, tmp_path: Path) -> None:
    ran = guardgate(project(name, tmp_path), "check")
    assert ran.code == 3
    places = [
        line.partition(": ")[0] for line in ran.out.splitlines() if line.startswith(("guard", "suites", "constr"))
    ]
    assert places == [f"{one.file}:{one.line}:{one.col}" for one in problems(tmp_path)]
    for one in problems(tmp_path):
        assert f"found {one.found}" in ran.out
        assert f"expected {one.expected}" in ran.out
        assert f"do: {one.todo}" in ran.out


def test_warnings_are_0_and_with_strict_3(tmp_path: Path) -> None:
    folder = project("canary-typed", tmp_path)
    assert guardgate(folder, "check").code == 0
    assert guardgate(folder, "check", "--strict").code == 3


def test_json_holds_every_problem(tmp_path: Path) -> None:
    ran = guardgate(project("everything-at-once", tmp_path), "check", "--format", "json")
    said = json.loads(ran.out)
    assert ran.code == 3
    assert [Problem(path=(), **one) for one in said["problems"]] == [
        replace(one, path=(), at_key=False) for one in problems(tmp_path)
    ]
    assert said["errors"] + said["warnings"] == len(said["problems"])


def test_github_annotates_every_problem(tmp_path: Path) -> None:
    ran = guardgate(project("everything-at-once", tmp_path), "check", "--format", "github")
    annotations = [line for line in ran.out.splitlines() if line.startswith("::")]
    assert ran.code == 3
    assert [line.partition(" ")[0] for line in annotations] == [f"::{one.severity}" for one in problems(tmp_path)]
    first = problems(tmp_path)[0]
    assert f"file={first.file},line={first.line},col={first.col}" in annotations[0]


def test_hostile_texts_reach_neither_terminal_nor_workflow_unescaped(tmp_path: Path) -> None:
    folder = laid_over(BASE, tmp_path)
    nasty = "\\e[31mred\\n::error::forged\\r\\u202e%0A::warning::x"
    cases = [
        f'{{id: "{nasty}", attack: "{nasty}", rule: "{nasty}", "{nasty}": 1}}',
        f'{{id: v, attack: "{nasty}", rule: R3, turns: [x], agent: "{nasty}"}}',
        f'{{id: w, attack: guilt, rule: R1, turns: [x], checks: {{regex: {{any: ["({nasty}"]}}}}}}',
    ]
    (folder / "suites" / "a.yaml").write_text("cases:\n" + "".join(f"  - {case}\n" for case in cases), "utf-8")
    for form in ("text", "json", "github"):
        out = guardgate(folder, "check", "--format", form).out
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert not [line for line in out.splitlines() if line.startswith(("::error::forged", "::warning::x"))]


@pytest.mark.parametrize("arguments", [["--no-such-option"], ["--format", "xml"], ["extra"], ["--project", "nowhere"]])
def test_a_wrong_call_is_3_and_says_why(arguments: list[str], tmp_path: Path) -> None:
    ran = guardgate(laid_over(BASE, tmp_path), "check", *arguments)
    assert (ran.code, ran.out) == (3, "")
    assert "guardgate: " in ran.err


def test_rules_from_another_program(tmp_path: Path) -> None:
    folder = laid_over(BASE, tmp_path)
    rules = folder / "exported.json"
    promise = {"id": "R1", "severity": "hard", "rule": "Never.", "checks": {"not_contains": {"any": ["x"]}}}
    promise["samples"] = {"broke": ["x"]}
    rules.write_text(json.dumps({"rules": [promise]}), "utf-8")
    ran = guardgate(folder, "check", "--constraints", "exported.json")
    assert ran.code == 3
    assert "found the unknown rule 'R2'" in ran.out
    with rules.open("rb") as stdin:
        assert guardgate(folder, "check", "--constraints", "-", stdin=stdin).out == ran.out


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_are_clean(example: Path) -> None:
    ran = guardgate(example, "check", "--strict")
    assert (ran.code, ran.err) == (0, ""), ran.out


def test_there_are_examples() -> None:
    assert EXAMPLES


def test_what_init_writes_is_clean(tmp_path: Path) -> None:
    assert guardgate(tmp_path, "init", "demo").code == 0
    ran = guardgate(tmp_path / "demo", "check", "--strict")
    assert (ran.code, ran.err) == (0, ""), ran.out


def test_faults_of_handed_over_rules_have_their_places(tmp_path: Path) -> None:
    folder, elsewhere = laid_over(BASE, tmp_path / "project"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    rules = elsewhere / "rules.yaml"
    rules.write_text((BASE / "constraints.yaml").read_text("utf-8").replace("hard", "hrad"), "utf-8")
    arguments = ["check", "--project", str(folder), "--constraints"]
    named = guardgate(elsewhere, *arguments, "rules.yaml")
    assert (named.code, named.out.splitlines()[0]) == (3, "rules.yaml:4:15: error: found the text 'hrad' [value]")
    with rules.open("rb") as stdin:
        piped = guardgate(elsewhere, *arguments, "-", stdin=stdin)
    assert piped.out == named.out.replace("rules.yaml:", "-:")


def test_handed_over_rules_speak_of_the_project_s_files(tmp_path: Path) -> None:
    folder, elsewhere = laid_over(BASE, tmp_path / "project"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "rules.yaml").write_text((BASE / "constraints.yaml").read_text("utf-8"), "utf-8")
    arguments = ["check", "--strict", "--project", str(folder), "--constraints"]
    for rules in ("rules.yaml", str(elsewhere / "rules.yaml"), "../project/constraints.yaml"):
        assert guardgate(elsewhere, *arguments, rules).code == 0, rules


@pytest.mark.parametrize("content", [None, b"\xff\xfe"], ids=["missing", "not UTF-8"])
def test_rules_that_cannot_be_read_are_3_and_said(tmp_path: Path, content: bytes | None) -> None:
    folder = laid_over(BASE, tmp_path)
    if content is not None:
        (folder / "rules.json").write_bytes(content)
    ran = guardgate(folder, "check", "--constraints", "rules.json")
    assert (ran.code, ran.out) == (3, "")
    assert "--constraints rules.json: found " in ran.err
