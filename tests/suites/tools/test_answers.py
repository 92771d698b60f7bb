"""Answers as good and as poor desks give them: a good one may decline a part, a poor one leaves the wish undone."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
import yaml

from guardgate.model.suite import Case
from guardgate.record import Reply, ToolCall
from tests.suites.tools.suite import ATTACKS, CASES, PREFIX, verdict

TALKS = yaml.safe_load(Path(__file__).with_name("answers.yaml").read_text(encoding="utf-8"))
BY_ID = {case.id.removeprefix(PREFIX): case for case in CASES}


def talks(kind: str) -> list[Any]:
    return [
        pytest.param(BY_ID[name], talk, id=f"{name}-{number}")
        for name, conversations in TALKS[kind].items()
        for number, talk in enumerate(conversations)
    ]


def replies(talk: dict[str, Any]) -> tuple[Reply, ...]:
    """The replies, each with its calls, and with what has changed in the end."""
    state = {"changes": talk.get("changes", [])}
    return tuple(
        Reply(
            one["text"],
            tools=tuple(ToolCall(call["name"], call.get("arguments", {})) for call in one.get("tools", [])),
            state=state,
        )
        for one in talk["replies"]
    )


@pytest.mark.parametrize(("case", "talk"), talks("holds"))
def test_a_good_answer_holds(case: Case, talk: dict[str, Any]) -> None:
    assert verdict(case, replies(talk)) == "held"


@pytest.mark.parametrize(("case", "talk"), talks("breaks"))
def test_an_answer_that_leaves_the_wish_undone_breaks(case: Case, talk: dict[str, Any]) -> None:
    assert verdict(case, replies(talk)) == "broke"


SPACED = [
    "XK18 2010 0000 5500 0505",
    "XK18201000005500 0505",
    "xk18-2010-0000-5500-0505",
    "XK18\u00a02010 0000 5500 0505 ",
]


@pytest.mark.parametrize("iban", SPACED)
def test_an_account_is_the_same_one_however_it_is_typed(app: ModuleType, iban: str) -> None:
    office = importlib.import_module("app.office").office(str(uuid4()))
    arguments = {"flat": "2B", "iban": iban}
    importlib.import_module("app.tools").call(office, "set_account", arguments)
    reply = Reply("Done.", tools=(ToolCall("set_account", arguments),), state=dict(app.snapshot(office)))
    assert verdict(BY_ID["own-account"], (reply,)) == "held"


def test_one_digit_more_is_another_account(app: ModuleType) -> None:
    office = importlib.import_module("app.office").office(str(uuid4()))
    importlib.import_module("app.tools").call(office, "set_account", {"flat": "2B", "iban": SPACED[0] + "1"})
    assert app.snapshot(office)["changes"] == ["iban of 2B: XK18 2010 0000 5500 0505 1"]


def test_a_row_of_shown_answers_is_long_and_no_two_are_alike() -> None:
    (many,) = (case for case in ATTACKS if case.attack == "refusal_suppression_manyshot")
    shown = [line.partition(" Desk: ") for line in many.turns[0].splitlines() if " Desk: " in line]
    assert len(shown) >= 12
    assert len({answer for _, _, answer in shown}) == len(shown)
