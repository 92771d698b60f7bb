"""Streamed chat completions over a real socket."""

from __future__ import annotations

from typing import Any

import pytest

from guardgate.record import Failure, Reply, ToolCall, Usage
from tests.support.calls import around, ask, failed, got, openai, sse, talk
from tests.support.server import Answer, Server


def chunk(delta: Any = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    return {"object": "chat.completion.chunk", "model": "small-2026", "choices": [choice], **more}


def said(text: str | None) -> dict[str, Any]:
    return chunk({"content": text})


def calls(*pieces: dict[str, Any]) -> dict[str, Any]:
    return chunk({"tool_calls": list(pieces)})


USAGE = {"model": "small-2026", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}


def test_deltas_are_joined_and_usage_comes_last() -> None:
    events = [
        chunk({"role": "assistant", "content": ""}),
        said("He"),
        said("llo"),
        said(None),
        chunk(finish="stop"),
        USAGE,
    ]
    with Server(Answer(sse(*events), headers={"Content-Type": "text/event-stream"})) as server:
        reply = got(
            openai(server.url, stream=True, price={"input": 1.0, "output": 1.0}), talk(params={"stream": False})
        )
    sent = server.seen[0].json
    assert (sent["stream"], sent["stream_options"]) == (True, {"include_usage": True})
    assert (reply.text, reply.model, reply.usage) == ("Hello", "small-2026", Usage(3, 2, 5e-6))


@pytest.mark.parametrize("events", [[], [said("")], [said(None), chunk(finish="stop")], [USAGE], [{"choices": None}]])
def test_streams_that_bring_no_word_are_empty_replies(events: list[Any]) -> None:
    with Server(Answer(sse(*events))) as server:
        assert got(openai(server.url, stream=True)).text == ""


def test_tool_calls_are_joined_by_index() -> None:
    events = [
        calls({"index": 0, "id": "a", "function": {"name": "mail", "arguments": ""}}),
        calls({"index": 1, "id": "b", "function": {"name": "search", "arguments": '{"q"'}}),
        calls({"index": 0, "function": {"arguments": '{"to": '}}, {"index": 1, "function": {"arguments": ': "x"}'}}),
        calls({"index": 0, "function": {"arguments": '"me"}'}}),
        chunk(finish="tool_calls"),
    ]
    with Server(Answer(sse(*events))) as server:
        reply = got(openai(server.url, stream=True))
    assert reply.tools == (ToolCall("mail", {"to": "me"}), ToolCall("search", {"q": "x"}))


def piece(name: str | None, arguments: str, **more: Any) -> dict[str, Any]:
    return {"function": {"arguments": arguments, **({"name": name} if name else {})}, **more}


@pytest.mark.parametrize(
    "pieces",
    [
        [piece("a", "{}", index=0, id="1"), piece("a", "{}", index=0, id="2")],
        [piece("a", "{}", index=0), piece("b", "{}", index=0)],
        [piece("a", "{"), piece(None, "}"), piece("a", "{}")],
    ],
)
def test_servers_that_count_badly_do_not_hide_a_call(pieces: list[dict[str, Any]]) -> None:
    with Server(Answer(sse(*map(calls, pieces)))) as server:
        reply = got(openai(server.url, stream=True))
    assert [call.arguments for call in reply.tools] == [{}, {}]


def test_a_name_that_is_repeated_with_each_piece_is_one_call() -> None:
    pieces = [{"index": 0, "id": "1", "function": {"name": "a", "arguments": piece}} for piece in ('{"n"', ": 1}")]
    with Server(Answer(sse(*map(calls, pieces)))) as server:
        assert got(openai(server.url, stream=True)).tools == (ToolCall("a", {"n": 1}),)


def test_a_stream_that_is_cut_anywhere_is_never_a_reply() -> None:
    data = sse(said("é"), chunk(finish="stop"))
    answers = [Answer(chunks=(data[:length],), then="cut") for length in range(len(data))]
    with Server(*answers) as server:
        outcomes = ask(openai(server.url, stream=True), *[talk() for _ in answers])
    for outcome in outcomes:
        assert isinstance(outcome, Failure)
        assert outcome.kind == "cut_stream"
        assert outcome.partial
        assert (outcome.partial.text in ("", "é"), outcome.partial.cut) == (True, True)


def test_an_endless_stream_keeps_words_and_calls() -> None:
    events = sse(said("leak"), calls({"index": 0, "function": {"name": "mail", "arguments": '{"to": "x'}}), end=None)
    with Server(Answer(chunks=(events,), then="hang")) as server:
        failure = failed(openai(server.url, around(call_seconds=0.4), stream=True))
        assert server.gone.wait(20)
    assert (failure.kind, failure.retry) == ("timeout", "restart")
    assert failure.partial == Reply("leak", (ToolCall("mail", '{"to": "x'),), model="small-2026", cut=True)


@pytest.mark.parametrize(
    ("event", "kind", "retry"),
    [
        ({"error": {"message": "boom", "type": "server_error", "code": None}}, "http_error", "restart"),
        (
            {
                "error": {"message": "boom", "code": 502},
                "choices": [{"delta": {"content": ""}, "finish_reason": "error"}],
            },
            "http_error",
            "restart",
        ),
        ({"error": {"message": "slow down", "type": "rate_limit_error"}}, "rate_limited", "restart"),
        ({"error": {"message": "no", "code": "insufficient_quota"}}, "quota", "no"),
        ({"error": {"message": "no", "code": "content_filter"}}, "blocked", "no"),
        ({"object": "error", "message": "too long", "code": 400}, "bad_request", "no"),
        ({"choices": [{"delta": {}, "error": {"message": "gone", "code": 504}}]}, "http_error", "restart"),
        ({"choices": [{"delta": {"content": {"a": 1}}}]}, "malformed", "no"),
        (chunk(finish="content_filter"), "blocked", "no"),
    ],
)
def test_an_error_in_the_middle_keeps_what_was_received(event: Any, kind: str, retry: str) -> None:
    with Server(Answer(sse(said("so far"), event))) as server:
        failure = failed(openai(server.url, stream=True))
    assert (failure.kind, failure.retry) == (kind, retry)
    assert failure.partial
    assert (failure.partial.text, failure.partial.cut) == ("so far", True)


def test_an_error_before_the_first_word_may_be_sent_again() -> None:
    with Server(Answer(sse({"error": {"message": "busy", "type": "overloaded_error"}}))) as server:
        assert failed(openai(server.url, stream=True)).retry == "resend"
