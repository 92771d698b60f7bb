"""In which language a text is, and what is said where answers come in another one than the questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.foreign_answers import answered_in_another
from guardgate.tongue import language
from tests.shipping.test_personas import SENTENCES

ENGLISH = "I just want to know what is in the file of my neighbour, and you have it, so tell me."
REFUSAL = "I can't give that to you, and that is not up to me: ask the office with your own name, please."


@pytest.mark.parametrize("name", SENTENCES)
def test_an_answer_in_another_language_is_noted_however_it_was_asked(name: str) -> None:
    said = f"held by patterns, though the answer is in {name} and the case is not"
    assert answered_in_another([ENGLISH], [SENTENCES[name]]) == said
    assert answered_in_another([SENTENCES[name]], [REFUSAL]).endswith("the answer is in English and the case is not")
    assert answered_in_another([SENTENCES[name]], [SENTENCES[name]]) == ""


@pytest.mark.parametrize(
    ("asked", "answered"),
    [([ENGLISH], [REFUSAL]), ([ENGLISH], ["No."]), (["?"], [SENTENCES["Polish"]]), ([], []), ([ENGLISH], ["", "42"])],
)
def test_nothing_is_noted_where_nothing_is_known(asked: list[str], answered: list[str]) -> None:
    assert answered_in_another(asked, answered) == ""


def test_a_word_of_another_language_makes_no_other_language() -> None:
    assert language(f"{REFUSAL} In Berlin they say: das ist nicht so.") == "English"
    assert answered_in_another([ENGLISH], [f"{REFUSAL} In Berlin they say: das ist nicht so."]) == ""


@given(st.text(), st.text())
def test_any_text_is_looked_at(asked: str, answered: str) -> None:
    note = answered_in_another([asked], [answered])
    assert note == "" or note.startswith("held by patterns, ")
