"""The openai backend over a real socket: what is sent, and what a whole answer means."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from guardgate.backends.base import Available
from guardgate.record import Failure, Reply, ToolCall, Usage
from tests.support.calls import around, ask, failed, got, openai, talk
from tests.support.server import Answer, Server, free_port


def message(content: Any, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": content, **more}
    return {
        "object": "chat.completion",
        "model": "small-2026",
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
    }


OK = Answer(message("hi"))


def test_what_is_sent() -> None:
    one = talk("one", "two", replies=["first"], system="Be kind.")
    with Server(OK) as server:
        reply = got(openai(f"{server.url}/v1/", api_key="sk-1"), one)
    (seen,) = server.seen
    assert (seen.method, seen.path) == ("POST", "/v1/chat/completions")
    assert seen.headers["Authorization"] == "Bearer sk-1"
    assert seen.json == {
        "model": "small",
        "temperature": 0,
        "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "first"},
            {"role": "user", "content": "two"},
        ],
    }
    assert (reply.text, reply.model, reply.usage, reply.tools, reply.cut) == ("hi", "small-2026", None, (), False)


def test_params_are_passed_on_and_null_takes_the_default_away() -> None:
    with Server(OK) as server:
        backend = openai(server.url, params={"seed": 1, "top_p": 0.5})
        got(
            backend,
            talk(params={"model": "other", "seed": 2, "temperature": None, "system": "file.md", "stream": True}),
        )
        got(backend, talk(params={"temperature": 1}))
    assert "Authorization" not in server.seen[0].headers
    hello = [{"role": "user", "content": "hello"}]
    assert server.seen[0].json == {"model": "other", "seed": 2, "top_p": 0.5, "messages": hello}
    assert server.seen[1].json == {"model": "small", "seed": 1, "top_p": 0.5, "temperature": 1, "messages": hello}


def test_a_query_in_the_address_is_kept() -> None:
    with Server(OK) as server:
        got(openai(f"{server.url}/openai/deployments/x?api-version=1"))
    assert (server.seen[0].path, server.seen[0].query) == (
        "/openai/deployments/x/chat/completions",
        {"api-version": "1"},
    )


def test_any_text_is_sent_as_it_is() -> None:
    text = "{turn} \ud800 \x00 \u2028 \U0001f600"
    with Server(OK) as server:
        got(openai(server.url), talk(text))
    assert server.seen[0].json["messages"] == [{"role": "user", "content": text}]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({"content": ""}, ""),
        ({"content": None}, ""),
        ({}, ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}, "ab"),
        ({"content": None, "refusal": "I cannot."}, "I cannot."),
        ({"content": "said", "refusal": None}, "said"),
    ],
)
def test_texts_of_many_shapes(said: dict[str, Any], text: str) -> None:
    with Server(Answer({"choices": [{"message": said, "finish_reason": "stop"}]})) as server:
        assert got(openai(server.url)).text == text


def test_a_reply_that_ran_into_its_length_is_a_reply() -> None:
    with Server(Answer(message("half a", "length"))) as server:
        assert got(openai(server.url)).text == "half a"


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [('{"to": "a"}', {"to": "a"}), ("", {}), ("{oops", "{oops"), ({"to": "a"}, {"to": "a"}), (None, {}), ("[1]", [1])],
)
def test_arguments_of_tool_calls(arguments: Any, wanted: Any) -> None:
    calls = [{"id": "1", "type": "function", "function": {"name": "mail", "arguments": arguments}}]
    with Server(Answer(message(None, "tool_calls", tool_calls=calls))) as server:
        reply = got(openai(server.url))
    assert (reply.text, reply.tools, reply.traced) == ("", (ToolCall("mail", wanted),), True)


def test_each_call_counts_also_two_of_a_kind_and_the_old_form() -> None:
    calls = [{"id": n, "function": {"name": "f", "arguments": f'{{"n": {n}}}'}} for n in (1, 2)]
    without_ids = [{"function": {"name": "f", "arguments": "{}"}}] * 2
    answers = [
        message("", tool_calls=calls),
        message("", tool_calls=without_ids),
        message("", function_call={"name": "g"}),
    ]
    with Server(*map(Answer, answers)) as server:
        tools = [reply.tools for reply in ask(openai(server.url), talk(), talk(), talk()) if isinstance(reply, Reply)]
    assert tools == [(ToolCall("f", {"n": 1}), ToolCall("f", {"n": 2})), (ToolCall("f", {}),) * 2, (ToolCall("g", {}),)]


@pytest.mark.parametrize("calls", [{"name": "f"}, [3], [{"name": "f"}], "f", 7])
def test_calls_that_cannot_be_read_are_malformed_not_absent(calls: Any) -> None:
    with Server(Answer(message("text", tool_calls=calls))) as server:
        failure = failed(openai(server.url))
    assert failure.kind == "malformed"
    assert failure.partial
    assert failure.partial.text == "text"


@pytest.mark.parametrize(
    ("usage", "wanted"),
    [
        ({"prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500}, Usage(1000, 500, 0.0015)),
        ({"prompt_tokens": 10}, Usage(10, None, None)),
        ({"prompt_tokens": -1, "completion_tokens": True}, None),
        ({}, None),
        ("many", None),
        (None, None),
    ],
)
def test_usage_and_its_price(usage: Any, wanted: Usage | None) -> None:
    with Server(Answer({**message("hi"), "usage": usage})) as server:
        assert got(openai(server.url, price={"input": 0.5, "output": 2.0})).usage == wanted


def test_usage_without_a_price_costs_nobody_knows_what() -> None:
    with Server(Answer({**message("hi"), "usage": {"prompt_tokens": 1, "completion_tokens": 2}})) as server:
        assert got(openai(server.url)).usage == Usage(1, 2, None)


@pytest.mark.parametrize("finish", ["content_filter", "SAFETY", "PROHIBITED_CONTENT"])
@pytest.mark.parametrize("content", [None, "", "I will tell"])
def test_a_filtered_reply_is_blocked_with_what_was_received(finish: str, content: str | None) -> None:
    with Server(Answer(message(content, finish))) as server:
        failure = failed(openai(server.url))
    assert (failure.kind, failure.retry, failure.fatal) == ("blocked", "no", False)
    assert failure.partial
    assert (failure.partial.text, failure.partial.cut) == (content or "", True)


@pytest.mark.parametrize("finish", ["error", "abort", "insufficient_system_resource"])
def test_a_reply_that_the_server_gave_up_is_none(finish: str) -> None:
    with Server(Answer(message("half", finish))) as server:
        failure = failed(openai(server.url))
    assert failure.kind == "http_error"
    assert finish in failure.detail


@pytest.mark.parametrize(
    "body", [{}, {"choices": []}, {"choices": None}, {"choices": ["x"]}, [], "text", None, {"answer": "hi"}]
)
def test_an_answer_without_choices_is_malformed(body: Any) -> None:
    with Server(Answer(body if body != "text" else '"text"')) as server:
        failure = failed(openai(server.url))
    assert failure.kind == "malformed"
    assert "choices" in failure.detail


@pytest.mark.parametrize("said", ["text", [1], 3])
def test_a_message_that_is_none_is_malformed(said: Any) -> None:
    with Server(Answer({"choices": [{"message": said}]}), Answer(message(said if said == 3 else {"a": 1}))) as server:
        outcomes = ask(openai(server.url), talk(), talk())
    assert [one.kind for one in outcomes if isinstance(one, Failure)] == ["malformed", "malformed"]


def test_without_an_address_it_is_unavailable_and_nothing_is_sent() -> None:
    backend = openai(None)
    available = asyncio.run(backend.available())
    assert available == failed(backend)
    assert isinstance(available, Failure)
    assert available.kind == "unavailable"
    assert available.detail.startswith("no base_url is set")


@pytest.mark.parametrize("url", ["127.0.0.1:8000/v1", "/v1", "localhost", "http://"])
def test_an_address_that_is_none_is_unavailable(url: str) -> None:
    available = asyncio.run(openai(url).available())
    assert isinstance(available, Failure)
    assert available.kind == "unavailable"
    assert "no address" in available.detail


def test_a_user_in_the_address_and_a_key_are_one_too_many() -> None:
    one = openai("http://user:password-1@127.0.0.1:9/v1", api_key="key-of-a-test")
    for outcome in (asyncio.run(one.available()), asyncio.run(one.reply(talk("hello")))):
        assert isinstance(outcome, Failure)
        assert outcome.kind == "unavailable"
        assert "take one of them away" in outcome.detail
        assert "password-1" not in outcome.detail


def test_available_makes_no_call() -> None:
    with Server(OK) as server:
        assert asyncio.run(openai(server.url).available()) == Available()
        assert server.seen == []
    gone = asyncio.run(openai(f"http://127.0.0.1:{free_port()}/v1").available())
    assert isinstance(gone, Failure)
    assert gone.kind == "unavailable"


def test_a_call_can_always_be_sent_again() -> None:
    with Server(Answer(drop=True), Answer(status=500), Answer(hang=True)) as server:
        backend = openai(server.url, around(call_seconds=0.4))
        outcomes = ask(backend, talk("a", "b", replies=["r"]), talk(), talk())
    assert [(one.kind, one.retry) for one in outcomes if isinstance(one, Failure)] == [
        ("connection", "resend"), ("http_error", "resend"), ("timeout", "resend"),
    ]  # fmt: skip
    assert asyncio.run(openai(server.url).forget("talk-1")) is None
