"""A project that uses shipped suites: names, mapping, hashes, places, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate.adapting import named_by
from guardgate.errors import Problem
from guardgate.lending import Lent, lent
from guardgate.lint import lint
from guardgate.load import load
from guardgate.loaded import Loaded
from guardgate.model.project import UseSuite
from guardgate.planning import Choice, chosen_run, plan
from guardgate.reader import Reader
from guardgate.shipped import shipped_suites
from tests.support.project import forbids, guardgate, put

PERSONA = "guardgate:persona"


def project(root: Path, *suites: Any, rules: Any = None, **more: Any) -> Path:
    put(root, "script.yaml", [{"say": "No."}])
    put(root, "constraints.yaml", {"rules": rules or [forbids(rule="R07"), forbids(rule="R08")]})
    targets = {"bot": {"backend": "scripted", "script": "script.yaml"}}
    runs = {"default": {"targets": ["bot"]}}
    named = {"constraints": "constraints.yaml", "suites": list(suites), "targets": targets, "runs": runs, **more}
    put(root, "guardgate.yaml", {"version": 1, **named})
    return root


def loaded(root: Path, *suites: Any, **more: Any) -> Loaded:
    found, problems = load(project(root, *suites, **more))
    assert found is not None
    errors = [one for one in (*problems, *lint(found, {})) if one.severity == "error"]
    assert errors == []
    return found


def problems(root: Path, *suites: Any, **more: Any) -> list[str]:
    """What `check` says that is an error, with its place."""
    project(root, *suites, **more)
    said = json.loads(guardgate(root, "check", "--format", "json").out)
    return [
        f"{one['file']}:{one['line']}: {one['found']}; {one['todo']} [{one['code']}]"
        for one in said["problems"]
        if one["severity"] == "error"
    ]


def test_a_suite_brings_its_rules_and_cases(tmp_path: Path) -> None:
    found = loaded(tmp_path, PERSONA)
    rules = {one.rule.id for one in found.rules}
    assert {"R07", "R08", "persona/P01-secrecy", "persona/S02-helps"} <= rules
    assert {one.case.rule for one in found.cases} == rules - {"R07", "R08"}
    assert all(one.case.id.startswith("persona/") for one in found.cases)
    assert {one.file.partition("/")[0] for one in found.cases} == {PERSONA}


def test_names_can_be_chosen_with_a_pattern(tmp_path: Path) -> None:
    project(tmp_path, PERSONA)
    done = guardgate(tmp_path, "run", "--rule", "persona/P03*", "--plan")
    assert re.search(r"rules attempted +1\n", done.out), done


@pytest.mark.parametrize("name", ["P01-secrecy", "P01"])
def test_mapping_puts_the_rule_of_the_project_in_the_place(tmp_path: Path, name: str) -> None:
    found = loaded(tmp_path, {"use": PERSONA, "rules": {name: "R07"}})
    cases = {one.case.id: one.case for one in found.cases}
    assert cases["persona/secrecy-school"].rule == "R07"
    assert cases["persona/claim-release"].rule == "persona/P02-claims"
    assert "persona/P01-secrecy" not in {one.rule.id for one in found.rules}


def test_the_beginning_of_several_rules_names_none() -> None:
    assert named_by("P01", ["P01-secrecy", "P02-claims"]) == ["P01-secrecy"]
    assert named_by("P0", ["P01-secrecy", "P02-claims"]) == []
    assert named_by("A", ["A-one", "A-two"]) == ["A-one", "A-two"]
    assert named_by("A", ["A", "A-two"]) == ["A"]


@pytest.mark.parametrize("name", ["P01-secrecy", "P01"])
def test_what_is_left_out_goes_with_its_cases_and_twins_stay(tmp_path: Path, name: str) -> None:
    found = loaded(tmp_path, {"use": PERSONA, "without": [name]})
    cases = {one.case.id: one.case for one in found.cases}
    assert "persona/secrecy-school" not in cases
    assert cases["persona/secrecy-who-reads"].twin_of is None


def hashed(root: Path, *suites: Any) -> str:
    found = loaded(root, *suites)
    return plan(found, Choice(), chosen_run(found, Choice(), {}), {}).sha


def test_the_content_of_a_suite_is_in_the_hash_of_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from guardgate import shipped  # noqa: PLC0415

    before = hashed(tmp_path / "a", PERSONA)
    assert hashed(tmp_path / "b", PERSONA) == before
    assert hashed(tmp_path / "c", {"use": PERSONA}) == before
    assert hashed(tmp_path / "d", {"use": PERSONA, "rules": {"P01-secrecy": "R07"}}) != before
    package = tmp_path / "package"
    folder = shipped.shipped("suites") / "persona"
    for file in folder.rglob("*.yaml"):
        put(package / "_shipped" / "suites" / "persona", file.relative_to(folder).as_posix(), file.read_text("utf-8"))
    put(package / "_shipped/suites/persona", "persona.md", (folder / "persona.md").read_text("utf-8"))
    monkeypatch.setattr(shipped, "_PACKAGE", package)
    assert hashed(tmp_path / "e", PERSONA) == before
    changed = package / "_shipped/suites/persona/cases/dependency.yaml"
    changed.write_text(changed.read_text("utf-8").replace("cancelled on the girls again", "no girls"), "utf-8")
    assert hashed(tmp_path / "f", PERSONA) != before


def test_a_problem_inside_a_suite_has_a_place_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from guardgate import shipped  # noqa: PLC0415
    from guardgate.cli.common import checked  # noqa: PLC0415

    put(tmp_path / "package/_shipped/suites/mine", "constraints.yaml", {"rules": [forbids(rule="X1", source="a.md#b")]})
    put(tmp_path / "package/_shipped/suites/mine", "cases/a.yaml", "cases:\n  - id: a\n    atack: x\n    rule: X1\n")
    monkeypatch.setattr(shipped, "_PACKAGE", tmp_path / "package")
    said = [str(one) for one in checked(project(tmp_path / "p", "guardgate:mine"))[1]]
    assert any(one.startswith("guardgate:mine/cases/a.yaml:3:5: error: found the unknown key 'atack'") for one in said)
    assert any(
        one.startswith("guardgate:mine/constraints.yaml:") and "'a.md', which does not exist" in one for one in said
    )


@pytest.mark.parametrize(
    ("suite", "said"),
    [
        ("guardgate:persna", "the shipped suite 'guardgate:persna'; did you mean 'guardgate:persona'? "),
        ({"use": "persona"}, "the shipped suite 'persona'; did you mean 'guardgate:persona'? "),
        ({"use": PERSONA, "rules": {"P01-secret": "R07"}},
         "the rule 'P01-secret', which guardgate:persona does not have; did you mean 'P01-secrecy'? "),
        ({"use": PERSONA, "rules": {"P01-secrecy": "R7"}}, "the unknown rule 'R7'; did you mean 'R07'? "),
        ({"use": PERSONA, "without": ["S6"]}, "the rule 'S6', which guardgate:persona does not have; "),
        ({"use": PERSONA, "rules": {"P01": "R07", "P01-secrecy": "R08"}},
         "the rule 'P01-secrecy', which 'P01' maps already; remove one of the two"),
        ({"use": PERSONA, "rules": {"P01": "R07"}, "without": ["P01-secrecy"]},
         "the rule 'P01-secrecy', which is mapped as well; "),
        ({"use": PERSONA, "rules": {"zebra": "R07"}},
         "the rule 'zebra', which guardgate:persona does not have; name a rule of the suite"),
        ({"use": PERSONA, "rules": {"P01-secrecy": "R07"}, "without": ["P01-secrecy"]},
         "the rule 'P01-secrecy', which is mapped as well; "),
        ({"use": PERSONA, "with": []}, "the unknown key 'with'; "),
        ({"rules": {}}, "no key 'use'; "),
        (7, "the number 7; "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(tmp_path: Path, suite: Any, said: str) -> None:
    (one,) = problems(tmp_path, suite)
    assert one.startswith("guardgate.yaml:"), one
    assert said in one


def test_a_suite_twice_and_a_suite_of_which_nothing_is_left(tmp_path: Path) -> None:
    (twice,) = problems(tmp_path / "a", PERSONA, {"use": PERSONA})
    assert "'guardgate:persona' a second time; remove one of the two" in twice
    found, _ = load(project(tmp_path / "b", PERSONA))
    assert found is not None
    every = [one.rule.id.partition("/")[2] for one in found.rules if "/" in one.rule.id]
    (nothing,) = problems(tmp_path / "c", {"use": PERSONA, "without": every})
    assert "every rule of the suite" in nothing


def test_a_suite_can_be_run_resumed_and_gated(tmp_path: Path) -> None:
    """What a results file needs stands in it: the gate reads no shipped file."""
    project(tmp_path, {"use": PERSONA, "without": ["S06-warm", "S07-retelling"]})
    ran = guardgate(tmp_path, "run", "--rule", "persona/P03*", "--out", "r.jsonl")
    assert ran.code == 0, ran
    assert guardgate(tmp_path, "gate", "r.jsonl").code == 0
    for line in (tmp_path / "r.jsonl").read_text("utf-8").splitlines():
        if json.loads(line)["t"] == "case":
            assert json.loads(line)["file"].startswith("guardgate:persona/cases/")


def test_every_shipped_suite_passes_check_without_a_warning(tmp_path: Path) -> None:
    assert "persona" in shipped_suites()
    for name in shipped_suites():
        (tmp_path / name).mkdir()
        found, read = load(project(tmp_path / name, f"guardgate:{name}"))
        assert found is not None
        own = [one for one in (*read, *lint(found, {})) if one.file.startswith("guardgate:") and one.severity != "note"]
        assert own == []


def test_the_list(tmp_path: Path) -> None:
    said = json.loads(guardgate(tmp_path, "suites", "--json").out)
    assert [one["name"] for one in said["suites"]] == list(shipped_suites())
    persona = next(one for one in said["suites"] if one["name"] == "persona")
    assert persona["cases"] > 90 < persona["cases"] - persona["benign"]
    assert len(persona["classes"]) == 18
    assert {"id", "severity", "rule"} == set(persona["rules"][0])
    assert {"de", "en", "zh"} <= set(persona["languages"])
    text = guardgate(tmp_path, "suites").out
    assert f"guardgate:persona\n  {persona['cases']} cases ({persona['benign']} benign) of 18 attack classes\n" in text


def chosen(use: UseSuite) -> tuple[Lent, list[Problem]]:
    reader = Reader(Path())
    return lent(reader, [use], "guardgate.yaml", ("R07", "R08")), reader.problems


WHOLE, _ = chosen(UseSuite(use=PERSONA))
NAMES = [one.rule.id.partition("/")[2] for one in WHOLE.rules]


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["R07", "R08", None])))
def test_nothing_is_lost_that_is_not_left_out(fates: dict[str, str | None]) -> None:
    """Each rule is mapped, left out, or comes along; each case stays unless its rule is left out."""
    onto = {name: there for name, there in fates.items() if there is not None}
    without = [name for name, there in fates.items() if there is None]
    found, said = chosen(UseSuite(use=PERSONA, rules=onto, without=tuple(without)))
    if set(without) == set(NAMES):
        assert [one.code for one in said] == ["nothing-left"]
        return
    assert said == []
    assert [one.rule.id for one in found.rules] == [f"persona/{name}" for name in NAMES if name not in fates]
    left = {one.case.id for one in found.cases}
    for before in WHOLE.cases:
        assert (before.case.id in left) == (before.case.rule.partition("/")[2] not in without)
    for after in found.cases:
        assert after.case.rule in {"R07", "R08", *(one.rule.id for one in found.rules)}
        assert after.case.twin_of is None or after.case.twin_of in left
    assert len(found.rules) == len(found.rule_paths)
    assert len(found.cases) == len(found.case_paths)


def test_a_hard_rule_in_the_place_of_which_stands_a_soft_one_is_named(tmp_path: Path) -> None:
    soft = {
        "id": "R09",
        "severity": "soft",
        "threshold": 0.01,
        "rule": "Is short.",
        "checks": {"length": {"max_words": 9}},
    }
    use = {"use": PERSONA, "rules": {"P01": "R09", "P02": "R07", "S01": "R09"}}
    root = project(tmp_path, use, rules=[forbids(rule="R07"), forbids(rule="R08"), soft])
    said = json.loads(guardgate(root, "check", "--format", "json").out)
    found = [one for one in said["problems"] if one["code"] == "mapped-softer"]
    assert [(one["severity"], one["found"]) for one in found] == [
        ("warning", "the hard rule 'P01' in the place of which stands the soft 'R09'")
    ]
    assert guardgate(root, "check").code == 0
    assert guardgate(root, "check", "--strict").code == 3


def test_an_empty_list_of_canaries_is_refused(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, {"use": PERSONA, "canary": []})
    assert found.endswith("an empty list; add an entry, or remove the key [value]")
