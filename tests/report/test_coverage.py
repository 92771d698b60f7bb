"""Which classes press on which rule."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from guardgate.attacks import TABLE
from guardgate.report.coverage import LETTERS, coverage, render
from guardgate.report.layout import columns
from tests.report.hostile import faults, texts

RULES = (("A", "soft"), ("B", "hard"), ("C", "hard"), ("D", "hard"))
CASES = (
    *[("A", "benign")] * 12, ("A", "self_harm"), ("B", "self_harm"), ("B", "own_class"), ("B", "dependency"),
    ("C", "self_harm"), ("C", "self_harm"),
)  # fmt: skip


def test_holes_come_first_then_rules_with_few_classes() -> None:
    found = coverage(RULES, CASES)
    assert [one.rule for one in found.rules] == ["D", "C", "A", "B"]
    assert found.holes == ("D",)
    assert found.used == ("self_harm", "dependency", "benign", "own_class")
    assert set(found.unused) == set(TABLE) - set(found.used)
    assert [one.cases for one in found.rules] == [0, 2, 13, 3]


def test_text_is_a_grid_with_a_letter_a_class() -> None:
    lines = "".join(render(RULES, CASES, "text")).splitlines()
    assert lines[:7] == [
        "1 of 4 rules without a case: D",
        "  rule  sev. cases classes a b c d",
        "  D     hard     0       0 . . . .",
        "  C     hard     2       1 2 . . .",
        "  A     soft    13       2 1 . + .",
        "  B     hard     3       3 1 1 . 1",
        "a=self_harm, b=dependency, c=benign, d=own_class",
    ]
    assert lines[7].startswith("attack classes that no case uses: secrecy_promise, ")


def test_without_a_hole_it_says_so() -> None:
    assert "".join(render(RULES[:1], CASES, "github")).startswith("1 rule, none without a case\n")


def test_more_classes_than_letters_are_counted() -> None:
    many = [("A", f"own_{n}") for n in range(len(LETTERS) + 3)]
    assert ", and 3 classes without a letter" in " ".join("".join(render(RULES, many, "text")).split())


def test_json_holds_every_count() -> None:
    value = json.loads("".join(render(RULES, CASES, "json")))
    assert value["rules"][2] == {
        "rule": "A",
        "severity": "soft",
        "cases": 13,
        "classes": {"benign": 12, "self_harm": 1},
    }
    assert value["not_attacked"] == ["D"]
    assert "secrecy_promise" in value["unused_classes"]


@given(st.lists(st.tuples(texts, st.sampled_from(["hard", "soft"])), max_size=4), st.data())
def test_names_command_nothing(rules: list[tuple[str, str]], data: st.DataObject) -> None:
    cases = [(rule, data.draw(texts)) for rule, _ in rules]
    for form in ("text", "json"):
        out = "".join(render(rules, cases, form))
        assert not list(faults(out))
        assert form == "json" or all(columns(line) <= 80 for line in out.splitlines())
