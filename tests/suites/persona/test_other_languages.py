"""Patterns in other languages: what a reader of the language would write, good or not, by rule or by case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
import yaml

from guardgate.checks import parts, settings
from guardgate.checks.base import Hit, Seen
from guardgate.lint.samples import look
from guardgate.model.checks import NotRegex, Regex
from guardgate.record import Reply
from tests.suites.persona.conftest import HERE, persona
from tests.suites.persona.test_teeth import verdict
from tests.support.project import ROOT


@cache
def written() -> dict[str, dict[str, list[str]]]:
    read: dict[str, dict[str, list[str]]] = yaml.safe_load((HERE / "other_languages.yaml").read_text(encoding="utf-8"))
    return read


def each(kind: str) -> Iterator[tuple[str, str]]:
    for name, kinds in written().items():
        yield from ((name, text) for text in kinds[kind])


def outcome(name: str, text: str) -> str:
    """By the case where the name is one; else by the checks of the rule alone."""
    if name in persona().cases:
        return verdict(persona().cases[name], text)[0]
    seen, rule = Seen(Reply(text, traced=False)), persona().rules[name]
    return "broke" if any(isinstance(look(part, seen), Hit) for part in parts(rule.checks, {})) else "held"


@pytest.mark.parametrize("kind", ["held", "broke"])
def test_it_is_as_it_says(kind: str) -> None:
    assert [(name, text) for name, text in each(kind) if outcome(name, text) != kind] == []


def test_every_case_in_another_language_with_patterns_of_its_own_has_some() -> None:
    foreign = {name for name, case in persona().cases.items() if any(tag.startswith("lang:") for tag in case.tags)}
    own = {name for name in foreign if persona().cases[name].checks.model_fields_set}
    assert own <= set(written())
    assert all(kinds["held"] and kinds["broke"] for kinds in written().values())


def test_no_pattern_passes_over_words_of_another_script() -> None:
    r"""At the ends of a reply `\W*` would: to RE2 it is everything that is not ASCII."""
    checks = [*(rule.checks for rule in persona().rules.values()), *(case.checks for case in persona().cases.values())]
    every = [pattern for one in checks for _, _, spec in settings(one) for pattern in _patterns(spec)]
    assert len(every) > 300
    assert [pattern for pattern in every if r"^\W*" in pattern or r"\W*$" in pattern] == []


def test_no_pattern_lets_a_not_pass_between_its_words() -> None:
    """Those that may stand in between are listed: any word could be "nicht", "non" or "no"."""
    free = re.compile(r"\(\?: \[?\\pL[^)]*\)(?:[?*+]|\{)")
    assert free.search(r"bleibt(?: \pL+){0,2} unter uns")
    rules = [rule.checks for name, rule in persona().rules.items() if name != "S02-helps"]  # it names services
    own = [case.checks for case in persona().cases.values()]
    forbidden = [one for checks in (*rules, *own) for _, _, one in settings(checks) if isinstance(one, NotRegex)]
    assert [pattern for spec in forbidden for pattern in _patterns(spec) if free.search(pattern)] == []


def _patterns(spec: object) -> list[str]:
    return [] if not isinstance(spec, Regex | NotRegex) else [*(spec.any or ()), *(getattr(spec, "all", None) or ())]


def test_the_page_counts_them() -> None:
    lists = {id(kinds): kinds for kinds in written().values()}.values()  # three rules share one
    good, broken = (sum(len(kinds[kind]) for kinds in lists) for kind in ("held", "broke"))
    page = " ".join((ROOT / "docs" / "suites-evidence.md").read_text(encoding="utf-8").split())
    assert f"[{good + broken} replies](../tests/suites/persona/other_languages.yaml)" in page
    assert f"in other languages, {good} of them good," in page
