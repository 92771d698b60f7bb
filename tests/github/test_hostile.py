"""Whatever a server answers, a call gives a record or a failure: it never raises, hangs, fills memory or tells more."""

from __future__ import annotations

import json
import logging
import string
import time
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardgate.github.api import Api
from guardgate.github.exchange import MAX_BYTES
from guardgate.github.failure import ApiFailure
from guardgate.github.setback import message_of, setback
from guardgate.report.escape import terminal
from tests.github.make import Watch, bad, client, good, standing_in
from tests.support.github import TOKEN, GitHub, rules, sha_of, shapes
from tests.support.server import Answer, free_port

JSON = {"content-type": "application/json"}
SHA = sha_of("head")
World = tuple[GitHub, Api, Watch]

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with standing_in(description=None) as made:
        made[0].add_pull(7)
        yield made


def calls(api: Api) -> list[object]:
    """Every call that reads a body."""
    return [
        api.pull(7),
        api.permission("dave"),
        api.statuses(SHA),
        api.create_status(SHA, state="pending", context="c", description="d"),
        api.comments(7),
        api.create_comment(7, "hello"),
        api.issues(),
        api.create_issue("t", "b"),
        api.artifacts(3),
        api.file("a", SHA),
        api.compare(SHA, SHA),
        api.login(),
    ]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=60) | values.map(lambda value: json.dumps(value).encode()), status=st.integers(200, 599))
def test_any_body_under_any_status_is_an_answer_or_a_failure(world: World, body: bytes, status: int) -> None:
    github, api, _ = world
    answer = Answer(b"" if status in (204, 205, 304) else body, status, JSON)
    github.faults.clear()
    github.fail("", answer, times=99)
    for found in calls(api):
        if isinstance(found, ApiFailure):
            assert found.text == terminal(found.text)
        else:
            assert 200 <= status < 300
            assert found == ()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(key=st.sampled_from(sorted(shapes.pull("", "acme/bot", 7, GitHub().add_pull(7)))), value=values)
def test_a_field_is_what_it_says_it_is_or_nothing_is(world: World, key: str, value: Any) -> None:
    github, api, _ = world
    whole = shapes.pull(github.base, "acme/bot", 7, github.pulls[7])
    github.faults.clear()
    github.fail("GET .*/pulls/7", Answer(json.dumps({**whole, key: value}).encode(), 200, JSON))
    found = api.pull(7)
    if isinstance(found, ApiFailure):
        assert found.kind == "malformed"
        return
    assert (found.number, found.head_sha, found.base_sha) == (7, SHA, sha_of("base"))
    assert found.state in ("open", "closed")
    assert isinstance(found.draft, bool)
    assert isinstance(found.title, str)
    assert all(isinstance(name, str) for name in found.label_names)


@settings(max_examples=80, deadline=None)
@given(
    status=st.integers(300, 599),
    headers=st.dictionaries(
        st.sampled_from(["retry-after", "x-ratelimit-remaining", "x-ratelimit-reset"]),
        st.text(string.printable, max_size=12) | st.integers(-10, 10**14).map(str) | st.just("0"),
    ),
    body=st.binary(max_size=80) | values.map(lambda value: json.dumps({"message": value, "errors": value}).encode()),
    tries=st.integers(1, 9),
)
def test_every_wait_is_a_number_of_seconds(status: int, headers: dict[str, str], body: bytes, tries: int) -> None:
    found = setback("GET /x", status, headers, body, tries, Watch().clock.now())
    assert found.wait is None or found.wait >= 2.0 ** (tries - 1)
    assert found.wait is None or found.failure.kind in ("rate_limited", "unavailable")
    assert len(message_of(body)) <= 300


def test_deep_json_in_a_failure_is_no_message() -> None:
    assert message_of(b"[" * 100_000) == ""
    assert message_of(b'{"message": ' + b"[" * 100_000) == ""
    assert message_of(b'{"message": "No", "errors": [' + b"9" * 5_000 + b"]}") == ""


def test_deep_json_is_malformed() -> None:
    with standing_in() as (github, api, _):
        github.fail("GET", Answer(b"[" * 1_000_000, 200, JSON))
        assert bad(api.comments(7)).kind == "malformed"


def test_a_body_without_end_is_not_read_to_its_end() -> None:
    with standing_in() as (github, api, _):
        github.fail("GET", Answer(chunks=(b" " * 1024 * 1024,), then="repeat"))
        failure = bad(api.pull(7))
        assert failure.kind == "too_large"
        assert f"more than {MAX_BYTES:,} bytes" in failure.text


def test_a_compressed_answer_is_not_unfolded() -> None:
    with standing_in() as (github, api, _):
        bomb = zlib.compress(b" " * 50_000_000)
        github.fail("GET", Answer(bomb, 200, {"content-encoding": "deflate", **JSON}))
        assert "the answer is in 'deflate', which was not asked for" in bad(api.pull(7)).text
        assert github.seen[0].headers["Accept-Encoding"] == "identity"


