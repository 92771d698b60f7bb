"""How fast calls go out to a service that has a limit and does not say it. Time is the loop's own: nothing is timed."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate.limits import Limiter
from guardgate.pace import FIRST_PAUSE, LONGEST_PAUSE, SLOWEST, Pace
from guardgate.record import Failure, Reply
from tests.engine.services import Bucket, Service, calls
from tests.engine.travel import travel

WHOLE_SECONDS = math.ceil


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("rate", "burst", "reply", "after", "ratio", "share"),
    [
        (100, 20, 0.005, None, 1.10, 0.05),
        (100, 20, 0.005, lambda wait: wait, 1.10, 0.05),
        (100, 20, 0.005, WHOLE_SECONDS, 1.15, 0.05),
        (100, 200, 0.005, WHOLE_SECONDS, 1.10, 0.05),
        (100, 20, 0.1, None, 1.15, 0.05),
        (500, 20, 0.005, None, 1.25, 0.05),
        (30, 10, 0.005, None, 1.15, 0.05),
    ],
)
def test_a_token_bucket(
    monkeypatch: pytest.MonkeyPatch, rate: float, burst: float, reply: float, after: object, ratio: float,
    share: float, seed: int,
) -> None:  # fmt: skip
    service = Service(Bucket(rate, burst, after), reply)  # type: ignore[arg-type]
    done = travel(monkeypatch, calls(service, 3000, 64), seed)
    assert [one for one in done if not isinstance(one, Reply)] == [], "a call that met a rate limit is not lost"
    assert service.most <= 64
    assert service.refused <= share * 3000
    assert service.came[-1] - service.came[0] <= ratio * (3000 - burst) / rate


def test_a_service_without_a_limit_is_not_slowed_down(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(lambda _: Reply("No."), 0.1)
    travel(monkeypatch, calls(service, 640, 64))
    assert service.came[-1] - service.came[0] == pytest.approx(0.9, abs=0.01)


def test_a_window_that_opens_each_minute_is_not_knocked_at_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """120 calls of 60 a minute: nothing says when the minute is over."""
    counts: dict[int, int] = {}

    def window(now: float) -> Reply | Failure:
        minute = int(now // 60)
        counts[minute] = counts.get(minute, 0) + 1
        if counts[minute] <= 60:
            return Reply("No.")
        return Failure("rate_limited", "HTTP 429", "resend", busy=True)

    service = Service(window, 0.05)
    done = travel(monkeypatch, calls(service, 120, 16))
    assert all(isinstance(one, Reply) for one in done)
    assert service.refused <= 16 + 30


def test_one_burst_of_refusals_slows_down_once() -> None:
    one, many = Pace(lambda *_: 1.0), Pace(lambda *_: 1.0)
    for pace, refusals in ((one, 1), (many, 40)):
        for call in range(50):
            pace.start(10 + call / 1000)
        for call in range(5):
            pace.answer(10.06, 10 + call / 1000)
        for call in range(refusals):
            pace.refuse(10.07 + call / 10_000, 10.049, None)
        pace.start(11.0)
    assert one.rate(11.0) == many.rate(11.0)
    assert one.silent == many.silent == 1


def test_pauses_grow_while_nothing_is_answered_and_not_for_ever() -> None:
    pace, now, pauses = Pace(lambda *_: 1.0), 0.0, []
    for _ in range(12):
        pace.start(now)
        pace.refuse(now + 0.01, now, None)
        pauses.append(round(pace.resumes - now - 0.01, 6))
        now = pace.opens + 0.001
    assert pauses[0] == pytest.approx(FIRST_PAUSE)
    assert pauses == sorted(pauses)
    assert pauses[-1] == pytest.approx(LONGEST_PAUSE)
    pace.start(now)
    pace.answer(now + 0.01, now)
    pace.start(now + 1)
    pace.refuse(now + 1.01, now + 1, None)
    assert pace.resumes - now - 1.01 == pytest.approx(FIRST_PAUSE)


def test_a_wait_that_is_asked_for_is_kept_to_the_letter() -> None:
    pace = Pace()
    pace.start(5.0)
    pace.start(5.0)
    pace.refuse(6.0, 5.0, 7.5)
    assert pace.opens == 13.5
    pace.refuse(6.5, 5.0, 9.0)
    assert pace.opens == 15.5, "of two that were under way the longer wait counts"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["start", "answer", "refuse", "lose"]), st.floats(0, 5), st.none() | st.floats(0, 100)
        ),
        max_size=80,
    )
)
def test_whatever_happens_there_is_a_pace(events: list[tuple[str, float, float | None]]) -> None:
    """It never stops for good, never divides by nothing, and never opens before a pause is over."""
    pace, now, flying = Pace(), 0.0, [0.0]
    for what, step, after in events:
        now += step
        if what == "start":
            now = max(now, pace.opens)
            pace.start(now)
            flying.append(now)
        elif what == "answer":
            pace.answer(now, flying[-1])
        elif what == "refuse":
            pace.refuse(now, flying[-1], after)
        else:
            pace.lose()
        rate = pace.rate(now)
        assert rate is None or rate >= SLOWEST
        assert pace.opens >= pace.resumes
        assert math.isfinite(pace.opens)


def test_never_more_calls_in_a_minute_than_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(lambda _: Reply("No."))
    began = travel(monkeypatch, _timed(service, Limiter(16, 30)))
    assert len(service.came) == 100
    for first in range(len(service.came) - 30):
        assert service.came[first + 30] - service.came[first] >= 60
    assert service.came[-1] - began < 181


async def _timed(service: Service, limiter: Limiter) -> float:
    began = time.monotonic()
    done = await calls(service, 100, 16, seconds=5.0, limiter=limiter)
    assert all(isinstance(one, Reply) for one in done), "standing in line costs no patience"
    return began
