"""docs/persona-run.md says what the committed results say, decided anew."""

from __future__ import annotations

import json
import re
from functools import cache

import yaml

from guardgate.attacks import TABLE
from guardgate.results import open_results
from tests.docs.pages import table
from tests.suites.persona.classes import Classes, classes, rows
from tests.suites.persona.conftest import persona
from tests.suites.persona.replay import answer, replies
from tests.support.project import ROOT, gated
from tests.support.server import Answer, Seen

RUNS = ROOT / "docs" / "persona-run"
PAGE = (ROOT / "docs" / "persona-run.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())
CLASSES = [name for name, row in TABLE.items() if row.channel == "conversation"]
BOTS = ("careful", "told", "bare", "careless")


@cache
def found(bot: str, without: frozenset[str] = frozenset()) -> Classes:
    return classes(RUNS / f"{bot}.jsonl", without)


@cache
def after_reading() -> dict[str, dict[str, str]]:
    """Patterns that were written for what the model had said, by the class in which it had said it."""
    file = ROOT / "tests" / "suites" / "persona" / "after_reading.yaml"
    read: dict[str, dict[str, str]] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return read


def apart(bot: str, without: frozenset[str] = frozenset()) -> set[str]:
    """The classes in which the model stands between the two others."""
    careless = found("careless").broke
    return {name for name in CLASSES if 0 < found(bot, without).broke[name] < careless[name]}


def test_the_table_is_what_the_results_give() -> None:
    page = PAGE.partition("## Twelve, and nine")[0]
    lines = [line for line in page.splitlines() if line.startswith("| `") and line.split("`")[1] in TABLE]
    assert lines == rows({bot: found(bot) for bot in BOTS})


def test_the_gate_gives_the_codes_of_the_page() -> None:
    said = {row[0].strip("`"): row[-1] for row in table("docs/persona-run.md", "bot")}
    assert said == {bot: str(gated(RUNS / f"{bot}.jsonl")) for bot in BOTS}


def test_in_how_many_classes_they_differ() -> None:
    careful, careless = found("careful").broke, found("careless").broke
    assert not sum(careful.values())
    assert all(careless[name] for name in CLASSES)
    broken = {bot: {name for name in CLASSES if found(bot).broke[name]} for bot in ("told", "bare")}
    said = re.search(
        r"`told` breaks something in (\d+) of the 18 classes, `bare` in (\d+), one of the two in (\d+)", FLAT
    )
    assert said is not None
    assert len(apart("told")) >= 12
    assert f"in {len(apart('told'))} classes for `told` and in {len(apart('bare'))} for `bare`" in FLAT
    both = broken["told"] | broken["bare"]
    assert [int(one) for one in said.groups()] == [len(broken["told"]), len(broken["bare"]), len(both)]


def test_how_much_of_it_is_due_to_patterns_that_came_after_the_replies() -> None:
    three, others = after_reading()["three"], after_reading()["others"]
    lost = apart("told") - apart("told", frozenset(three.values()))
    assert lost == set(three)
    left = len(apart("told")) - len(lost)
    assert f"Without these three `told` differs in {left} of the 18 classes" in FLAT
    six = frozenset((*three.values(), *others.values()))
    assert apart("told", six) == apart("told") - lost
    section = PAGE.partition("## Twelve, and nine")[2]
    assert [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")] == list(three)


def test_what_a_prompt_gave_that_was_written_after_the_patterns() -> None:
    three = frozenset(after_reading()["three"].values())
    broken = [name for name in CLASSES if found("fresh").broke[name]]
    said = (
        f"`fresh` breaks something in {len(broken)} of the 18 classes, and differs in {len(apart('fresh'))}**; "
        f"without the three patterns in {len(apart('fresh', three))}."
    )
    assert said in FLAT, said


def test_these_patterns_stand_in_the_suite() -> None:
    """A pattern that is nowhere would take nothing away."""
    checks = [
        *(rule.checks for rule in persona().rules.values()),
        *(case.checks for case in persona().cases.values()),
    ]
    specs = [one.not_regex for one in checks if one.not_regex is not None]
    known = {pattern for spec in specs if not isinstance(spec, tuple) for pattern in spec.any}
    assert {pattern for group in after_reading().values() for pattern in group.values()} <= known


def test_the_cases_of_the_run_are_those_of_the_suite() -> None:
    """The replies were played back to the checks as they stand."""
    for bot in (*BOTS, "fresh"):
        plan = open_results(RUNS / f"{bot}.jsonl").plan
        checks = {one.case.id.partition("/")[2]: one.case.checks for one in plan.cases}
        assert checks == {name: case.checks for name, case in persona().cases.items() if name in checks}
        assert len(checks) == 128
        rules = {one.rule.id.partition("/")[2]: one.rule.checks for one in plan.rules if "/" in one.rule.id}
        assert rules == {name: persona().rules[name].checks for name in rules}
        assert len(rules) >= 16


def test_how_many_attacks_the_careless_one_breaks() -> None:
    broke, attempts = found("careless").broke, found("careless").attempts
    words = f"{sum(broke[name] for name in CLASSES)} of {sum(attempts[name] for name in CLASSES)} attacks"
    assert f"the careless one breaks {words}" in FLAT
    assert words in " ".join((ROOT / "docs" / "suites.md").read_text(encoding="utf-8").split())


def test_a_stored_reply_answers_its_question_and_no_other() -> None:
    known = replies([RUNS / "told.jsonl"])
    talk, reply = next((talk, reply) for talk, reply in known.items() if len(talk) > 1)
    assert len({len(one) for one in known}) > 1

    def asked(*turns: str) -> Answer:
        body = {"messages": [{"role": "user", "content": turn} for turn in turns]}
        return answer(known, Seen("POST", "/", {}, {}, json.dumps(body).encode()))

    assert asked(*talk).body["choices"][0]["message"]["content"] == reply.text
    assert asked(*talk, "And now?").status == 400
