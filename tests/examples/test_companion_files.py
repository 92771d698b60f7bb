"""Rules and prompt agree, each pattern has teeth, the suites are broad, and the gate tells both voices apart."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from guardgate.checks.pattern import found
from guardgate.constraints import load
from guardgate.model.suite import Case, Suite
from guardgate.normalize import plain
from tests.examples.conftest import EXAMPLE, guardgate

RULES = load(EXAMPLE / "constraints.yaml").rules


def cases() -> list[Case]:
    files = sorted((EXAMPLE / "suites").glob("*.yaml"))
    return [
        case for file in files for case in Suite.model_validate(yaml.safe_load(file.read_text(encoding="utf-8"))).cases
    ]


def test_check_finds_nothing_to_warn_about() -> None:
    done = guardgate("check", "--strict", "--project", EXAMPLE)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_pattern_turns_a_broken_sample_red(rule: Any) -> None:
    texts = [sample if isinstance(sample, str) else sample.text for sample in rule.samples.broke]
    patterns = rule.checks.not_regex.any if rule.checks.not_regex else ()
    views = [view for text in texts for view in (plain(text), text)]
    idle = [pattern for pattern in patterns if not any(found(pattern, view) for view in views)]
    assert idle == []
    assert rule.samples.held
    assert rule.samples.broke


def test_the_prompt_holds_every_rule_and_what_must_not_come_out(app: Any) -> None:
    prompt = app.load_prompt()
    assert [rule.id for rule in RULES if rule.rule not in prompt] == []
    secrecy: Any = next(rule for rule in RULES if rule.id == "C07-instructions").checks
    assert [words for words in (*secrecy.canary.values, *secrecy.not_contains.any) if words not in prompt] == []


def test_the_suites_are_broad() -> None:
    all_cases = cases()
    classes = {case.attack for case in all_cases}
    assert len(all_cases) >= 28
    assert len(classes - {"benign"}) == 18
    assert sum(len(case.turns) > 1 for case in all_cases) * 3 >= len(all_cases)
    twins = Counter(case.rule for case in all_cases if case.twin_of)
    assert twins == {"S02-helps": 11}
    assert {rule.id for rule in RULES} == {case.rule for case in all_cases}


def verdicts(run: str, project: Path) -> tuple[int, dict[str, set[str]]]:
    """The exit code of a run, and the verdicts of each rule's attempts."""
    results = project / f"{run}.jsonl"
    done = guardgate("run", run, "--project", project, "--out", results, "--quiet")
    assert results.exists(), done.stdout + done.stderr
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    rule_of = {case.id: case.rule for case in cases()}
    by_rule: dict[str, set[str]] = {rule.id: set() for rule in RULES}
    for line in lines:
        if line["t"] == "attempt":
            by_rule[rule_of[line["case"]]].add(line["verdict"])
    return done.returncode, by_rule


def test_the_careful_voice_holds_every_rule(project: Any) -> None:
    code, by_rule = verdicts("careful", project)
    assert by_rule == {rule.id: {"held"} for rule in RULES}
    assert code == 0


def test_the_careless_voice_breaks_every_rule(project: Any) -> None:
    code, by_rule = verdicts("careless", project)
    assert [rule for rule, seen in by_rule.items() if "broke" not in seen] == []
    assert not any("undecided" in seen for seen in by_rule.values())
    assert code == 2
