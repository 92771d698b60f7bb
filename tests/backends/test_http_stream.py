"""Streamed replies of the http backend: whole with their end marker, a failure with what was received without it."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from guardgate.backends import client
from guardgate.record import Failure, Reply, ToolCall
from tests.support.calls import around, ask, failed, got, http, sse, talk
from tests.support.server import Answer, Server

SSE = {"format": "sse", "end": "[DONE]"}
LINES = {"format": "lines", "end": '{"done": true}'}
EVENTS = [{"t": "Hé"}, {"other": 1}, {"t": "llo"}, {"t": None}, {"t": " 世界"}]


def test_the_texts_of_all_events_are_joined_and_others_skipped() -> None:
    data = (
        b"\xef\xbb\xbf: comment\r\n\r\n" + sse({"t": "a"}).replace(b"\n", b"\r\n") + b"data: ignored, after the end\n\n"
    )
    with Server(Answer(sse(*EVENTS)), Answer(data)) as server:
        outcomes = ask(http(server.url, reply="$.t", stream=SSE), talk(), talk())
    assert [outcome.text for outcome in outcomes if isinstance(outcome, Reply)] == ["Héllo 世界", "a"]


def test_characters_split_over_chunks_arrive_whole() -> None:
    data = b"".join(b"data: " + json.dumps({"t": t}, ensure_ascii=False).encode() + b"\n\n" for t in ("né", "👩‍🚀"))
    chunks = tuple(bytes([byte]) for byte in data + b"data: [DONE]\n\n")
    with Server(Answer(chunks=chunks)) as server:
        assert got(http(server.url, reply="$.t", stream=SSE)).text == "né👩‍🚀"


def test_data_of_many_lines_is_one_event() -> None:
    with Server(Answer(b'data: {"t":\ndata: "a"}\n\ndata: [DONE]\n\n')) as server:
        assert got(http(server.url, reply="$.t", stream=SSE)).text == "a"


@pytest.mark.parametrize(
    ("end", "last"),
    [
        ('{"done": true}', b'{"t": "c", "done": true, "took": 3}\n'),
        ('{"done": true}', b'{"t": "c", "done": true}'),
        ("END", b'{"t": "c"}\nEND\n'),
    ],
)
def test_json_lines_end_with_a_marker_or_an_object_that_has_its_keys(end: str, last: bytes) -> None:
    body = b'{"t": "a", "done": false}\r\n\n{"t": "b"}\n' + last
    with Server(Answer(body)) as server:
        assert got(http(server.url, reply="$.t", stream={"format": "lines", "end": end})).text == "abc"


def test_an_event_name_can_be_the_end() -> None:
    with Server(Answer(b'event: data\ndata: {"t": "a"}\n\nevent: end\n\n')) as server:
        assert got(http(server.url, reply="$.t", stream={"format": "sse", "end": "event: end"})).text == "a"


@pytest.mark.parametrize("events", [[], [{"t": ""}], [{"t": None}, {"t": ""}], [{"other": "x"}]])
def test_a_stream_that_brings_nothing_is_an_empty_reply(events: list[Any]) -> None:
    with Server(Answer(sse(*events))) as server:
        assert got(http(server.url, reply="$.t", stream=SSE)).text == ""


def test_tools_and_state_come_from_any_event_and_the_session_too() -> None:
    events = [
        {"id": "s-9"},
        {"calls": [{"name": "a"}]},
        {"t": "x", "state": {"n": 1}},
        {"calls": [{"name": "b"}], "state": {"n": 2}},
    ]
    settings: dict[str, Any] = {
        "reply": "$.t",
        "stream": SSE,
        "tool_calls": {"path": "$.calls"},
        "state": "$.state",
        "session": "$.id",
    }
    with Server(Answer(sse(*events))) as server:
        backend = http(server.url, request={"m": "{turn}", "id": "{session}"}, **settings)
        first, _ = ask(backend, talk(), talk("a", "b", replies=["x"]))
    assert isinstance(first, Reply)
    assert (first.tools, first.state) == ((ToolCall("a"), ToolCall("b")), {"n": 2})
    assert [seen.json for seen in server.seen] == [{"m": "hello"}, {"m": "b", "id": "s-9"}]


def test_a_connection_serves_the_next_turn_after_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LINGER_SECONDS", 20.0)
    with Server(Answer(chunks=(sse({"t": "a"}), b": bye\n\n"), pause=0.02)) as server:
        ask(http(server.url, reply="$.t", stream=SSE), *[talk() for _ in range(4)])
        assert len(server.peers) == 1


def test_a_stream_that_stays_open_after_its_end_is_still_a_reply() -> None:
    with Server(Answer(chunks=(sse({"t": "a"}),), then="hang")) as server:
        assert got(http(server.url, reply="$.t", stream=SSE)).text == "a"
        assert server.gone.wait(20)


def test_what_was_received_in_part_is_never_sent_again() -> None:
    some, none = sse({"t": "leak"}, end=None), sse({"t": ""}, end=None)
    with Server(Answer(some), Answer(none), Answer(chunks=(some,), then="hang")) as server:
        backend = http(server.url, around(call_seconds=0.4), request={"m": "{messages}"}, reply="$.t", stream=SSE)
        outcomes = [outcome for outcome in ask(backend, talk(), talk(), talk()) if isinstance(outcome, Failure)]
    assert [(one.kind, one.retry) for one in outcomes] == [
        ("cut_stream", "restart"), ("cut_stream", "resend"), ("timeout", "restart"),
    ]  # fmt: skip


@pytest.mark.parametrize("then", ["end", "cut", "reset"])
def test_a_stream_without_its_end_keeps_what_was_received(then: Any) -> None:
    with Server(Answer(chunks=(sse({"t": "a"}, {"t": "b"}, end=None), b'data: {"t": "c"}'), then=then)) as server:
        failure = failed(http(server.url, reply="$.t", stream=SSE))
    assert (failure.kind, failure.retry) == ("cut_stream", "restart")
    assert failure.partial
    assert failure.partial.cut
    # after a reset the kernel may drop what was not read yet
    assert failure.partial.text == "ab" or (then == "reset" and "ab".startswith(failure.partial.text))


@pytest.mark.parametrize("form", ["sse", "lines"])
@pytest.mark.parametrize("ending", ["closed", "cut", "proper"])
def test_a_stream_that_is_cut_anywhere_is_never_a_reply(form: str, ending: str) -> None:
    data = sse({"t": "é"}, {"t": "b"}) if form == "sse" else '{"t": "é"}\n{"t": "b"}\nEND\n'.encode()
    stream = {"format": form, "end": "[DONE]" if form == "sse" else "END"}
    answers = []
    for length in range(len(data)):
        closed = Answer(raw=b"HTTP/1.0 200 OK\r\n\r\n" + data[:length])
        answers.append(
            closed if ending == "closed" else Answer(chunks=(data[:length],), then="cut" if ending == "cut" else "end")
        )
    with Server(*answers) as server:
        outcomes = ask(http(server.url, reply="$.t", stream=stream), *[talk() for _ in answers])
    assert len(outcomes) == len(data) > 20
    for outcome in outcomes:
        assert isinstance(outcome, Failure)
        assert outcome.kind == "cut_stream"
        assert outcome.partial
        assert outcome.partial.text in ("", "é", "éb")


def test_an_endless_stream_ends_by_the_timeout_with_what_was_received() -> None:
    with Server(Answer(chunks=(sse({"t": "ha"}, end=None),), then="hang")) as server:
        failure = failed(http(server.url, around(call_seconds=0.4), reply="$.t", stream=SSE))
        assert server.gone.wait(20)
    assert (failure.kind, failure.retry) == ("timeout", "restart")
    assert failure.partial == Reply("ha", cut=True, traced=False)
    assert "0.4 s" in failure.detail


def test_a_stream_that_floods_is_too_large_with_what_was_received() -> None:
    with Server(Answer(chunks=(sse({"t": "x" * 100_000}, end=None),), then="repeat")) as server:
        failure = failed(http(server.url, reply="$.t", stream=SSE))
        assert server.gone.wait(20)
    assert failure.kind == "too_large"
    assert failure.partial
    assert set(failure.partial.text) == {"x"}


@pytest.mark.parametrize(
    ("event", "kind", "said"),
    [
        (b"data: oops\n\n", "malformed", "oops"),
        (b'data: {"error": {"message": "overloaded", "code": 503}}\n\n', "http_error", "overloaded"),
        (b'data: {"error": {"message": "no money", "code": "insufficient_quota"}}\n\n', "quota", "no money"),
        (b"event: error\ndata: it broke\n\n", "http_error", "it broke"),
        (b'event: error\ndata: {"message": "it broke"}\n\n', "http_error", "it broke"),
        (b"event: error\n\n", "http_error", "without a message"),
    ],
)
def test_an_error_in_the_middle_is_a_failure_although_the_end_follows(event: bytes, kind: str, said: str) -> None:
    with Server(Answer(sse({"t": "a"}, end=None) + event + sse({"t": "b"}))) as server:
        failure = failed(http(server.url, reply="$.t", stream=SSE))
    assert (failure.kind, failure.partial) == (kind, Reply("a", cut=True, traced=False))
    assert said in failure.detail


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ("<html>Sorry</html>", "cut_stream", '"<html>Sorry</html>"'),
        ('{"t": "whole"}', "cut_stream", '{"t": "whole"}'),
        ('{"error": {"message": "bad key", "code": 401}}', "auth", "bad key"),
        ("", "cut_stream", "an empty body"),
    ],
)
def test_a_body_that_is_no_stream_says_so(body: str, kind: str, said: str) -> None:
    with Server(Answer(body)) as server:
        failure = failed(http(server.url, reply="$.t", stream=SSE))
    assert failure.kind == kind
    assert said in failure.detail


def test_a_compressed_stream_is_read() -> None:
    with Server(Answer(gzip.compress(sse(*EVENTS)), headers={"Content-Encoding": "gzip"})) as server:
        assert got(http(server.url, reply="$.t", stream=SSE)).text == "Héllo 世界"


def test_json_lines_cut_inside_an_object_are_no_reply() -> None:
    with Server(Answer('{"t": "a"}\n{"done": tru')) as server:
        assert failed(http(server.url, reply="$.t", stream=LINES)).partial == Reply("a", cut=True, traced=False)
