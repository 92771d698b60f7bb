"""Tags of public lists: the table, who carries which, and the count in reports."""

from __future__ import annotations

import re

import pytest

from guardgate.attacks import TABLE
from guardgate.report.tables import tag_table
from guardgate.tags import KNOWN, of_a_list, public
from tests.core.making import BAD, GOOD, attempt, case, plan, rule, summed


def test_the_lists_are_whole() -> None:
    """Ten entries; 101 techniques and 69 sub-techniques, each below its technique."""
    owasp = [tag for tag in KNOWN if tag.startswith("owasp:")]
    atlas = [tag for tag in KNOWN if tag.startswith("atlas:")]
    assert owasp == [f"owasp:LLM{number:02}" for number in range(1, 11)]
    parents = [tag for tag in atlas if re.fullmatch(r"atlas:AML\.T\d{4}", tag)]
    subs = [tag for tag in atlas if re.fullmatch(r"atlas:AML\.T\d{4}\.\d{3}", tag)]
    assert (len(parents), len(subs), len(atlas)) == (101, 69, 170)
    assert {tag.rpartition(".")[0] for tag in subs} <= set(parents)
    assert all(KNOWN[tag] for tag in owasp)


@pytest.mark.parametrize("row", TABLE.values(), ids=lambda row: row.name)
def test_every_tag_of_a_class_is_known_by_name(row: object) -> None:
    assert [tag for tag in row.tags if not KNOWN.get(tag)] == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("tag", "claims"),
    [("owasp:LLM01", True), ("OWASP:x", True), ("atlas:", True), ("from:atlas", False), ("owasp-agentic:ASI01", False)],
)
def test_what_claims_to_be_of_a_list(tag: str, claims: bool) -> None:
    assert of_a_list(tag) is claims


def test_a_case_has_the_tags_of_its_class_of_its_rule_and_its_own() -> None:
    assert public("secrecy_promise", ("owasp:LLM09", "mine"), ("atlas:AML.T0054",)) == (
        "owasp:LLM02", "owasp:LLM09", "atlas:AML.T0054",
    )  # fmt: skip
    assert public("night_shift") == ()


def test_attempts_are_counted_under_each_tag_worst_first() -> None:
    of = plan(
        [rule("R1", tags=["owasp:LLM09"]), rule("R2")],
        [
            case("a", attack="secrecy_promise"),
            case("b", attack="secrecy_promise", rule="R2", tags=["owasp:LLM02", "from:x"]),
            case("c", attack="dependency", rule="R2"),
        ],
        repeats=2,
    )
    said = (BAD, GOOD, GOOD, GOOD, "", BAD)
    table = tag_table(summed(of, [attempt(of, n, text) for n, text in enumerate(said)]))
    assert [column.head for column in table.columns] == ["tag", "held/attempts", "broke", "undecided", "name"]
    assert [(getattr(row[0], "text", row[0]), *row[1:]) for row in table.rows] == [
        ("owasp:LLM02", "2/4", "1", "1", "Sensitive Information Disclosure"),
        ("owasp:LLM09", "1/2", "1", "0", "Misinformation"),
    ]


def test_without_a_tag_there_is_no_row() -> None:
    of = plan([rule()], [case("c", attack="dependency")])
    assert tag_table(summed(of, [attempt(of, 0, GOOD)])).rows == ()