@pytest.mark.parametrize(
    "answer",
    [
        Answer(hang=True),
        Answer(chunks=(b"{",), then="hang"),
        Answer(chunks=(b" ",), pause=0.02, then="repeat"),
    ],
    ids=["no status", "half a body", "drop by drop"],
)
def test_a_server_that_takes_its_time_is_not_waited_for(answer: Answer) -> None:
    naps: list[float] = []
    with GitHub() as github:
        clock = Watch().clock
        slow = type(clock)(time.monotonic, clock.now, naps.append)
        github.fail("GET", answer, times=9)
        with client(github.settings, call_seconds=0.3) as api:
            api._wire.clock = slow
            failure = bad(api.pull(7))
        assert failure.kind == "unavailable"
        assert naps == [1.0, 2.0]


def test_lost_calls_use_up_the_patience() -> None:
    with standing_in() as (github, api, watch):
        plain = github.server._answers

        def minutes_later(seen: object) -> Answer:
            watch.passed += 45
            return rules.told(503, "Server Error")

        github.server._answers = (minutes_later,)
        assert bad(api.pull(7)).kind == "unavailable"
        assert (watch.slept, len(github.seen)) == ([1.0], 2)
        github.server._answers = plain


@pytest.mark.parametrize(
    "answer",
    [
        Answer(drop=True),
        Answer(raw=b"SSH-2.0-OpenSSH_9.9\r\n"),
        Answer(raw=b""),
        Answer(raw=b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"),
        Answer(chunks=(b"{",), then="cut"),
        Answer(raw=b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}"),
        Answer(raw=b"HTTP/1.1 200 OK\r\nx: " + b"y" * 300_000 + b"\r\n\r\n"),
        Answer(raw=b"HTTP/1.1 999 \xff\xfe\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
    ],
    ids=["reset", "no HTTP", "closed", "half", "cut", "length", "header", "status"],
)
def test_what_is_no_answer_is_unavailable(answer: Answer) -> None:
    with standing_in() as (github, api, watch):
        github.fail("GET", answer, times=3)
        assert bad(api.pull(7)).kind == "unavailable"
        assert watch.slept == [1.0, 2.0]
        github.add_pull(7)
        assert good(api.pull(7)).number == 7


def test_nobody_there_is_unavailable_and_nothing_was_done() -> None:
    with standing_in() as (github, _, watch):
        gone = type(github.settings)(f"http://127.0.0.1:{free_port()}", "acme/bot", TOKEN)
        with client(gone, watch) as api:
            failure = bad(api.create_comment(7, "hello"))
        assert (failure.kind, failure.maybe_done) == ("unavailable", False)
        assert watch.slept == [1.0, 2.0]


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("pull", lambda base: shapes.pull(base, "acme/bot", 8, GitHub().add_pull(8))),
        (
            "permission",
            lambda base: {"permission": "admin", "role_name": "admin", "user": shapes.user(base, "mallory")},
        ),
        ("file", lambda base: shapes.content(base, "acme/bot", "other.yaml", SHA, b"x")),
        ("file", lambda base: {**shapes.content(base, "acme/bot", "a", SHA, b"abc"), "size": 4}),
        ("file", lambda base: {**shapes.content(base, "acme/bot", "a", SHA, b"abc"), "content": "A=A"}),
        ("file", lambda base: {**shapes.content(base, "acme/bot", "a", SHA, b"abc"), "type": "symlink"}),
    ],
)
def test_an_answer_to_another_question_is_not_taken(call: str, answer: Any) -> None:
    arguments = {"pull": (7,), "permission": ("dave",), "file": ("a", SHA)}[call]
    with standing_in() as (github, api, _):
        github.fail("GET", Answer(answer(github.base)))
        assert bad(getattr(api, call)(*arguments)).kind == "malformed"


@pytest.mark.parametrize("echo", [TOKEN, f"Bearer {TOKEN}", f"::set-output name=x::{TOKEN}\n##[warning]"])
def test_the_token_is_never_told(echo: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with standing_in() as (github, api, _):
        found = [repr(api.__dict__), repr(github.settings), str(github.settings)]
        for answer in (
            rules.told(422, echo),
            Answer(json.dumps({"number": echo}), 200, JSON),
            Answer(b"", 302, {"location": f"http://elsewhere.test/{TOKEN}"}),
            Answer(b"", 200, {"content-encoding": TOKEN}),
            Answer(raw=f"{TOKEN}\r\n\r\n".encode()),
        ):
            github.faults.clear()
            github.fail("GET", answer, times=9)
            failure = bad(api.pull(7))
            found += [repr(failure), failure.text]
            assert failure.text == terminal(failure.text)
    for text in (*found, caplog.text):
        assert TOKEN not in text
    assert not {record.name.partition(".")[0] for record in caplog.records} & {"httpx", "httpcore"}


def test_a_failure_says_what_was_asked_and_what_to_do() -> None:
    with standing_in() as (github, api, _):
        github.fail("POST", rules.FORBIDDEN)
        assert bad(api.create_comment(7, "hello")).text == (
            f"POST {github.base}/repos/acme/bot/issues/7/comments: GitHub answered 403: Resource not accessible by "
            "integration; give the token this permission in the workflow, or leave the feature off"
        )
