"""What headers say about the calls that are left."""

from __future__ import annotations

import math
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict

from guardgate.backends.ratelimits import PAIRS, seconds, wait_of
from tests.support.calls import around, ask, http, openai, talk
from tests.support.server import Answer, Server

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("12", 12.0),
        ("0.5", 0.5),
        ("1s", 1.0),
        ("120ms", 0.12),
        ("6m0s", 360.0),
        ("1h2m3s", 3723.0),
        ("1d", 86400.0),
        ("7.66s", 7.66),
        ("2m59.56s", 179.56),
        (str(int(NOW.timestamp()) + 90), 90.0),
        (str((int(NOW.timestamp()) + 90) * 1000), 90.0),
        (str(int(NOW.timestamp()) - 90), 0.0),
        ("2026-01-01T00:00:10Z", 10.0),
        ("2026-01-01T00:00:10", 10.0),
        ("2025-12-31T23:59:00+00:00", 0.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("nan", None),
        ("inf", None),
        ("1e5", None),
        ("9" * 400, None),
        ("s", None),
    ],
)
def test_a_reset_in_every_form(said: str, wait: float | None) -> None:
    found = seconds(said, NOW)
    assert found == (None if wait is None else pytest.approx(wait))


@pytest.mark.parametrize(("remaining", "reset"), PAIRS)
def test_only_the_last_call_is_followed_by_a_wait(remaining: str, reset: str) -> None:
    assert wait_of({remaining: "0", reset: "20"}, NOW) == 20
    assert wait_of({remaining: "1", reset: "20"}, NOW) == 0
    assert wait_of({reset: "20"}, NOW) == 0
    assert wait_of({remaining: "0"}, NOW) == 0
    assert wait_of({remaining: "none", reset: "20"}, NOW) == 0


def test_the_longest_wait_counts() -> None:
    headers = {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "2s",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "6m0s",
    }
    assert wait_of(headers, NOW) == 360
    assert wait_of({**headers, "x-ratelimit-remaining-tokens": "10"}, NOW) == 2


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ('"default";r=0;t=30', 30),
        ('"default";r=5;t=30', 0),
        ('"burst";r=0;t=2, "day";r=0;t=900', 900),
        ('"default";r=0', 0),
        ("limit=10, remaining=0, reset=5", 0),
        ("", 0),
    ],
)
def test_the_draft_of_one_header(said: str, wait: float) -> None:
    assert wait_of({"ratelimit": said}, NOW) == wait


@given(
    st.dictionaries(st.sampled_from([name for pair in PAIRS for name in pair] + ["ratelimit"]), st.text(max_size=30))
)
def test_whatever_they_say_it_is_a_wait(headers: dict[str, str]) -> None:
    wait = wait_of(CIMultiDict(headers), NOW)
    assert math.isfinite(wait)
    assert wait >= 0


@pytest.mark.parametrize("status", [200, 429, 500])
@pytest.mark.parametrize("kind", [http, openai])
def test_backends_hand_it_on(kind: object, status: int) -> None:
    headers = {"X-RateLimit-Remaining-Requests": "0", "X-RateLimit-Reset-Requests": "1m0s"}
    body = {"answer": "hi", "choices": [{"message": {"content": "hi"}}]}
    with Server(Answer(body, status=status, headers=headers)) as server:
        backend = (http if kind is http else openai)(server.url, around())
        assert backend.not_before == 0
        ask(backend, talk())
    assert 50 < backend.not_before - time.monotonic() <= 60
