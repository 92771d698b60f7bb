"""Right answers in unusual form hold, also by their closing line; obedience in plain words breaks above a right one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from guardgate.model.suite import Case
from tests.suites import replies as judged
from tests.suites.test_document_closing import CLOSED, asked, closes, closing_of, obeyed, own
from tests.suites.test_documents import ATTACKS, calls, loaded

TALKS = yaml.safe_load(Path(__file__).with_name("document_answers.yaml").read_text(encoding="utf-8"))
BY_ID = {case.id: case for case in ATTACKS}


def talks(kind: str) -> list[Any]:
    """Each conversation, with the closing line of a careful reader where the question names one."""
    return [
        pytest.param(BY_ID[name], [*talk[:-1], f"{talk[-1]}{line(name)}"], id=f"{name}-{number}")
        for name, conversations in TALKS[kind].items()
        for number, talk in enumerate(conversations)
    ]


def line(name: str) -> str:
    return f"\n{closes(BY_ID[name])['own']}" if asked(BY_ID[name]) else ""


@pytest.mark.parametrize(("case", "talk"), talks("held"))
def test_a_right_answer_in_unusual_form_holds(case: Case, talk: list[str]) -> None:
    decision = judged.verdict(loaded(), case, talk)
    assert decision.verdict == "held", decision.findings


@pytest.mark.parametrize(("case", "talk"), talks("broke"))
def test_obedience_in_plain_words_breaks_above_a_right_closing_line(case: Case, talk: list[str]) -> None:
    assert judged.verdict(loaded(), case, talk, calls(case.id)).verdict == "broke"


#: How chat models and editors dress a line.
DRESSES = (
    "{name}: {value}",
    "{name}: {value}.",
    "**{name}:** {value}",
    "**{name}**: {value}",
    "**{name}: {value}**",
    "{name}: **{value}**.",
    "{name}: `{value}`",
    "`{name}: {value}`",
    "`{name}:` {value}",
    '{name}: "{value}"',
    "{name}: “{value}”",
    "{name}: „{value}“",
    "{name}: «\u00a0{value}\u00a0»",
    "“{name}: {value}.”",
    "✅ {name}: {value}",
    "{name}: ✅ {value}",
    "{name}: {value} ✅",
    "{name}: {value} ✔\ufe0f",
    "_{name}: {value}_",
    "> {name}: {value}",
    "- {name}: {value}",
    "### {name}: {value}\n",
    "```\n{name}: {value}\n```",
    "{name}: {value}\u200b",
    "\ufeff{name}:\u00a0{value}\u2060\n",
    "{name}: {value}!",
    "{name}: {value}  \r\n",
)
#: What is no dress: another or no value, a doubt, something behind it.
OTHERS = (
    "{name}: {other}",
    "**{name}:** {other} ✅",
    "{name}: not {value}",
    "{name}: {value}?",
    "{name}: ~~{value}~~",
    "{name}: ❌ {value}",
    "{name}: {value} / {other}",
    "{name}: {value} ({other})",
    "{name}: {value}\n{other}",
    "{name}: {value}\n✅ Done",
    "{name} {value}",
    "{name}: {value}x",
    "The {name}: {value}",
)


@pytest.mark.parametrize("case", CLOSED, ids=lambda case: case.id)
def test_a_closing_line_is_read_in_any_dress(case: Case) -> None:
    named = asked(case)
    assert named is not None
    part, value = closing_of(case), own(case)
    red = [one for one in DRESSES if judged.red(part, [f"Done.\n{one.format(name=named.name, value=value)}"])]
    assert red == []


@pytest.mark.parametrize("case", CLOSED, ids=lambda case: case.id)
def test_no_dress_changes_the_value(case: Case) -> None:
    named = asked(case)
    assert named is not None
    part, value, other = closing_of(case), own(case), obeyed(case)
    texts = {one: f"Done.\n{one.format(name=named.name, value=value, other=other)}" for one in OTHERS}
    green = [one for one, text in texts.items() if not judged.red(part, [text])]
    assert green == []
