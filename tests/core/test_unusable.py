"""Replies that are no answer: each file in `cases/unusable` is an example, its folder the expectation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from guardgate.errortext import error_text, has_content
from guardgate.record import KINDS
from guardgate.trouble import only_trouble
from guardgate.unusable import raw_traces, unusable
from tests.support.project import ROOT

CASES = Path(__file__).parent.parent / "cases" / "unusable"
FOLDERS = ("blank", "raw_output", "error_text", "fine")
#: Replies of real runs, and files that hold replies.
RUNS = ("docs/*-run/*.jsonl", "tests/judging/stored/*.jsonl")
SAMPLES = (
    "tests/suites/**/*.yaml",
    "tests/cases/refusal/*.yaml",
    "examples/**/*.yaml",
    "suites/**/*.yaml",
    "anchors/*.yaml",
)
REPLIES = sorted(CASES.glob("*/*.txt"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def test_there_are_examples_of_each_kind() -> None:
    assert {path.name for path in CASES.iterdir()} == set(FOLDERS)
    assert {folder: len([*(CASES / folder).glob("*.txt")]) >= 20 for folder in FOLDERS} == dict.fromkeys(FOLDERS, True)
    assert all(KINDS[kind] == "target" for kind in FOLDERS if kind != "fine")


@pytest.mark.parametrize("path", REPLIES, ids=name)
def test_reply(path: Path) -> None:
    found = unusable(text(path))
    assert (found.kind if found else "fine") == path.parent.name
    assert found is None or found.why


@pytest.mark.parametrize("path", REPLIES, ids=name)
def test_white_space_around_changes_nothing(path: Path) -> None:
    found = unusable(f"\n  {text(path)}\n\n")
    assert (found.kind if found else "fine") == path.parent.name


@pytest.mark.parametrize("path", [path for path in REPLIES if path.stem != "think_end_only"], ids=name)
def test_only_the_whole_reply_counts(path: Path) -> None:
    assert unusable(f"I looked into it for you. {text(path)}") is None


@pytest.mark.parametrize(
    "kind_path", [path for path in REPLIES if path.parent.name in ("raw_output", "error_text")], ids=name
)
def test_the_reason_does_not_repeat_the_reply(kind_path: Path) -> None:
    found = unusable(text(kind_path))
    assert found is not None
    assert found.why.startswith("the ")
    assert len(found.why) < 100


TROUBLE = [text(path) for path in REPLIES if path.match("error_text/trouble_*.txt") and "json" not in path.stem]
CONTENT = [
    "The clinic opens at nine.",
    "Call 555-0100",
    "I will not say that.",
    "No.",
    "Nein!",
    "1-800-555-0100",
    "Je ne sais pas.",
]


@given(st.lists(st.sampled_from(TROUBLE), min_size=1, max_size=4), st.sampled_from(CONTENT), st.integers(0, 4))
def test_one_sentence_of_content_makes_it_an_answer(said: list[str], content: str, place: int) -> None:
    sentences = [one.rstrip(".") + "." for one in said]
    for join in (" ", "\n"):
        # what begins as a known error text stays one, whatever it says then
        first = [*sentences[:place], content, *sentences[place:]]
        assert not only_trouble(join.join(first))


@pytest.mark.parametrize("english", [one for one in TROUBLE if one.isascii()])
def test_case_quotes_and_signs_do_not_matter(english: str) -> None:
    for other in (english.upper(), english.replace("'", "’"), f"❌ {english} 🙏", english.rstrip(".") + "..."):
        found = unusable(other)
        assert found is not None, other
        assert found.kind == "error_text"


@pytest.mark.parametrize("value", [None, 0, False, "", " none ", "OK", {}, [], {"code": 0, "message": "success"}])
def test_an_error_without_content_is_none(value: Any) -> None:
    assert not has_content(value)
    assert unusable(json.dumps({"answer": "No.", "error": value})) is None


def _replies() -> Iterator[tuple[str, str]]:
    """Every text in the stored runs and in the suites' own data: replies, samples and more."""
    for path in sorted(p for where in RUNS for p in ROOT.glob(where)):
        for line in path.read_text("utf-8").splitlines():
            for reply in json.loads(line).get("replies") or ():
                yield path.name, reply["text"] if isinstance(reply, dict) else reply
    for path in sorted(p for where in SAMPLES for p in ROOT.glob(where)):
        for node in yaml.compose_all(path.read_text("utf-8"), Loader=yaml.CSafeLoader):
            yield from ((path.name, one.value) for one in _scalars(node))


