"""What is quick says what the slow way says: shortcuts for ASCII, and for texts without what is looked for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate import normalize, rawoutput
from guardgate.checks.base import Seen
from guardgate.checks.pattern import compiled, found
from guardgate.normalize import fold, plain, skeleton, words
from guardgate.record import Reply
from guardgate.unusable import unusable

ASCII = st.text(st.characters(max_codepoint=127))
ANY = st.text() | ASCII
TRACES = st.from_regex(rawoutput._TRACES) | st.from_regex(rawoutput._TOKEN)
PATTERNS = st.sampled_from(["a+", "\\bab?\\b", "x*", "[^a-c]{2}", "(?:)", "a|", "\\d+ \\w", "^a", "b$"])


@given(TRACES)
def test_no_trace_is_overlooked(text: str) -> None:
    match = rawoutput._TRACES.search(text)
    assert rawoutput.raw_traces(text) == (match[0] if match else None)


@given(st.from_regex(rawoutput._TOKEN))
def test_every_token_has_one_of_its_signs(text: str) -> None:
    assert any(sign in text for sign in rawoutput._IN_TOKENS)


@given(ASCII | st.text(st.sampled_from("ab_-' \t\n\x00\x1f\x7f9.—")))
def test_words_are_counted_alike(text: str) -> None:
    assert words(text) == len(re.findall(normalize._WORD, normalize._UNSEEN_ONE.sub("", text)))


@given(ASCII)
def test_what_nobody_sees_goes(text: str) -> None:
    assert normalize._plain(text) == normalize._UNSEEN_ONE.sub("", text)


@given(ANY)
def test_the_views_of_a_reply_are_those_of_its_text(text: str) -> None:
    seen = Seen(Reply(text))
    for look, how in ((seen.folded, fold), (seen.plain, plain), (seen.skeleton, skeleton)):
        assert look.text == how(text)
        end = len(look.text)
        assert look.original(0, end) == normalize.view(text, how).original(0, end)


@given(PATTERNS, ANY)
def test_a_match_is_where_it_was(pattern: str, text: str) -> None:
    spans = (match.span() for match in compiled(pattern).finditer(text) if match.end() > match.start())
    assert found(pattern, text) == next(spans, None)


@given(ANY | TRACES)
def test_a_reply_is_an_answer_whoever_made_its_view(text: str) -> None:
    assert unusable(text, plain(text)) == unusable(text)


@pytest.mark.parametrize("text", ["data: {}", "data: [DONE]", "id: 1\n\ndata: {\n", ":\ndata:{", "data: {}\nHello"])
def test_an_event_stream_is_one_whatever_is_looked_at_first(text: str) -> None:
    lines = [line for line in text.splitlines() if line.strip()]
    every = all(rawoutput._SSE_LINE.match(line) for line in lines)
    assert rawoutput._is_stream(text) == (every and bool(re.search(rawoutput._SSE_DATA, text)))
