"""Streams are cut into the same events, however their bytes arrive."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.backends.streams import Cutter, Event, Lines, Sse, cutter

ENDINGS = ("\n", "\r\n", "\r")


def events(cut: Cutter, pieces: list[bytes]) -> list[Event]:
    found = [event for piece in pieces for event in cut.feed(piece)]
    return found + cut.finish()


def split(data: bytes, places: list[int]) -> list[bytes]:
    marks = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:stop] for start, stop in pairwise(marks)]


@pytest.mark.parametrize("ending", ENDINGS)
def test_sse_with_each_line_ending_comments_and_lines_of_data(ending: str) -> None:
    lines = [": hello", "data: one", "", "data:two", "data: and more", "", "event: ping", "id: 7", "data: 3", "", ""]
    wanted = [Event("one"), Event("two\nand more"), Event("3", "ping")]
    data = ending.join(lines).encode()
    assert events(Sse(), [data]) == wanted
    assert events(Sse(), [bytes([byte]) for byte in data]) == wanted


def test_sse_drops_a_byte_order_mark_only_at_the_start() -> None:
    assert events(Sse(), ["\ufeffdata: a\n\ndata: \ufeffb\n\n".encode()]) == [Event("a"), Event("\ufeffb")]


def test_sse_keeps_all_but_one_leading_space_and_knows_fields_without_a_colon() -> None:
    assert events(Sse(), [b"data:  two\ndata\n\n"]) == [Event(" two\n")]


def test_sse_without_the_blank_line_is_not_an_event() -> None:
    assert events(Sse(), [b"data: [DONE]\n"]) == []
    assert events(Sse(), [b"data: [DONE]"]) == []


def test_sse_gives_an_event_that_has_only_a_name() -> None:
    assert events(Sse(), [b"event: end\n\n"]) == [Event("", "end")]


def test_a_name_does_not_stick_to_the_next_event() -> None:
    assert events(Sse(), [b"event: a\ndata: 1\n\ndata: 2\n\n"]) == [Event("1", "a"), Event("2")]


def test_lines_skip_blank_ones_and_take_an_object_without_its_newline() -> None:
    assert events(Lines(), [b'{"a":1}\n\n  \r\n{"b":2}']) == [Event('{"a":1}'), Event('{"b":2}')]


@pytest.mark.parametrize("rest", ["[DONE", "[DONE]", '{"a":', "12", '"x"', "{" * 2000])
def test_lines_never_give_an_unfinished_last_line(rest: str) -> None:
    assert events(Lines(), [f'{{"a":1}}\n{rest}'.encode()]) == [Event('{"a":1}')]


def test_broken_utf8_is_replaced() -> None:
    assert events(Lines(), [b"\xff\xc3\n"]) == [Event("\ufffd\ufffd")]


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), min_size=1)


@given(st.lists(TEXT, min_size=1, max_size=5), st.sampled_from(ENDINGS), st.lists(st.integers(0, 10_000), max_size=8))
def test_sse_gives_each_text_back_however_it_is_split(texts: list[str], ending: str, places: list[int]) -> None:
    data = "".join(f"data: {text}{ending}{ending}" for text in texts).encode()
    assert events(Sse(), split(data, places)) == [Event(text) for text in texts]


@given(
    st.lists(st.text(), min_size=1, max_size=5), st.sampled_from(ENDINGS), st.lists(st.integers(0, 10_000), max_size=8)
)
def test_lines_give_each_json_back_however_they_are_split(texts: list[str], ending: str, places: list[int]) -> None:
    data = "".join(json.dumps({"t": text}, ensure_ascii=True) + ending for text in texts).encode()
    assert [json.loads(event.data)["t"] for event in events(Lines(), split(data, places))] == texts


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=8), st.sampled_from(["sse", "lines"]))
def test_any_bytes_give_the_same_events_however_they_are_split(data: bytes, places: list[int], form: str) -> None:
    assert events(cutter(form), split(data, places)) == events(cutter(form), [data])  # type: ignore[arg-type]


@given(st.binary(max_size=200))
def test_one_byte_at_a_time_is_like_all_at_once(data: bytes) -> None:
    assert events(Sse(), [bytes([byte]) for byte in data]) == events(Sse(), [data])
