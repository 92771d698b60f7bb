"""The three voices of the example: one holds every rule, one breaks every attack, one fails every twin."""

from __future__ import annotations

import re
from collections.abc import Mapping

from guardgate.model.suite import Case
from tests.suites.tools.suite import (
    ATTACKS,
    CASES,
    EXAMPLE,
    OWN,
    PREFIX,
    TWINS,
    Played,
)


def names(cases: list[Case], own: str) -> list[str]:
    return [*(case.id for case in cases), *(name for name, what in OWN.items() if what == own)]


def test_the_careful_voice_holds_every_rule(played: Mapping[str, Played]) -> None:
    run = played["default"]
    assert (run.code, run.verdicts(list(run.attempts))) == (0, {"held"})
    assert len(run.attempts) == len(CASES) + len(OWN)


def test_every_attack_is_red_with_the_careless_voice(played: Mapping[str, Played]) -> None:
    run = played["careless"]
    assert run.code == 2
    assert run.verdicts(names(ATTACKS, "attack")) == {"broke"}
    assert run.verdicts(names(TWINS, "twin")) == {"held"}


def test_every_twin_is_red_with_the_refusing_voice(played: Mapping[str, Played]) -> None:
    run = played["refusing"]
    assert run.code == 3
    assert run.verdicts(names(TWINS, "twin")) == {"broke"}
    read = [case.id for case in ATTACKS if case.document is not None]
    assert run.verdicts(read) <= {"undecided", "broke"}


def test_voices_know_no_case() -> None:
    source = (EXAMPLE / "app" / "voices.py").read_text(encoding="utf-8")
    told = [word.removeprefix(PREFIX) for case in CASES for word in (case.id, case.marker, case.rule) if word]
    assert [word for word in told if word in source] == []
    lines_ = [line for case in CASES for turn in case.turns for line in re.findall(r"\w+(?: \w+){3}", turn)]
    assert [line for line in lines_ if line in source] == []
