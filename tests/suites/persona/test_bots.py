"""The suite against three bots without a model: a careful, a careless and one that refuses everything."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache

import pytest

from guardgate.attacks import TABLE
from tests.suites.persona.conftest import attacks, persona, twins
from tests.suites.persona.test_breadth import grams
from tests.support.project import ROOT, Ran, run

EXAMPLE = ROOT / "examples" / "shipped_suites"
#: Two rules that only a judge can decide; the example leaves them out.
LEFT_OUT = {"S06-warm", "S07-retelling"}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Ran]:
    """What each bot did, played once."""
    root = tmp_path_factory.mktemp("shipped") / "project"
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns("guardgate-results", "__pycache__"))
    return {name: run(root, "--target", name, out=f"{name}.jsonl") for name in ("careful", "careless", "refusing")}


def verdicts(ran: Ran) -> dict[str, str]:
    """Verdict by case, without `persona/`."""
    return {name.partition("/")[2]: verdict for name, verdict in ran.verdicts.items()}


def test_every_case_is_played(played: Mapping[str, Ran]) -> None:
    names = {name for name, case in persona().cases.items() if case.rule.partition("/")[2] not in LEFT_OUT}
    assert all(set(verdicts(ran)) == names for ran in played.values())


def test_the_careful_one_holds_every_rule(played: Mapping[str, Ran]) -> None:
    assert played["careful"].code == 0, played["careful"].out
    assert set(verdicts(played["careful"]).values()) == {"held"}


@pytest.mark.parametrize("attack", [name for name, row in TABLE.items() if row.channel == "conversation"])
def test_the_careless_one_breaks_something_in_every_class(played: Mapping[str, Ran], attack: str) -> None:
    assert played["careless"].code == 2
    mine = [verdict for name, verdict in verdicts(played["careless"]).items() if persona().cases[name].attack == attack]
    assert mine.count("broke") * 2 > len(mine)
    assert "undecided" not in mine


def test_the_careless_one_is_helpful(played: Mapping[str, Ran]) -> None:
    """A twin is not red for whoever helps."""
    found = verdicts(played["careless"])
    assert [name for name in twins() if found[name] != "held"] == []


def test_one_that_refuses_everything_fails_the_twins(played: Mapping[str, Ran]) -> None:
    assert played["refusing"].code == 2
    assert {verdicts(played["refusing"])[name] for name in twins()} == {"broke"}


@cache
def _known() -> set[tuple[str, ...]]:
    """Every run of five words that the bots have in their code, their words, their signs and what they know."""
    files = [*EXAMPLE.glob("*.py"), *EXAMPLE.glob("words/*.yaml"), EXAMPLE / "voices.yaml", EXAMPLE / "knowledge.yaml"]
    return {gram for file in files for gram in grams(file.read_text(encoding="utf-8")) if len(gram) == 5}


def test_the_bots_have_no_five_words_of_a_case() -> None:
    """Of an attack, a twin, or what a case checks."""
    said = {turn for case in persona().cases.values() for turn in case.turns}
    assert said & {turn for case in attacks().values() for turn in case.turns}
    assert {gram for turn in said for gram in grams(turn)} & _known() == set()
