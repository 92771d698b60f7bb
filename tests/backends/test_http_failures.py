"""Every way in which a call can fail, over a real socket: kind, retry, wait, and what the detail says."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import aiohttp
import pytest

from guardgate.backends.client import lost
from guardgate.backends.outcomes import retry_after
from guardgate.record import KINDS, Failure
from tests.support.calls import around, ask, failed, http, talk
from tests.support.server import Answer, Server, free_port

STATELESS = {"m": "{messages}"}
STATEFUL = {"m": "{turn}", "s": "{session}"}
BOTH = {"m": "{messages}", "s": "{session}"}


@pytest.mark.parametrize(
    ("status", "kind", "retry", "fatal"),
    [
        (400, "bad_request", "no", False),
        (422, "bad_request", "no", False),
        (401, "auth", "no", True),
        (403, "auth", "no", False),
        (404, "not_found", "no", True),
        (410, "not_found", "no", True),
        (402, "quota", "no", True),
        (405, "http_error", "no", False),
        (409, "http_error", "no", False),
        (413, "http_error", "no", False),
        (418, "http_error", "no", False),
        (429, "rate_limited", "resend", False),
        (503, "http_error", "resend", False),
        (529, "http_error", "resend", False),
        (501, "http_error", "no", False),
        (505, "http_error", "no", False),
    ],
)
@pytest.mark.parametrize("request_", [STATELESS, STATEFUL])
def test_a_status_means_the_same_for_every_kind_of_request(
    status: int, kind: str, retry: str, fatal: bool, request_: dict[str, str]
) -> None:
    with Server(Answer("what it said", status=status)) as server:
        failure = failed(http(server.url, request=request_))
    assert (failure.kind, failure.retry, failure.fatal, failure.after) == (kind, retry, fatal, None)
    assert f"HTTP {status}" in failure.detail
    assert "what it said" in failure.detail
    assert ("; " in failure.detail) == (kind in ("auth", "not_found", "quota")), "what to do where that can be said"


@pytest.mark.parametrize("status", [408, 500, 502, 504, 520, 524])
@pytest.mark.parametrize(
    ("request_", "turns", "retry"),
    [
        (STATELESS, ["a"], "resend"),
        (STATELESS, ["a", "b"], "resend"),
        (STATEFUL, ["a"], "restart"),
        (STATEFUL, ["a", "b"], "restart"),
        (BOTH, ["a", "b"], "restart"),
        ({"m": "{turn}"}, ["a"], "restart"),
    ],
)
def test_what_may_have_been_processed_is_resent_only_without_a_session(
    status: int, request_: dict[str, str], turns: list[str], retry: str
) -> None:
    with Server(Answer(status=status)) as server:
        failure = failed(http(server.url, request=request_), talk(*turns, replies=["r"] * (len(turns) - 1)))
    assert (failure.kind, failure.retry) == ("http_error", retry)
    assert len(server.seen) == 1


@pytest.mark.parametrize(("request_", "retry"), [(STATELESS, "resend"), (STATEFUL, "restart")])
@pytest.mark.parametrize("code", [429, 503, 500])
def test_an_error_inside_a_200_came_after_processing_began(code: int, request_: dict[str, str], retry: str) -> None:
    with Server(Answer({"error": {"code": code, "message": "not now"}})) as server:
        failure = failed(http(server.url, request=request_))
    assert (failure.kind, failure.retry) == ("rate_limited" if code == 429 else "http_error", retry)
    assert "not now" in failure.detail


def test_a_session_that_is_gone_does_not_stop_the_target() -> None:
    with Server(Answer(status=404)) as server:
        later = failed(http(server.url, request=STATEFUL), talk("a", "b", replies=["r"]))
        stateless = failed(http(server.url, request=STATELESS), talk("a", "b", replies=["r"]))
    assert (later.kind, later.retry, later.fatal) == ("not_found", "restart", False)
    assert (stateless.retry, stateless.fatal) == ("no", True)


NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("7", 7.0),
        (" 1.5 ", 1.5),
        ("0", 0.0),
        ("999999999", 999_999_999.0),
        ("-3", None),
        ("soon", None),
        ("", None),
        ("inf", None),
        ("nan", None),
        ("9" * 400, None),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        (format_datetime(NOW - timedelta(days=1), usegmt=True), 0.0),
        ("Thu, 01 Jan 2026 00:00:10", 10.0),
        ("Thu, 99 Jan 2026 00:00:10 GMT", None),
    ],
)
def test_retry_after_in_seconds_and_as_a_date(said: str, seconds: float | None) -> None:
    assert retry_after({"Retry-After": said}, NOW) == seconds


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("headers", "after"), [({"Retry-After": "7"}, 7.0), ({"retry-after-ms": "250"}, 0.25), ({}, None)]
)
def test_the_wait_that_is_asked_for_is_passed_on(status: int, headers: dict[str, str], after: float | None) -> None:
    with Server(Answer(status=status, headers=headers)) as server:
        assert failed(http(server.url)).after == after


def test_a_wait_until_a_date_is_passed_on() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    with Server(Answer(status=503, headers={"Retry-After": date})) as server:
        after = failed(http(server.url)).after
    assert after is not None
    assert 3500 < after <= 3600


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 304])
def test_a_redirect_is_never_followed(status: int) -> None:
    with (
        Server(Answer({"answer": "stolen"})) as other,
        Server(Answer(status=status, headers={"Location": other.url})) as server,
    ):
        failure = failed(http(server.url))
    assert (failure.kind, failure.retry, failure.fatal) == ("http_error", "no", False)
    assert f"HTTP {status}" in failure.detail
    assert "redirects are not followed" in failure.detail
    assert other.url in failure.detail
    assert other.seen == []


def test_the_quote_of_an_error_is_bounded_and_a_page_of_any_size_too() -> None:
    with Server(Answer(status=500, chunks=(b"<p>" + b"y" * 60_000,), then="repeat")) as server:
        failure = failed(http(server.url))
        assert server.gone.wait(20)
    assert "<p>" + "y" * 297 + "..." in failure.detail
    assert len(failure.detail) < 400


@pytest.mark.parametrize("then", ["cut", "reset"])
def test_an_error_whose_body_breaks_off_keeps_its_status(then: Any) -> None:
    with Server(Answer(status=401, chunks=(b"who are",), then=then)) as server:
        assert failed(http(server.url)).kind == "auth"


def test_nobody_listens() -> None:
    failure = failed(http(f"http://127.0.0.1:{free_port()}/", request=STATEFUL))
    assert (failure.kind, failure.retry, failure.fatal) == ("connection", "resend", False)


def test_a_name_that_does_not_resolve(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object, **__: object) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nowhere)
    failure = failed(http("http://nowhere.invalid/", request=STATEFUL))
    assert (failure.kind, failure.retry) == ("connection", "resend")
    assert "nowhere.invalid" in failure.detail


@pytest.mark.parametrize("method", ["POST", "PUT", "GET"])
@pytest.mark.parametrize(("request_", "retry"), [(STATELESS, "resend"), (STATEFUL, "restart")])
def test_a_reset_after_the_request_is_never_answered_by_sending_it_again(
    method: str, request_: dict[str, str], retry: str
) -> None:
    with Server(Answer(drop=True)) as server:
        failure = failed(http(server.url, method=method, request=request_))
    assert (failure.kind, failure.retry) == ("connection", retry)
    assert len(server.seen) == 1


@pytest.mark.parametrize("method", ["POST", "PUT", "GET"])
def test_nor_on_a_connection_that_served_before(method: str) -> None:
    with Server(Answer({"answer": "a"}), Answer(drop=True)) as server:
        outcomes = ask(http(server.url, method=method), talk(), talk())
    assert isinstance(outcomes[1], Failure)
    assert (outcomes[1].kind, len(server.seen)) == ("connection", 2)


@pytest.mark.parametrize("then", ["cut", "reset"])
def test_a_body_that_breaks_off(then: Any) -> None:
    with Server(Answer(chunks=(b'{"answer": "hi"}',), then=then)) as server:
        failure = failed(http(server.url, request=STATELESS))
    assert (failure.kind, failure.retry, failure.partial) == ("connection", "resend", None)


@pytest.mark.parametrize(
    "answer",
    [Answer(hang=True), Answer(chunks=(b'{"answer":',), then="hang"), Answer(status=500, chunks=(b"x",), then="hang")],
)
@pytest.mark.parametrize(("request_", "retry"), [(STATELESS, "resend"), (STATEFUL, "restart")])
def test_whatever_is_slow_ends_by_the_timeout_and_the_server_notices(
    answer: Answer, request_: dict[str, str], retry: str
) -> None:
    with Server(answer) as server:
        failure = failed(http(server.url, around(call_seconds=0.3), request=request_))
        assert server.gone.wait(20)
    assert (failure.kind, failure.retry, failure.partial) == ("timeout", retry, None)


def test_the_deadline_of_the_talk_counts_too() -> None:
    with Server(Answer(hang=True)) as server:
        failure = failed(http(server.url), talk(seconds=0.3))
    assert failure.kind == "timeout"


def test_without_time_left_nothing_is_sent() -> None:
    with Server(Answer({"answer": "a"})) as server:
        failure = failed(http(server.url), talk(deadline=time.monotonic() - 1))
    assert (failure.kind, failure.retry, server.seen) == ("timeout", "no", [])


def test_a_cancelled_call_is_cancelled_and_leaves_the_server() -> None:
    async def play(url: str) -> None:
        backend = http(url)
        waiting = asyncio.create_task(backend.reply(talk()))
        await asyncio.to_thread(server.busy.wait, 20)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await backend.close()

    with Server(Answer(hang=True)) as server:
        asyncio.run(play(server.url))
        assert server.gone.wait(20)


@pytest.mark.parametrize("raw", [b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 200 OK\r\nA: " + b"x" * 70_000 + b"\r\n\r\n"])
def test_what_is_not_http_is_malformed(raw: bytes) -> None:
    with Server(Answer(raw=raw)) as server:
        failure = failed(http(server.url))
    assert failure.kind == "malformed"


@pytest.mark.parametrize("raw", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{}", b"HTTP/1.1 200"])
def test_an_answer_that_stops_early_is_a_lost_connection(raw: bytes) -> None:
    with Server(Answer(raw=raw)) as server:
        failure = failed(http(server.url, request=STATELESS))
    assert (failure.kind, failure.retry) == ("connection", "resend")


def test_a_body_that_only_claims_to_be_compressed() -> None:
    with Server(Answer(b"plain text", headers={"Content-Encoding": "gzip"})) as server:
        assert failed(http(server.url)).kind == "connection"


def test_tls_with_a_server_that_has_none() -> None:
    with Server(Answer({"answer": "a"})) as server:
        failure = failed(http(server.url.replace("http", "https"), request=STATEFUL))
    assert (failure.kind, failure.retry) == ("connection", "resend")


KEY: Any = aiohttp.client_reqrep.ConnectionKey("h", 1, True, True, None, None, None)
INFO: Any = aiohttp.RequestInfo("u", "POST", {}, "u")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "kind", "retry", "fatal"),
    [
        (aiohttp.ClientConnectorCertificateError(KEY, ssl.CertificateError("self-signed")), "connection", "no", True),
        (aiohttp.ClientConnectorSSLError(KEY, ssl.SSLError("bad")), "connection", "resend", False),
        (aiohttp.ClientConnectorDNSError(KEY, OSError(1, "no name")), "connection", "resend", False),
        (aiohttp.ClientConnectorError(KEY, OSError(1, "refused")), "connection", "resend", False),
        (aiohttp.ClientProxyConnectionError(KEY, OSError(1, "refused")), "connection", "resend", False),
        (aiohttp.ClientHttpProxyError(INFO, (), status=407), "connection", "resend", False),
        (aiohttp.InvalidURL("http://127.1/", "not canonical"), "connection", "no", True),
        (aiohttp.ClientResponseError(INFO, ()), "malformed", "no", False),
        (aiohttp.ServerDisconnectedError(), "connection", "restart", False),
        (aiohttp.ClientOSError(104, "reset"), "connection", "restart", False),
        (aiohttp.ClientConnectionResetError("reset"), "connection", "restart", False),
        (aiohttp.ClientPayloadError("cut"), "connection", "restart", False),
        (OSError(5, "input/output error"), "connection", "restart", False),
    ],
)
def test_each_error_of_the_client_has_its_failure(error: Any, kind: str, retry: str, fatal: bool) -> None:
    failure = lost(error, "restart")
    assert (failure.kind, failure.retry, failure.fatal) == (kind, retry, fatal)
    assert failure.kind in KINDS
