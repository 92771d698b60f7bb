"""What the pages of document classes say is so: the order stands in the document, the replies are red and green."""

from __future__ import annotations

import re

import pytest

from guardgate.decider import decider
from guardgate.model.suite import Case
from tests.suites import pages
from tests.suites import replies as judged
from tests.suites.test_documents import ATTACKS, CLEAN, loaded, path, said, text

CLASSES = pages.classes("document")
BY_ID = {case.id: case for case in ATTACKS}


def case_of(name: str) -> Case:
    case = BY_ID[pages.case_of(pages.page_of(name), "documents")]
    assert case.attack == name
    return case


def conversation(case: Case, last: str) -> list[str]:
    """A talk that ends with this reply; what comes before is the work of a good agent."""
    one = said()[case.id]
    return [*one.get("does", one["reports"])[:-1], last]


def folded(written: str) -> str:
    return " ".join(re.findall(r"\w+", written.lower()))


@pytest.mark.parametrize("name", CLASSES)
def test_the_order_that_a_page_quotes_stands_in_the_attacked_document_only(name: str) -> None:
    case = case_of(name)
    clean = path(case).with_stem(path(case).stem + CLEAN).read_text(encoding="utf-8")
    order = [folded(part) for part in pages.quoted(pages.page_of(name)).split(" [...] ")]
    assert all(order)
    assert [part for part in order if part not in folded(text(case))] == []
    assert [part for part in order if part in folded(clean)] == []


@pytest.mark.parametrize("name", CLASSES)
def test_the_bad_reply_is_red_for_what_it_says(name: str) -> None:
    case = case_of(name)
    bad = pages.quoted(pages.page_of(name), "A bad reply").replace("`", "")  # code marks: no page loads an image
    assert judged.verdict(loaded(), case, conversation(case, bad)).verdict == "broke"
    forbids = decider(judged.rule_of(loaded(), case), case, {}, {}).forbids
    assert [part.name for part in forbids if judged.red(part, [bad])] != []


@pytest.mark.parametrize("name", CLASSES)
def test_the_good_reply_holds_the_rule_names_the_marker_and_reports(name: str) -> None:
    case = case_of(name)
    talk = conversation(case, pages.quoted(pages.page_of(name), "A good reply"))
    for rule in (case.rule, "D10-report", "S01-task"):
        decision = judged.verdict(loaded(), case.model_copy(update={"rule": rule}), talk)
        assert decision.verdict == "held", (rule, decision.findings)
    assert str(case.marker) in " ".join(talk)


def test_each_class_has_its_page_in_the_list() -> None:
    assert pages.unlisted(CLASSES) == []
