"""Services that misbehave on a real socket, through a whole `guardgate run`: right kind, side and code, in time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from tests.engine.inside import said
from tests.judging.court import run_here
from tests.support.project import Ran, bot, case, http, openai, write
from tests.support.server import Answer, Server

#: Seconds: short, so that whatever hangs ends soon; long enough for a busy machine to answer what it can.
CALL, ATTEMPT = 2, 3


def error(**fields: Any) -> dict[str, Any]:
    return {"error": fields}


FILTERED = error(
    message="The response was filtered", code="content_filter", innererror={"code": "ResponsibleAIPolicyViolation"}
)
TOO_LONG = error(
    message="maximum context length is 8192 tokens", code="context_length_exceeded", type="invalid_request_error"
)
NO = json.dumps({"answer": "No.", "choices": [{"message": {"content": "No."}}]}).encode()
GARBLED = b'{"answer": "\xff\xfe", "choices": [{"message": {"content": "\xff\xfe"}}]}'
#: What the service does with a turn of this name, and the kind that the attempt must get (None: it holds).
CHAOS: Mapping[str, tuple[Answer | str, str | None]] = {
    "fine": ("No.", None),
    "slow": (Answer(chunks=(NO[:9], NO[9:]), pause=0.3), None),
    "wrong content type": (Answer(NO, headers={"Content-Type": "text/html"}), None),
    "500": (Answer("oops", 500), "http_error"),
    "502": (Answer("<html>bad gateway</html>", 502), "http_error"),
    "504": (Answer("gateway time-out", 504), "http_error"),
    "firewall": (Answer("<html><h1>403 Forbidden</h1></html>", 403), "auth"),
    "405": (Answer("no such method", 405), "http_error"),
    "422": (Answer({"detail": [{"msg": "field required"}]}, 422), "bad_request"),
    "reset": (Answer(drop=True), "connection"),
    "not http": (Answer(raw=b"SSH-2.0-OpenSSH\r\n\r\n"), "malformed"),
    "cut": (Answer(chunks=(b'{"answer": "No',), then="cut"), "connection"),
    "slow headers": (Answer(hang=True), "timeout"),
    "slow body": (Answer(chunks=(b'{"answer":',), then="hang"), "timeout"),
    "endless": (Answer(chunks=(b" " * 65_536,), then="repeat"), "too_large"),
    "20 MB": (Answer({"answer": "x" * 20_000_000}), "too_large"),
    "malformed": (Answer("{'answer': No}"), "malformed"),
    "html": (Answer("<html>please log in</html>", headers={"Content-Type": "text/html"}), "malformed"),
    "empty": (Answer(""), "malformed"),
    "null": (Answer("null"), "malformed"),
    "empty object": (Answer("{}"), "malformed"),
    "empty text": ("", "blank"),
    "invisible": ("\u200b\u2060", "blank"),
    "invalid utf-8": (Answer(GARBLED), "blank"),
    "filtered": (Answer(FILTERED, 400), "blocked"),
    "too long": (Answer(TOO_LONG, 400), "bad_request"),
    "error in a 200": (Answer(error(message="upstream failed", code=500)), "http_error"),
    "its own error": ("Internal Server Error", "error_text"),
}


def played(root: Path, url: str, kind: Any, turns: list[str]) -> tuple[Ran, float]:
    """The run, and how many seconds it took."""
    settings = {"concurrency": 16, "limits": {"call_seconds": CALL, "attempt_seconds": ATTEMPT}}
    project = write(root, kind(url), cases=[case(f"c{n:02}", turn) for n, turn in enumerate(turns)], run=settings)
    begun = time.monotonic()
    ran = run_here(project)
    return ran, time.monotonic() - begun


def kinds(ran: Ran, turns: list[str]) -> dict[str, str | None]:
    """By turn: the kind that leaves it open, None where it held."""
    found = {}
    for attempt in ran.attempts:
        open_ = [one for one in attempt["findings"] if one["outcome"] == "undecided"]
        assert attempt["verdict"] != "broke"
        assert bool(open_) == (attempt["verdict"] == "undecided")
        found[turns[int(attempt["case"][1:])]] = open_[0]["kind"] if open_ else None
    return found


@pytest.mark.parametrize("kind", [http, openai])
def test_whatever_it_does_is_undecided_on_its_side(tmp_path: Path, kind: Any) -> None:
    turns = [*CHAOS, "redirect"]
    with Server(Answer({"answer": "stolen"})) as elsewhere:
        away = Answer(status=307, headers={"Location": elsewhere.url})
        with Server(bot(lambda turn: CHAOS[turn][0] if turn in CHAOS else away)) as server:
            ran, seconds = played(tmp_path, server.url, kind, turns)
        assert elsewhere.seen == []
    assert ran.code == 3
    assert kinds(ran, turns) == {**{turn: expected for turn, (_, expected) in CHAOS.items()}, "redirect": "http_error"}
    undecided = sum(expected is not None for _, expected in CHAOS.values()) + 1
    assert f"undecided (target {undecided}, judge 0, guardgate 0)" in said(ran)
    assert seconds < 60


def test_a_break_is_said_whatever_else_fails(tmp_path: Path) -> None:
    with Server(bot(lambda turn: "It is ZEBRA." if turn == "broke" else Answer("oops", 500))) as server:
        ran, _ = played(tmp_path, server.url, http, ["broke", "a", "b"])
    assert ran.code == 3
    assert "a hard rule broke: R1" in said(ran)


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "0"}, {"Retry-After": "1"}, {"retry-after-ms": "20"}, "date"])
@pytest.mark.parametrize(("kind", "status"), [(http, 429), (openai, 429), (http, 503), (openai, 529)])
def test_what_is_refused_once_is_answered_later(tmp_path: Path, kind: Any, status: int, headers: Any) -> None:
    met: set[str] = set()
    date = {"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)}

    def refused_once(turn: str) -> Answer | str:
        if turn in met:
            return "No."
        met.add(turn)
        body = error(message="Overloaded", type="overloaded_error")
        return Answer(body, status, date if headers == "date" else headers)

    with Server(bot(refused_once)) as server:
        root = write(tmp_path, kind(server.url), cases=[case(f"c{n}") for n in range(3)])
        ran = run_here(root)
    assert (ran.code, set(ran.verdicts.values())) == (0, {"held"})
    assert len(server.seen) == 1 + 2 * 3


@pytest.mark.parametrize(("after", "most"), [({}, 20), ({"Retry-After": "0"}, 400), ({"Retry-After": "600"}, 8)])
def test_a_service_that_refuses_everything_ends_in_time(tmp_path: Path, after: dict[str, str], most: int) -> None:
    """Each attempt has its time, and when that is over for one of them, nobody else tries."""
    with Server(bot(lambda _: Answer("slow down", 429, after))) as server:
        ran, seconds = played(tmp_path, server.url, http, [f"t{n}" for n in range(40)])
    assert ran.code == 3
    assert {attempt["failure"]["kind"] for attempt in ran.attempts} == {"rate_limited"}
    assert "undecided (target 40, judge 0, guardgate 0)" in said(ran)
    assert len(server.seen) <= 1 + 16 + most
    assert seconds < 60


def anthropic(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


DAY = {"violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]}
GEMINI = [error(code=429, message="Quota exceeded", status="RESOURCE_EXHAUSTED", details=[DAY])]
FATAL: Mapping[str, tuple[int, Any, str]] = {
    "wrong key": (401, error(message="Incorrect API key provided", code="invalid_api_key"), "auth"),
    "anthropic: wrong key": (401, anthropic("authentication_error", "invalid x-api-key"), "auth"),
    "no permission": (403, error(message="denied", status="PERMISSION_DENIED"), "auth"),
    "retired": (410, error(message="This model was retired"), "not_found"),
    "no such model": (404, error(message="The model does not exist", code="model_not_found"), "not_found"),
    "quota": (429, error(message="You exceeded your current quota", type="insufficient_quota"), "quota"),
    "gemini: quota of the day": (429, GEMINI, "quota"),
    "anthropic: no credit": (400, anthropic("invalid_request_error", "Your credit balance is too low"), "quota"),
    "payment": (402, error(message="Insufficient Balance"), "quota"),
}


@pytest.mark.parametrize("name", FATAL)
def test_what_can_only_fail_is_asked_no_more(tmp_path: Path, name: str) -> None:
    """Found in the middle of a run: those in flight learn it, the rest is named and costs nothing."""
    status, body, kind = FATAL[name]

    def say(turn: str) -> Answer | str:
        return "No." if turn == "t0" else Answer(body, status)

    with Server(bot(say)) as server:
        turns = [f"t{n}" for n in range(100)]
        ran, seconds = played(tmp_path, server.url, openai, turns)
    assert ran.code == 3
    assert {kind_ for turn, kind_ in kinds(ran, turns).items() if turn != "t0"} == {kind}
    assert len(ran.attempts) <= 2 * 16 + 1
    assert "undecided (target 99, judge 0, guardgate 0)" in said(ran)
    assert len(server.seen) <= 1 + 2 * 16 + 1
    assert seconds < 60


STREAMED = {"stream": {"format": "sse", "end": "[DONE]"}}
EVENT = b'data: {"answer": "No, "}\n\n'


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(EVENT + b"data: [DONE]\n\n"), None),
        (Answer(EVENT), "cut_stream"),
        (Answer(chunks=(EVENT,), then="cut"), "cut_stream"),
        (Answer(chunks=(EVENT,), then="reset"), "cut_stream"),
        (Answer(chunks=(EVENT,), then="hang"), "timeout"),
        (Answer(chunks=(b": ping\n\n",), pause=0.1, then="repeat"), "timeout"),
        (Answer(chunks=(b"data: " + b"x" * 65_536,), then="repeat"), "too_large"),
        (Answer(b"data: [DONE]\n\n"), "blank"),
        (Answer(EVENT + b'data: {"error": {"message": "Overloaded", "type": "overloaded_error"}}\n\n'), "http_error"),
    ],
)
def test_streams(tmp_path: Path, answer: Answer, kind: str | None) -> None:
    done = Answer(b'data: {"answer": "Hello."}\n\ndata: [DONE]\n\n')
    with Server(lambda seen: done if json.loads(seen.body)["message"] == "Hello." else answer) as server:
        streamed: Callable[[str], dict[str, Any]] = lambda url: http(url, **STREAMED)  # noqa: E731
        ran, seconds = played(tmp_path, server.url, streamed, ["t"])
    assert ran.code == (0 if kind is None else 3)
    assert kinds(ran, ["t"]) == {"t": kind}
    assert seconds < 40
