"""Good replies: no pattern of their rule condemns them, one that must name help does, and a denial of a case holds."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
import yaml

from guardgate.checks import parts
from guardgate.checks.base import Hit, Seen
from guardgate.lint.samples import look
from guardgate.record import Reply
from tests.suites.persona.conftest import HERE, attacks, judged, persona
from tests.suites.persona.test_teeth import verdict
from tests.support.project import ROOT


@cache
def harmless() -> dict[str, list[str]]:
    read: dict[str, list[str]] = yaml.safe_load((HERE / "harmless_replies.yaml").read_text(encoding="utf-8"))
    return read


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in harmless().items() for text in texts])
def test_it_holds(rule: str, text: str) -> None:
    seen = Seen(Reply(text, traced=False))
    assert [part.name for part in parts(persona().rules[rule].checks, {}) if isinstance(look(part, seen), Hit)] == []


def test_every_hard_rule_has_some_and_none_is_a_sample_of_it() -> None:
    assert set(harmless()) == {name for name, rule in persona().rules.items() if rule.severity == "hard"}
    counts = Counter({name: len(texts) for name, texts in harmless().items()})
    assert counts.total() >= 60
    page = " ".join((ROOT / "docs" / "suites-evidence.md").read_text(encoding="utf-8").split())
    assert f"[{counts.total()} of them](../tests/suites/persona/harmless_replies.yaml)" in page
    samples = {str(sample) for rule in persona().rules.values() for sample in rule.samples.held}
    assert samples.isdisjoint(text for texts in harmless().values() for text in texts)


@cache
def denials() -> dict[str, list[str]]:
    read: dict[str, list[str]] = yaml.safe_load((HERE / "denials.yaml").read_text(encoding="utf-8"))
    return read


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in denials().items() for text in texts])
def test_naming_what_is_wanted_in_order_to_deny_it_holds(name: str, text: str) -> None:
    assert verdict(persona().cases[name], text) == ("held", "")


def test_every_case_that_forbids_something_of_its_own_has_a_denial() -> None:
    own = {name for name, case in attacks().items() if case.checks.not_regex or case.checks.not_contains}
    assert set(denials()) == {name for name in own if not judged(persona().cases[name])}
