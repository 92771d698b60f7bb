"""How a rule and a case join: nothing that the rule asks for is lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.decider import FORBIDDEN, MISSING, Decider, decider, merged_floors, merged_threshold, turns_of
from guardgate.model.constraints import Criterion
from guardgate.model.suite import JudgeSettings
from guardgate.record import Reply
from guardgate.verdict import decide
from tests.core.making import case, rule

FLOORS = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.floats(0, 1, exclude_min=True), max_size=3)
SHARE = st.none() | st.floats(0, 1, exclude_min=True)
SETTINGS = st.builds(lambda floors, share: JudgeSettings(required_scores=floors, pass_threshold=share), FLOORS, SHARE)
JUDGE = st.none() | SETTINGS


@given(JUDGE, JUDGE)
def test_the_higher_floor_counts_and_none_is_dropped(
    of_rule: JudgeSettings | None, of_case: JudgeSettings | None
) -> None:
    floors = merged_floors(of_rule, of_case)
    every = [dict(one.required_scores) for one in (of_rule, of_case) if one is not None]
    assert set(floors) == {name for one in every for name in one}
    assert all(floors[name] == max(one[name] for one in every if name in one) for name in floors)
    threshold = merged_threshold(of_rule, of_case)
    given_ = [one.pass_threshold for one in (of_rule, of_case) if one and one.pass_threshold is not None]
    assert threshold == max(given_, default=None)


def joined(of_rule: dict[str, Any], of_case: dict[str, Any]) -> Decider:
    return decider(rule(checks=of_rule), case("c", checks=of_case), {}, {})


@pytest.mark.parametrize(
    ("of_rule", "of_case", "forbids", "requires"),
    [
        ({}, {}, [], []),
        ({"length": {"max_words": 5}}, {}, ["length.max_words"], []),
        ({}, {"length": {"min_words": 5}}, [], ["length.min_words"]),
        ({"length": {"max_words": 5}}, {"length": {"max_words": 50}}, ["length.max_words", "length.max_words"], []),
        ({"contains": {"any": ["x"]}}, {"contains": [{"any": ["y"]}, {"any": ["z"]}]}, [], ["contains"] * 3),
        (
            {"tool_calls": {"forbidden": [{"name": "a"}], "required": [{"name": "b"}]}},
            {"tool_calls": {"only": []}},
            ["tool_calls.forbidden", "tool_calls.only"],
            ["tool_calls.required"],
        ),
    ],
)
def test_checks_add_up(
    of_rule: dict[str, Any], of_case: dict[str, Any], forbids: list[str], requires: list[str]
) -> None:
    both = joined(of_rule, of_case)
    assert [part.name for part in both.forbids] == forbids
    assert [part.name for part in both.requires] == requires
    assert both.can_decide == bool(forbids or requires)


def test_criteria_decide_too() -> None:
    criteria = {"polite": Criterion(ask="It is polite.", kind="requires")}
    judge = {"required_scores": {"polite": 0.5}}
    one = decider(rule(checks={}, judge=judge), case("c"), {}, {}, criteria)
    assert one.can_decide
    with pytest.raises(KeyError):
        decider(rule(checks={}, judge=judge), case("c"), {}, {}, {})


def test_a_document_case_begins_with_its_task() -> None:
    files: dict[str, Any] = {"agent": "a.md", "task": "Sum up.", "document": "d.md", "turns": ["and then"]}
    assert turns_of(case("c", **files)) == ("Sum up.", "and then")
    assert decider(rule(), case("c", **files), {}, {}).turns == 2
    assert turns_of(case("c", turns=["one", "two"])) == ("one", "two")


FORBIDS_Z = {"not_contains": {"any": ["z"]}}
ASKS_Y = {"contains": {"any": ["y"]}}


@pytest.mark.parametrize(
    ("of_rule", "of_case", "said"),
    [
        (FORBIDS_Z, ASKS_Y, [MISSING]),
        (ASKS_Y, FORBIDS_Z, [FORBIDDEN, ""]),
        (FORBIDS_Z | ASKS_Y, {}, ["", ""]),
        # where the rule has nothing of its own, what the case asks for is its rule
        ({}, FORBIDS_Z | ASKS_Y, ["", ""]),
    ],
)
def test_a_break_says_whether_the_case_asks_for_more_than_its_rule(
    of_rule: dict[str, Any], of_case: dict[str, Any], said: list[str]
) -> None:
    text = "Hello." if of_rule == FORBIDS_Z else "zzz"
    found = [one for one in decide(joined(of_rule, of_case), (Reply(text),), None).findings if one.outcome == "broke"]
    assert len(found) == len(said)
    plain = [one.why.removeprefix(FORBIDDEN).removeprefix(MISSING) for one in found]
    assert [one.why for one in found] == [how + why for how, why in zip(said, plain, strict=True)]
    assert all(plain)


def test_a_rule_that_a_judge_decides_has_something_of_its_own() -> None:
    judged = rule(checks={}, judge={"required_scores": {"a": 1.0}})
    one = decider(judged, case("c", checks=FORBIDS_Z), {}, {}, {"a": Criterion(ask="A.", kind="forbids")})
    (found,) = decide(one, (Reply("zzz"),), None).findings
    assert found.why.startswith(FORBIDDEN)
