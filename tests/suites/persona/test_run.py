"""docs/persona-run.md says what the committed results say, decided anew."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache

import pytest
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
MODEL = ("told", "bare")


#: Breaks that are none when somebody reads them, by bot.
MISREAD = yaml.safe_load((ROOT / "tests" / "suites" / "persona" / "misread.yaml").read_text(encoding="utf-8"))


@cache
def found(bot: str, read: bool = False) -> Classes:
    """`read`: without the breaks that a reader takes back."""
    return classes(RUNS / f"{bot}.jsonl", frozenset(MISREAD[bot]) if read else frozenset())


def apart(bot: str, least: int = 1, read: bool = False) -> set[str]:
    """The classes in which the model stands between the two others, with at least so many attempts that broke."""
    model, careless = found(bot, read), found("careless")

    def between(name: str) -> bool:
        share, highest = (Fraction(one.broke[name], one.attempts[name]) for one in (model, careless))
        return model.broke[name] >= least and 0 < share < highest

    return set(filter(between, CLASSES))


def test_the_table_is_what_the_results_give() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| `") and line.split("`")[1] in TABLE]
    assert lines == rows({bot: found(bot) for bot in BOTS}, {bot: found(bot, bot in MISREAD) for bot in BOTS})


def test_the_gate_gives_the_codes_of_the_page() -> None:
    said = {row[0].strip("`"): row[-1] for row in table("docs/persona-run.md", "bot")}
    assert said == {bot: str(gated(RUNS / f"{bot}.jsonl")) for bot in BOTS}


def test_how_much_each_broke() -> None:
    said = {row[0].strip("`"): row[2] for row in table("docs/persona-run.md", "bot")}
    assert said == {bot: f"{found(bot).broke.total()} of {found(bot).attempts.total()}" for bot in BOTS}


def test_in_how_many_classes_they_differ() -> None:
    assert not found("careful").broke.total()
    assert all(found("careless").broke[name] for name in CLASSES)
    assert len(apart("bare")) >= 12
    said = (
        f"with the model between the stand-ins, in {len(apart('told'))} of the 18 classes for `told` and in "
        f"{len(apart('bare'))} for `bare`"
    )
    assert said in FLAT, said
    twice = f"In {len(apart('told', 2))} and {len(apart('bare', 2))} of them at least two attempts broke"
    assert twice in FLAT, twice
    assert len(apart("bare", read=True)) >= 12
    strict = (
        f"Without these {sum(map(len, MISREAD.values()))} the numbers are {len(apart('told', read=True))} and "
        f"{len(apart('bare', read=True))}"
    )
    assert strict in FLAT, strict


def test_what_a_reader_takes_back_had_broken() -> None:
    for bot, numbers in MISREAD.items():
        assert found(bot).broke.total() - found(bot, read=True).broke.total() == len(set(numbers))


@pytest.mark.parametrize("bot", BOTS)
def test_the_cases_of_the_run_are_those_of_the_suite(bot: str) -> None:
    """The replies were played back to the checks as they stand."""
    plan = open_results(RUNS / f"{bot}.jsonl").plan
    assert plan.repeats == (3 if bot in MODEL else 1)
    checks = {one.case.id.partition("/")[2]: (one.case.turns, one.case.checks) for one in plan.cases}
    assert checks == {name: (case.turns, case.checks) for name, case in persona().cases.items() if name in checks}
    assert len(checks) == 128
    rules = {one.rule.id.partition("/")[2]: one.rule.checks for one in plan.rules if "/" in one.rule.id}
    assert rules == {name: persona().rules[name].checks for name in rules}
    assert len(rules) >= 16


def test_on_how_many_attempts_the_careful_one_is_said_to_answer_in_english() -> None:
    said = "held by patterns, though the answer is in English and the case is not"
    noted = [one for one in open_results(RUNS / "careful.jsonl").attempts() if one.notes]
    assert {one.notes for one in noted} == {(said,)}
    page = " ".join((ROOT / "examples" / "shipped_suites" / "README.md").read_text(encoding="utf-8").split())
    assert f'says on {len(noted)} attempts that they were "{said}"' in page


def test_how_many_attacks_the_careless_one_breaks() -> None:
    broke, attempts = found("careless").broke, found("careless").attempts
    words = f"{sum(broke[name] for name in CLASSES)} of {sum(attempts[name] for name in CLASSES)} attacks"
    assert f"the careless one breaks {words}" in FLAT
    assert words in " ".join((ROOT / "docs" / "suites-evidence.md").read_text(encoding="utf-8").split())


def test_stored_replies_answer_their_question_as_often_as_it_was_asked() -> None:
    known = replies([RUNS / "told.jsonl"])
    talk = next(talk for talk, left in known.items() if len(talk) > 1)
    texts = [one.text for one in known[talk]]

    def asked(*said: str) -> Answer:
        roles = ("user", "assistant")
        messages = [{"role": roles[at % 2], "content": text} for at, text in enumerate(said)]
        body = {"messages": [{"role": "system", "content": "Be kind."}, *messages]}
        return answer(known, Seen("POST", "/", {}, {}, json.dumps(body).encode()))

    assert [asked(*talk).body["choices"][0]["message"]["content"] for _ in texts] == texts
    assert asked(*talk).status == 400
    assert asked("And now?").status == 400


def test_the_page_shows_the_commands_that_gave_it() -> None:
    assert re.search(r"^guardgate run bare --out bare\.jsonl$", PAGE, re.MULTILINE)
