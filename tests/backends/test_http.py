"""The http backend over a real socket: requests as the template says, replies as the paths say."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yarl import URL

from guardgate.backends.address import proxy_for
from guardgate.backends.base import MAX_REPLY_BYTES, Available
from guardgate.errors import Refused
from guardgate.record import Failure, Reply, ToolCall
from tests.backends.test_template import HOSTILE
from tests.support.calls import around, ask, failed, got, http, sse, talk
from tests.support.server import Answer, Server, free_port

OK = Answer({"answer": "hi"})


def test_the_request_is_the_filled_template() -> None:
    request = {
        "message": "{turn}", "chat": {"history": "{messages}", "id": "{session}"}, "fixed": [1, True],
        "system": "{system}", "doc": "{document}", "task": "Do: {task}", "temperature": "{temperature}",
    }  # fmt: skip
    given_talk = talk("one", "two", replies=["first"], task="sum up", params={"temperature": 0.5})
    with Server(OK) as server:
        reply = got(http(f"{server.url}/chat?v=1", request=request, headers={"X-Key": "k"}), given_talk)
    (seen,) = server.seen
    history = [("user", "one"), ("assistant", "first"), ("user", "two")]
    assert seen.json == {
        "message": "two", "fixed": [1, True], "task": "Do: sum up", "temperature": 0.5,
        "chat": {"history": [{"role": role, "content": text} for role, text in history], "id": "talk-1"},
    }  # fmt: skip
    assert (seen.method, seen.path, seen.query) == ("POST", "/chat", {"v": "1"})
    assert seen.headers["Content-Type"] == "application/json"
    assert seen.headers["X-Key"] == "k"
    assert seen.headers["User-Agent"].startswith("guardgate/")
    assert reply.text == "hi"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("hi", "hi"),
        ("", ""),
        (None, ""),
        (0, "0"),
        (False, "false"),
        ({"a": [1]}, '{"a":[1]}'),
        ("{}", "{}"),
        ([], "[]"),
    ],
)
def test_whatever_stands_at_the_path_is_text(value: Any, text: str) -> None:
    with Server(Answer({"answer": value})) as server:
        assert got(http(server.url)).text == text


@pytest.mark.parametrize(
    ("path", "body", "text"),
    [
        ("$", "just text", "just text"),
        ("$", '{"a": 1}', '{"a": 1}'),
        ("$.content[*].text", {"content": [{"text": "a"}, {"type": "image"}, {"text": "b"}]}, "ab"),
        ("$[0].answer", [{"answer": "x"}], "x"),
    ],
)
def test_paths_of_many_kinds(path: str, body: Any, text: str) -> None:
    with Server(Answer(json.dumps(body))) as server:
        assert got(http(server.url, reply=path)).text == text


def test_a_wrong_content_type_a_byte_order_mark_and_broken_utf8_do_not_matter() -> None:
    body = b'\xef\xbb\xbf{"answer": "caf\xe9 \xc3\xa9"}'
    with Server(Answer(body, headers={"Content-Type": "text/html; charset=latin-1"})) as server:
        assert got(http(server.url)).text == "caf\ufffd é"


@pytest.mark.parametrize("body", ["", "<html><h1>Sorry</h1></html>", "hello", '{"answer": "hi"', "[" * 200 + "]" * 200])
def test_a_body_that_is_not_json_is_malformed_and_quoted(body: str) -> None:
    with Server(Answer(body)) as server:
        failure = failed(http(server.url))
    assert (failure.kind, failure.retry, failure.fatal) == ("malformed", "no", False)
    assert (body or "an empty body")[:200] in failure.detail


def test_the_quote_of_a_page_is_cut_after_200_characters() -> None:
    with Server(Answer("<html>" + "x" * 5000)) as server:
        detail = failed(http(server.url)).detail
    assert "<html>" + "x" * 194 + "..." in detail
    assert len(detail) < 300


@pytest.mark.parametrize("body", [{"reply": "hi"}, [], "text", '{"answer": "inside a text"}', 3, None, {}])
def test_nothing_at_the_path_says_what_was_found_and_expected(body: Any) -> None:
    with Server(Answer(json.dumps(body))) as server:
        failure = failed(http(server.url))
    assert failure.kind == "malformed"
    assert "nothing at $.answer" in failure.detail
    assert json.dumps(body) in failure.detail


def test_numbers_that_no_json_file_can_hold_become_text() -> None:
    body = '{"answer": NaN, "state": [Infinity, 1e999, 1.5]}'
    with Server(Answer(body)) as server:
        reply = got(http(server.url, state="$.state"))
    assert (reply.text, reply.state) == ("NaN", ["Infinity", "1e999", 1.5])
    with Server(Answer('{"answer": ' + "9" * 5000 + "}")) as server:
        assert failed(http(server.url)).kind == "malformed"


def test_tools_and_state_are_read_from_the_body() -> None:
    trace = [
        {"tool": "search", "input": {"q": "x"}, "out": "found"},
        {"tool": "mail", "input": '{"to": "a"}'},
        {"tool": "end"},
    ]
    paths = {"path": "$.trace", "name": "tool", "arguments": "input", "result": "out"}
    with Server(Answer({"answer": "", "trace": trace, "state": {"outbox": []}})) as server:
        reply = got(http(server.url, tool_calls=paths, state="$.state"))
    assert reply.tools == (ToolCall("search", {"q": "x"}, "found"), ToolCall("mail", {"to": "a"}), ToolCall("end"))
    assert reply.state == {"outbox": []}


def test_without_a_path_to_tools_the_reply_says_that_it_shows_none() -> None:
    with Server(OK) as server:
        shown, hidden = http(server.url, tool_calls={"path": "$.t"}), http(server.url)
        assert (got(shown).traced, got(hidden).traced) == (True, False)


def test_a_path_into_each_call_works_and_no_call_is_no_call() -> None:
    body = {"answer": "a", "calls": [{"function": {"name": "f", "arguments": "no json"}}]}
    with Server(Answer(body), Answer({"answer": "a"}), Answer({"answer": "a", "calls": None})) as server:
        backend = http(server.url, tool_calls={"path": "$.calls[*].function"})
        tools = [outcome.tools for outcome in ask(backend, talk(), talk()) if isinstance(outcome, Reply)]
    assert tools == [(ToolCall("f", "no json"),), ()]


@pytest.mark.parametrize("entry", [{"tool": "x"}, "x", {"name": 3}, {}])
def test_a_call_that_cannot_be_read_is_malformed_not_absent(entry: Any) -> None:
    with Server(Answer({"answer": "a", "trace": [entry]})) as server:
        failure = failed(http(server.url, tool_calls={"path": "$.trace"}))
    assert failure.kind == "malformed"
    assert "tool_calls.name" in failure.detail
    assert failure.partial == Reply("a", cut=True)


def test_get_puts_the_request_into_the_query() -> None:
    with Server(OK) as server:
        request = {"q": "{turn}", "n": "{n}", "none": "{system}"}
        got(http(f"{server.url}/?a=1", method="GET", request=request), talk("a&b=ü \ud800", params={"n": 2}))
    assert (server.seen[0].method, server.seen[0].query, server.seen[0].body) == (
        "GET",
        {"a": "1", "q": "a&b=ü ?", "n": "2"},
        b"",
    )


def test_params_of_the_target_are_replaced_by_those_of_the_talk() -> None:
    with Server(OK) as server:
        backend = http(server.url, request={"m": "{turn}", "a": "{a}", "b": "{b}"}, params={"a": 1, "b": 1})
        got(backend, talk(params={"b": 2}))
    assert server.seen[0].json == {"m": "hello", "a": 1, "b": 2}


def test_a_param_without_a_place_is_refused_before_any_call() -> None:
    with Server(OK) as server:
        failure = failed(http(server.url), talk(params={"temperature": 1}))
        unavailable = asyncio.run(http(server.url, params={"temperature": 1}).available())
    assert isinstance(unavailable, Failure)
    assert failure.kind == unavailable.kind == "unavailable"
    assert "{temperature}" in failure.detail
    assert server.seen == []


def test_a_placeholder_that_nothing_fills_is_refused_before_any_call() -> None:
    with Server(OK) as server:
        failure = failed(http(server.url, request={"m": "{turn}", "x": "{style}"}))
    assert (failure.kind, server.seen) == ("unavailable", [])
    assert "{style}" in failure.detail


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turn=st.text() | st.sampled_from(HOSTILE))
def test_hostile_text_arrives_unchanged_and_changes_nothing_else(server: Server, turn: str) -> None:
    request = {"a": "{turn}", "b": "say: {turn}", "c": "{messages}", "d": "{session}"}
    got(http(server.url, request=request), talk(turn))
    messages = [{"role": "user", "content": turn}]
    assert server.seen[-1].json == {"a": turn, "b": f"say: {turn}", "c": messages, "d": "talk-1"}


@pytest.fixture(scope="module")
def server() -> Any:
    with Server(OK) as running:
        yield running


def test_gzip_is_read_and_a_small_body_that_unfolds_into_a_huge_one_is_not() -> None:
    small = gzip.compress(b'{"answer": "hi"}')
    bomb = gzip.compress(b'{"answer": "' + b"x" * (64 * 1024 * 1024) + b'"}')
    packed = {"Content-Encoding": "gzip"}
    with Server(Answer(small, headers=packed), Answer(bomb, headers=packed)) as server:
        first, second = ask(http(server.url), talk(), talk())
    assert isinstance(first, Reply)
    assert first.text == "hi"
    assert isinstance(second, Failure)
    assert second.kind == "too_large"


@pytest.mark.parametrize("then", ["end", "repeat"])
def test_a_huge_body_is_not_read_to_its_end(then: Any) -> None:
    chunks = (b'{"answer": "', *([b"x" * 1024 * 1024] * 20), b'"}')
    with Server(Answer(chunks=chunks, then=then)) as server:
        failure = failed(http(server.url))
        assert server.gone.wait(20)
    assert (failure.kind, failure.retry, failure.partial) == ("too_large", "no", None)
    assert str(MAX_REPLY_BYTES) in failure.detail


def test_a_body_of_just_the_limit_is_read() -> None:
    text = "x" * (MAX_REPLY_BYTES - len('{"answer":""}'))
    with Server(Answer(f'{{"answer":"{text}"}}')) as server:
        assert got(http(server.url)).text == text


def test_a_large_request_is_sent() -> None:
    document = "ü" * 2_000_000
    with Server(OK) as server:
        got(http(server.url, request={"d": "{document}"}), talk(document=document))
    assert server.seen[0].json == {"d": document}


def test_cookies_of_one_talk_never_reach_another() -> None:
    with Server(Answer({"answer": "hi"}, headers={"Set-Cookie": "sid=1; Path=/"})) as server:
        ask(http(server.url), talk(), talk(id="talk-2"))
    assert ["Cookie" in seen.headers for seen in server.seen] == [False, False]


def test_available_only_looks_whether_something_listens() -> None:
    with Server(OK) as server:
        assert asyncio.run(http(server.url).available()) == Available()
    assert server.seen == []
    gone = asyncio.run(http(f"http://127.0.0.1:{free_port()}/").available())
    assert isinstance(gone, Failure)
    assert gone.kind == "unavailable"
    assert "nothing listens at 127.0.0.1:" in gone.detail


@pytest.mark.parametrize(
    "url",
    [
        "/chat",
        "ftp://127.0.0.1/",
        "http://",
        "http:///x",
        "chat",
        "http://a:b:c",
        "https://[1",
        "http://a..b/",
        f"http://{'a' * 64}/",
    ],
)
def test_an_address_that_is_none_makes_it_unavailable(url: str) -> None:
    available = asyncio.run(http(url).available())
    assert isinstance(available, Failure)
    assert repr(url) in available.detail
    assert failed(http(url)).kind == available.kind == "unavailable"


def test_a_secret_with_a_newline_in_a_header_is_named_but_not_shown() -> None:
    with Server(OK) as server:
        failure = failed(http(server.url, headers={"Authorization": "Bearer hush\n"}))
    assert failure.kind == "unavailable"
    assert "'Authorization'" in failure.detail
    assert "hush" not in failure.detail


def test_a_path_that_is_none_is_refused() -> None:
    with pytest.raises(Refused, match=r"targets\.bot\.reply"):
        http("http://127.0.0.1/", reply="$.[")


def test_a_proxy_of_the_environment_gets_the_request_except_for_this_machine() -> None:
    with Server(OK) as proxy, Server(OK) as direct:
        environ = {"http_proxy": proxy.url}
        assert got(http("http://target.invalid/chat", around(environ=environ))).text == "hi"
        assert got(http(direct.url, around(environ=environ))).text == "hi"
    assert [seen.headers["Host"] for seen in proxy.seen] == ["target.invalid"]
    assert len(direct.seen) == 1


@pytest.mark.parametrize(
    ("url", "environ", "proxy"),
    [
        ("http://a.example/", {"HTTP_PROXY": "proxy:3128"}, "http://proxy:3128"),
        ("https://a.example/", {"HTTP_PROXY": "http://proxy:3128"}, None),
        ("https://a.example/", {"https_proxy": "http://one:1", "HTTPS_PROXY": "http://two:2"}, "http://one:1"),
        ("https://a.example/", {"https_proxy": "http://one:1", "no_proxy": "b.example"}, "http://one:1"),
        ("https://a.example/", {"https_proxy": "http://one:1", "NO_PROXY": "b.example, .example"}, None),
        ("https://a.example/", {"https_proxy": "http://one:1", "no_proxy": "A.example"}, None),
        ("https://ba.example/", {"https_proxy": "http://one:1", "no_proxy": "a.example,"}, "http://one:1"),
        ("https://a.example/", {"https_proxy": "http://one:1", "no_proxy": "*"}, None),
        ("http://localhost:1/", {"http_proxy": "http://one:1"}, None),
        ("http://[::1]:1/", {"http_proxy": "http://one:1"}, None),
    ],
)
def test_which_proxy_an_address_gets(url: str, environ: dict[str, str], proxy: str | None) -> None:
    assert proxy_for(URL(url), environ) == (URL(proxy) if proxy else None)


def test_a_proxy_that_is_no_http_address_is_named() -> None:
    failure = failed(http("http://target.invalid/", around(environ={"HTTP_PROXY": "socks5://127.0.0.1:1"})))
    assert "socks5://127.0.0.1:1" in failure.detail


@pytest.mark.parametrize(
    ("error", "said"),
    [("model_unavailable", "model_unavailable"), ({"message": "no model"}, "no model"), (True, "true"), ([1], "[1]")],
)
@pytest.mark.parametrize("settings_", [{}, {"error": "$.error"}])
def test_an_error_beside_the_text_is_a_failure_that_keeps_the_text(
    error: Any, said: str, settings_: dict[str, Any]
) -> None:
    with Server(Answer({"answer": "Your secret is safe.", "error": error})) as server:
        failure = failed(http(server.url, **settings_))
    assert failure.kind == "http_error"
    assert settings_ == {} or said in failure.detail
    assert failure.partial is not None
    assert (failure.partial.text, failure.partial.cut) == ("Your secret is safe.", True)


@pytest.mark.parametrize("error", [None, False, 0, "", {}, "none", "OK", {"code": 0, "message": "success"}])
@pytest.mark.parametrize("settings_", [{}, {"error": "$.error"}])
def test_an_error_without_content_is_no_failure(error: Any, settings_: dict[str, Any]) -> None:
    with Server(Answer({"answer": "hi", "error": error})) as server:
        assert got(http(server.url, **settings_)).text == "hi"


def test_where_the_error_stands_is_for_the_target_to_say() -> None:
    odd = {"answer": "hi", "error": "margin of 3 %", "status": {"problem": None}}
    with Server(Answer(odd)) as server:
        assert got(http(server.url, error="$.status.problem")).text == "hi"
    bad = {"answer": "Sorry!", "status": {"problem": "no model", "code": "insufficient_quota"}}
    with Server(Answer(bad)) as server:
        failure = failed(http(server.url, error="$.status.problem"))
        whole = failed(http(server.url, error="$.status"))
    assert (failure.kind, failure.fatal) == ("http_error", False)
    assert "no model" in failure.detail
    assert (whole.kind, whole.fatal) == ("quota", True)


def test_an_error_in_one_event_of_a_stream_ends_it() -> None:
    body = sse({"answer": "He"}, {"answer": "llo", "problem": "lost the model"})
    with Server(Answer(body)) as server:
        stream = {"format": "sse", "end": "[DONE]"}
        failure = failed(http(server.url, error="$.problem", stream=stream))
    assert "lost the model" in failure.detail
    assert failure.partial is not None
    assert failure.partial.text == "Hello"
