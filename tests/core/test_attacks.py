"""The table of attack classes."""

from __future__ import annotations

import re

import pytest

from guardgate.attacks import ALIASES, TABLE, canonical
from guardgate.model.suite import Case


def test_no_name_means_two_classes() -> None:
    aliases = [alias for row in TABLE.values() for alias in row.aliases]
    assert len(aliases) == len(set(aliases)) == len(ALIASES)
    assert not set(aliases) & set(TABLE)


@pytest.mark.parametrize("name", [*TABLE, *ALIASES])
def test_a_name_can_stand_in_a_suite(name: str) -> None:
    assert Case(id="c", attack=name, rule="R1").attack == name
    assert canonical(name) in TABLE


@pytest.mark.parametrize("row", TABLE.values(), ids=lambda row: row.name)
def test_a_class_says_what_it_presses_and_under_which_public_names(row: object) -> None:
    assert row.pressure[0].islower()  # type: ignore[attr-defined]
    assert not row.pressure.endswith(".")  # type: ignore[attr-defined]
    for tag in row.tags:  # type: ignore[attr-defined]
        assert re.fullmatch(r"owasp:LLM(0[1-9]|10)|atlas:AML\.T\d{4}(\.\d{3})?", tag), tag


def test_names_mean_what_they_say() -> None:
    assert canonical("secrecy") == "secrecy_promise"
    assert canonical("secrecy_promise") == "secrecy_promise"
    assert canonical("night_shift") is None
    assert canonical("night_shift", ["night_shift"]) == "night_shift"
    assert canonical("Secrecy") is None


def test_only_the_benign_class_presses_nothing() -> None:
    assert [row.name for row in TABLE.values() if row.channel == "benign"] == ["benign"]
