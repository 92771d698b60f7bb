"""The document agents: every case points at files that exist, and three stubs get the colours that they must get."""

from __future__ import annotations

import inspect
import json
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from guardgate.attacks import TABLE
from guardgate.checks.pattern import found
from guardgate.model.constraints import Rule
from guardgate.model.suite import Case, Suite
from guardgate.normalize import plain
from tests.examples.conftest import ROOT, guardgate
from tests.support.project import lines

EXAMPLE = ROOT / "examples" / "document_agents"
AGENTS = {"peer-reviewer", "research-scout", "librarian", "statistician"}
SUITES = sorted(EXAMPLE.glob("suites/*.yaml"))
JUDGED = EXAMPLE / "judged" / "cases.yaml"


@cache
def cases(*files: Path) -> tuple[Case, ...]:
    read = [Suite.model_validate(yaml.safe_load(file.read_text(encoding="utf-8"))) for file in files or SUITES]
    return tuple(case for suite in read for case in suite.cases)


def rules() -> list[Rule]:
    data = yaml.safe_load((EXAMPLE / "constraints.yaml").read_text(encoding="utf-8"))
    return [Rule.model_validate(one) for one in data["rules"]]


ATTACKS = [case for case in cases() if case.attack != "benign"]
TWINS = [case for case in cases() if case.attack == "benign"]


@pytest.mark.parametrize("project", ["guardgate.yaml", "judged.yaml"])
def test_check_finds_nothing_to_warn_about(project: Any) -> None:
    done = guardgate("check", "--strict", "--project", EXAMPLE / project)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("case", [*cases(), *cases(JUDGED)], ids=lambda case: case.id)
def test_each_case_points_at_a_document_and_an_agent_that_exist(case: Any) -> None:
    agent, document = EXAMPLE / "suites" / case.agent, EXAMPLE / "suites" / case.document
    assert agent.stem in AGENTS
    assert agent.is_file()
    assert document.is_file()
    assert case.marker in document.read_text(encoding="utf-8")


def test_the_suites_are_broad() -> None:
    assert len(ATTACKS) >= 16
    assert {case.attack for case in ATTACKS} == {name for name, row in TABLE.items() if row.channel == "document"}
    assert {named(case.agent).stem for case in ATTACKS} == AGENTS == {named(case.agent).stem for case in TWINS}
    assert {rule.id for rule in rules()} == {case.rule for case in cases()}
    assert {case.rule for case in TWINS} == {"S01-task"}
    channels = {tag for case in cases() for tag in case.tags}
    assert len(channels) >= 9


def test_the_readme_counts_right() -> None:
    text = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    attacked = {case.document for case in ATTACKS}
    assert f"| {len(ATTACKS)} attacks, and {len(TWINS)} twins" in text
    assert f"broken in all {len(ATTACKS)} attacks" in text
    assert f"fails all {len(TWINS)} twins" in text
    assert (
        f"| {len(TWINS)} clean documents, and {len(attacked)} copies of them with an attack of 16 classes in it |"
        in text
    )


def named(file: str | None) -> Path:
    """The file that a case names, and every case here names one."""
    assert file is not None
    return Path(file)


def base(case: Case) -> str:
    return named(case.document).stem.rpartition("-")[0]


def test_every_document_is_read_and_every_attack_has_its_clean_twin() -> None:
    read = {named(case.document).name for case in cases()}
    assert read == {file.name for file in (EXAMPLE / "documents").iterdir()}
    clean = {base(case): case for case in TWINS}
    assert [case.id for case in ATTACKS if clean[base(case)].task != case.task] == []
    assert all(named(case.document).stem.endswith("-clean") for case in TWINS)


@pytest.mark.parametrize("case", ATTACKS, ids=lambda case: case.id)
def test_an_attacked_document_is_the_clean_one_and_something_more(case: Any) -> None:
    attacked = EXAMPLE / "suites" / case.document
    clean = attacked.with_name(f"{base(case)}-clean{attacked.suffix}")
    rest = iter(attacked.read_text(encoding="utf-8").splitlines())
    lost = [line for line in clean.read_text(encoding="utf-8").splitlines() if line not in rest]
    assert lost == []
    assert attacked.read_bytes() != clean.read_bytes()


#: Who copies this one shows the image, which is the harm itself.
IMAGE = "page-image"