def _scalars(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _scalars(item)
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _scalars(value)


def test_no_reply_in_the_data_is_condemned() -> None:
    seen = list(_replies())
    assert len(seen) > 5000
    assert [one for one in seen if only_trouble(one[1])] == []


PIECES = [*'<>{}[]|/"`:_ \n', "think", "error", "data", "null", "```", "name", "tool_call"]


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_can_be_asked(reply: str) -> None:
    found = unusable(reply)
    assert found is None or found.kind in FOLDERS
    words = raw_traces(reply)
    assert words is None or words in reply


@given(st.lists(st.sampled_from(["I", "cannot", "error", "429", "null", "data:", "ok", "timeout", "{}"]), min_size=3))
def test_sentences_are_answers(words: list[str]) -> None:
    assert unusable(f"Well, {' '.join(words)}.") is None


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("<think>secret plan</think> Hello", "<think>"),
        ("Hello</think>", "</think>"),
        ("Hello<|im_end|>", "<|im_end|>"),
        ("Hi <｜end▁of▁sentence｜>", "<｜end▁of▁sentence｜>"),
        ('Sure: {"choices": [{"text": "x"}]}', '{"choices":'),
        ('x "tool_calls" : [', '"tool_calls" :'),
        ('x, "finish_reason": "stop"', '"finish_reason":'),
        ("[TOOL_CALLS] [{}]", "[TOOL_CALLS]"),
        ("I will <function_call>{}</function_call>", "<function_call>"),
        ("<invoke name='x'>", "<invoke name="),
        ("[INST] hello", "[INST]"),
        ("ok\ndata: [DONE]", "data: [DONE]"),
        ("id chatcmpl-8aBcD12 was", "chatcmpl-8aBcD12"),
        ("content='x' additional_kwargs={}", "additional_kwargs="),
    ],
)
def test_traces_of_raw_output(reply: str, words: str) -> None:
    assert raw_traces(reply) == words


@pytest.mark.parametrize(
    "reply",
    ["", "I think that is fine.", "Use <b>bold</b> text | or not.",
     "You have two choices: tea or coffee.", "a <| b |> c",
     "data: what we know", "The tool calls are listed in the menu.", "<s>old</s> price"],
)  # fmt: skip
def test_no_traces(reply: str) -> None:
    assert raw_traces(reply) is None


@pytest.mark.parametrize(
    "piece",
    [
        "<think>",
        "<think></think>",
        "```\n ",
        "data:\n",
        "{",
        "[",
        "{ ",
        "a.",
        "Error",
        "</s>",
        "assistant ",
        "<|",
        "x" * 9,
        "sorry but ",
        "Error: ",
    ],
)
def test_long_replies_are_looked_at_in_linear_time(piece: str) -> None:
    # A quadratic pattern would take minutes here.
    unusable(piece * (600_000 // len(piece)))
    only_trouble(piece * (400 // len(piece)))
    raw_traces(piece * (600_000 // len(piece)))


@pytest.mark.parametrize(
    "reply",
    [
        "Il servizio è disponibile.", "Il sito non è in manutenzione.", "Your request was refused.", "Request refused.",
        "Sorry, we're at full capacity today.", "Bitte melden Sie sich an.", "um fortzufahren",
        "Authentication required.",
    ],
)  # fmt: skip
def test_what_a_bot_may_say_of_its_business_is_an_answer(reply: str) -> None:
    assert error_text(reply, None) == ""


@pytest.mark.parametrize(
    "reply",
    [
        "Il servizio non è disponibile al momento. Riprova più tardi.", "Bitte melden Sie sich an, um fortzufahren.",
        "We're at capacity right now. Please try again later.", "Connection refused.",
        "Authentication required. Please try again.",
    ],
)  # fmt: skip
def test_the_same_words_with_a_request_to_come_again_are_none(reply: str) -> None:
    assert error_text(reply, None)


@pytest.mark.parametrize("nothing", ["N/A", "no errors", "-", {"code": 200, "message": "OK"}, [[], {}], 0, None])
def test_what_stands_under_error_where_there_is_none(nothing: object) -> None:
    assert not has_content(nothing)


def test_an_error_nested_as_deep_as_one_likes_is_looked_through() -> None:
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    assert has_content(deep)
