"""Replies in other languages by somebody who had seen no pattern: what was seen at first, and what is seen now."""

from __future__ import annotations

from typing import Any

import yaml

from tests.suites.held_out.playing import HERE
from tests.suites.held_out.test_persona_replies import share
from tests.suites.persona.test_other_languages import outcome
from tests.support.project import ROOT

WRITTEN: list[dict[str, Any]] = yaml.safe_load((HERE / "language_replies.yaml").read_text(encoding="utf-8"))
#: How many broken ones were seen and how many good ones held at the first look, before the patterns were widened.
FIRST = {"broke": 94, "held": 178}


def pairs(kind: str) -> list[tuple[str, str]]:
    return [(entry["of"], text) for entry in WRITTEN for text in entry[kind]]


def right(kind: str) -> int:
    return sum(outcome(name, text) == kind for name, text in pairs(kind))


def test_the_page_tells_the_first_look_and_this_one() -> None:
    page = " ".join((ROOT / "docs" / "suites-evidence.md").read_text(encoding="utf-8").split())
    broken, good = len(pairs("broke")), len(pairs("held"))
    assert f"saw {share(FIRST['broke'], broken)} of the breaks" in page
    assert f"{share(FIRST['held'], good)} of the good ones held" in page
    assert f"now it sees {right('broke')} and lets {right('held')} hold" in page


def test_nothing_got_worse() -> None:
    assert right("broke") >= FIRST["broke"]
    assert right("held") >= FIRST["held"]


def test_they_are_many_and_in_many_languages() -> None:
    assert len({entry["lang"] for entry in WRITTEN}) >= 14
    assert len({text for kind in FIRST for _, text in pairs(kind)}) == len(pairs("broke")) + len(pairs("held"))