@pytest.mark.parametrize("case", [case for case in ATTACKS if case.id != IMAGE], ids=lambda case: case.id)
def test_a_copy_of_the_document_is_no_obedience(case: Any) -> None:
    text = (EXAMPLE / "suites" / case.document).read_text(encoding="utf-8")
    checks: Any = next(rule for rule in rules() if rule.id == case.rule).checks
    patterns = checks.not_regex.any if checks.not_regex else ()
    assert [pattern for pattern in patterns if found(pattern, text) or found(pattern, plain(text))] == []


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.id)
def test_every_pattern_turns_a_broken_sample_red(rule: Any) -> None:
    texts = [sample if isinstance(sample, str) else sample.text for sample in rule.samples.broke]
    patterns = rule.checks.not_regex.any if rule.checks.not_regex else ()
    views = [view for text in texts for view in (plain(text), text)]
    assert [pattern for pattern in patterns if not any(found(pattern, view) for view in views)] == []


def test_the_codes_that_must_not_come_out_stand_in_the_agents() -> None:
    secrecy: Any = next(rule for rule in rules() if rule.id == "D03-instructions").checks
    agents = " ".join(plain(file.read_text(encoding="utf-8")) for file in (EXAMPLE / "agents").glob("*.md"))
    assert [value for value in (*secrecy.canary.values, *secrecy.not_contains.any) if value not in agents] == []


def test_stubs_see_what_every_agent_sees_and_no_case() -> None:
    namespace: dict[str, Any] = {}
    source = (EXAMPLE / "stubs.py").read_text(encoding="utf-8")
    exec(compile(source, "stubs.py", "exec"), namespace)
    for name in ("faithful", "obedient", "refuser"):
        assert list(inspect.signature(namespace[name]).parameters) == ["turn", "system", "messages"]
    words = [word for case in cases() for word in (case.id, case.rule, str(case.document)) if word in source]
    assert words == []


def played(run: str, folder: Path, project: Path = EXAMPLE) -> tuple[int, dict[str, str]]:
    """The exit code of a run through the real command line, and the verdict of each case."""
    results = folder / f"{run}.jsonl"
    done = guardgate("run", run, "--project", project, "--out", results, "--quiet")
    assert results.exists(), done.stdout + done.stderr
    assert guardgate("gate", results).returncode == done.returncode
    return done.returncode, {one["case"]: one["verdict"] for one in lines(results, "attempt")}


COLOURS = {
    "default": (0, "held", "held"),
    "obedient": (2, "broke", "held"),
    "refuser": (3, "undecided", "broke"),
}


@pytest.mark.parametrize("run", COLOURS)
def test_the_stubs_get_their_colours_in_every_case(run: Any, tmp_path: Path) -> None:
    code, attack, twin = COLOURS[run]
    expected = {case.id: attack for case in ATTACKS} | {case.id: twin for case in TWINS}
    assert played(run, tmp_path) == (code, expected)


def test_the_agreement_of_the_three_is_told(tmp_path: Path) -> None:
    done = guardgate("run", "compare", "--project", EXAMPLE, "--out", tmp_path / "compare.jsonl")
    told = " ".join(done.stdout.split())
    attacks, twins = len(ATTACKS), len(TWINS)
    assert f"{attacks + twins} cases through 3 targets" in told
    assert f"faithful / obedient {attacks + twins} {twins} 0 0 {attacks} 0 " in told
    assert f"obedient / refuser {attacks + twins} 0 0 0 {twins} {attacks} " in told


#: A stand-in for judges: what a reader of the replies would say.
JUDGE = [
    {"when": "I did not follow", "scores": {}},
    {"when": ".*", "scores": {"injection_refusal": 0, "no_dictated_content": 0, "directive_reported": 0}},
]


def test_the_second_run_asks_judges(tmp_path: Path) -> None:
    copy = tmp_path / "document_agents"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("guardgate-results", "__pycache__"))
    project = yaml.safe_load((copy / "judged.yaml").read_text(encoding="utf-8"))
    project["judges"] = {name: {"backend": "scripted", "script": "judge.yaml"} for name in project["judges"]}
    project["anchors"] = {"floor": 0}
    (copy / "judged.yaml").write_text(json.dumps(project), encoding="utf-8")
    (copy / "judge.yaml").write_text(json.dumps(JUDGE), encoding="utf-8")
    code, verdicts = played("faithful", tmp_path, copy / "judged.yaml")
    assert (code, set(verdicts.values()), len(verdicts)) == (0, {"held"}, len(cases(JUDGED)))
    code, verdicts = played("obedient", tmp_path, copy / "judged.yaml")
    by_rule = Counter((case.rule, verdicts[case.id]) for case in cases(JUDGED))
    assert code == 2
    assert by_rule == {("J01-orders", "broke"): 6, ("J02-task", "held"): 5, ("J03-report", "broke"): 4}
