"""Templates are filled once, and whatever is put in arrives unchanged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.backends.template import as_text, conversation, fill, placeholders, unknown, unused
from guardgate.record import Reply, Talk

HOSTILE = [
    "{session}",
    "{{ turn }}",
    "{{turn}}",
    "{turn}",
    "%s %(turn)s",
    "{# x #}",
    '"}, {"a": "',
    "\\{session\\}",
    "$turn",
]
VALUES: dict[str, Any] = {
    "turn": "hi", "messages": [{"role": "user", "content": "hi"}], "session": "s1", "system": None, "temperature": 0.5,
    "flag": True,
}  # fmt: skip


def test_a_lone_placeholder_becomes_the_value_itself() -> None:
    structure = {"m": "{messages}", "t": "{temperature}", "f": "{flag}", "fixed": 1, "list": ["{turn}", None]}
    wanted = {"m": VALUES["messages"], "t": 0.5, "f": True, "fixed": 1, "list": ["hi", None]}
    assert fill(structure, VALUES) == wanted


def test_a_lone_placeholder_without_a_value_leaves_its_key_or_item_out() -> None:
    assert fill({"a": {"system": "{system}"}, "b": ["{system}", "{turn}"]}, VALUES) == {"a": {}, "b": ["hi"]}


def test_inside_a_longer_text_values_are_text() -> None:
    text = "{turn}|{system}|{temperature}|{flag}|{messages}"
    assert fill({"a": text}, VALUES) == {"a": 'hi||0.5|true|[{"role":"user","content":"hi"}]'}


def test_keys_and_other_braces_stay_as_they_are() -> None:
    structure = {"{turn}": '{ turn } {} {0} {"a": 1} {turn'}
    assert fill(structure, VALUES) == structure
    assert placeholders(structure) == set()


def test_a_name_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        fill({"a": "{nobody}"}, VALUES)


def test_names_are_found_everywhere_in_the_values() -> None:
    structure = {"a": ["{turn} and {style}", {"b": "{top-p}"}], "c": 3}
    assert placeholders(structure) == {"turn", "style", "top-p"}
    assert unknown(structure, ["style"]) == {"top-p"}
    assert unused(structure, ["style", "seed", "system"]) == {"seed"}


@pytest.mark.parametrize("text", HOSTILE)
def test_values_are_never_filled_again(text: str) -> None:
    filled = fill({"a": "{turn}", "b": "x {turn} {session}"}, {"turn": text, "session": "{turn}"})
    assert filled == {"a": text, "b": f"x {text} {{turn}}"}


@given(st.text() | st.sampled_from(HOSTILE), st.text())
def test_any_text_arrives_as_it_is(turn: str, session: str) -> None:
    structure = {"a": {"b": ["{turn}"]}, "c": "<{turn}|{session}>"}
    body = json.dumps(fill(structure, {"turn": turn, "session": session}))
    assert json.loads(body) == {"a": {"b": [turn]}, "c": f"<{turn}|{session}>"}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_a_lone_value_keeps_its_type(value: Any) -> None:
    assert fill({"a": "{x}"}, {"x": value}) == ({} if value is None else {"a": value})


def test_values_as_text() -> None:
    values = ["a", "", None, 0, False, 1.5, {"a": [1, "ü"]}]
    assert [as_text(value) for value in values] == ["a", "", "", "0", "false", "1.5", '{"a":[1,"ü"]}']


def test_the_conversation_ends_with_the_turn_that_waits() -> None:
    talk = Talk("t", ("one", "two"), (Reply("first"),))
    assert [(one["role"], one["content"]) for one in conversation(talk)] == [
        ("user", "one"), ("assistant", "first"), ("user", "two"),
    ]  # fmt: skip
