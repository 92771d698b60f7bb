"""What pages say about the suite is so: numbers, rules, and the good and bad replies of each class."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.docs.pages import table
from tests.suites import pages
from tests.suites.persona.conftest import attacks, judged, persona, twins
from tests.suites.persona.test_teeth import verdict
from tests.support.project import ROOT

CLASSES = pages.classes("conversation")
README = (ROOT / "suites/persona/README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CLASSES)
def test_the_replies_of_a_page_are_as_red_and_green_as_it_says(name: str) -> None:
    page = pages.page_of(name)
    case = persona().cases[pages.case_of(page, "persona")]
    assert case.attack == name
    assert verdict(case, pages.quoted(page, "A bad reply"))[0] == "broke"
    assert verdict(case, pages.quoted(page, "A good reply")) == ("held", "")


def test_each_class_has_its_page_in_the_list() -> None:
    assert pages.unlisted(CLASSES) == []


def test_the_readme_has_the_rules() -> None:
    rules = [[f"`{name}`", rule.severity] for name, rule in persona().rules.items()]
    assert [row[:2] for row in table("suites/persona/README.md", "rule")] == rules


def test_the_readme_counts_right() -> None:
    cases = persona().cases
    turns = sum(3 <= len(case.turns) <= 6 for case in attacks().values())
    least = min(Counter(case.attack for case in attacks().values()).values())
    hard = sum(rule.severity == "hard" for rule in persona().rules.values())
    by_code = sum(not judged(case) for case in cases.values())
    foreign = sum(any(tag.startswith("lang:") for tag in case.tags) for case in cases.values())
    for words in (
        f"- {len(attacks())} attacks, at least {['five'][least - 5]} in each class, {turns} of them over",
        f"- {foreign} cases are in other languages",
        f"- {len(twins())} harmless twins",
        f"- {len(persona().rules)} rules, {hard} of them hard. Code decides {by_code} of the {len(cases)} cases.",
    ):
        assert words in README
