"""One turn until it is answered: what is sent again, how often, how long, and what a wait that was asked for does."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest

from guardgate.limits import MAX_TRIES, Limiter
from guardgate.record import Failure, Reply, Talk
from tests.engine.services import LIMITED, Service, calls, in_turn
from tests.engine.travel import travel

REPLY = Reply("No.")


def limited(after: float | None) -> Failure:
    return replace(LIMITED, after=after)


async def one(service: Service, seconds: float = 300.0, limiter: Limiter | None = None) -> Reply | Failure:
    (outcome,) = await calls(service, 1, 1, seconds=seconds, limiter=limiter)
    return outcome


@pytest.mark.parametrize("after", [0.0, 0.5, 7.0, 250.0])
@pytest.mark.parametrize("failure", [LIMITED, Failure("http_error", "HTTP 503", "resend", busy=True)])
def test_a_wait_that_is_asked_for_is_kept(monkeypatch: pytest.MonkeyPatch, failure: Failure, after: float) -> None:
    service = Service(in_turn(replace(failure, after=after), REPLY))
    assert isinstance(travel(monkeypatch, one(service)), Reply)
    first, second = service.came
    assert after <= round(second - first - service.seconds, 6) <= after + 0.3


def test_it_holds_back_every_call_of_that_backend_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    asking, other = Service(in_turn(limited(20.0), REPLY)), Service(lambda _: REPLY)

    async def both() -> None:
        await asyncio.gather(calls(asking, 30, 4), calls(other, 30, 4))

    travel(monkeypatch, both())
    begun = asking.came[0]
    assert [came for came in asking.came if begun + 0.1 < came < begun + 20] == []
    assert max(other.came) < begun + 1


@pytest.mark.parametrize("after", [301.0, 3600.0, 86_400.0])
def test_a_wait_beyond_the_time_left_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, after: float) -> None:
    """Not by the turn that was asked to wait, and not by those that stand behind it: nobody calls, nobody waits."""
    service = Service(lambda _: limited(after))
    done = travel(monkeypatch, _clocked(calls(service, 20, 4)))
    assert done.seconds < 1
    assert len(service.came) <= 4
    assert {outcome.kind for outcome in done.outcomes if isinstance(outcome, Failure)} == {"rate_limited"}
    assert all("longer than the time left" in outcome.detail for outcome in done.outcomes)
    sent = [outcome.tries for outcome in done.outcomes]
    assert sorted(sent) == [0] * 16 + [1] * 4


class _Clocked:
    def __init__(self, outcomes: Any, seconds: float) -> None:
        self.outcomes, self.seconds = outcomes, seconds


async def _clocked(work: Any) -> _Clocked:
    begun = time.monotonic()
    return _Clocked(await work, time.monotonic() - begun)


def test_a_turn_that_only_met_429_is_sent_until_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(in_turn(*[LIMITED] * (MAX_TRIES + 4), REPLY))
    assert isinstance(travel(monkeypatch, one(service)), Reply)
    assert len(service.came) == MAX_TRIES + 5


def test_a_service_that_answers_nobody_ends_in_time_and_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(lambda _: LIMITED)
    done = travel(monkeypatch, _clocked(calls(service, 8, 8)))
    assert 290 < done.seconds <= 301
    assert all(outcome.kind == "rate_limited" and outcome.fatal for outcome in done.outcomes)
    assert len(service.came) < 60, "with pauses that grow, and one at a time"


def test_a_service_that_answers_others_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second call is refused: a turn may be unlucky, the service is there."""
    answers = iter(range(10_000))
    service = Service(lambda _: REPLY if next(answers) % 2 else LIMITED)
    done = travel(monkeypatch, calls(service, 50, 4, seconds=30))
    assert not any(isinstance(outcome, Failure) and outcome.fatal for outcome in done)


@pytest.mark.parametrize("kind", ["http_error", "connection", "timeout"])
def test_other_refusals_are_counted(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    service = Service(lambda _: Failure(kind, "no", "resend"))
    done = travel(monkeypatch, _clocked(one(service)))
    assert len(service.came) == MAX_TRIES
    assert done.outcomes.tries == MAX_TRIES
    assert not done.outcomes.fatal
    waits = [later - sooner for sooner, later in zip(service.came, service.came[1:], strict=False)]
    assert waits == sorted(waits)
    assert done.seconds < 30


def test_no_wait_between_two_turns_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jitter: those that failed together do not come back together."""
    service = Service(in_turn(*[Failure("connection", "no", "resend")] * 20, REPLY))
    travel(monkeypatch, calls(service, 20, 20))
    assert len({round(came, 3) for came in service.came[20:]}) > 10


@pytest.mark.parametrize("retry", ["no", "restart"])
def test_what_may_not_be_sent_again_is_not(monkeypatch: pytest.MonkeyPatch, retry: Any) -> None:
    service = Service(lambda _: replace(LIMITED, retry=retry))
    outcome = travel(monkeypatch, one(service))
    assert isinstance(outcome, Failure)
    assert (len(service.came), outcome.retry) == (1, retry)


def test_a_backend_that_does_not_keep_its_deadline_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(lambda _: REPLY, seconds=1e6)
    done = travel(monkeypatch, _clocked(calls(service, 1, 1, call_seconds=10)))
    assert done.outcomes[0].kind == "timeout"
    assert 10 <= done.seconds < 20


def test_a_hint_that_no_call_is_left_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(lambda _: REPLY)

    async def hinted() -> None:
        limiter = Limiter(4, None)
        await calls(service, 4, 4, limiter=limiter)
        service.not_before = time.monotonic() + 30
        await calls(service, 4, 4, limiter=limiter)

    travel(monkeypatch, hinted())
    assert service.came[4] - service.came[3] >= 30


def test_a_hint_beyond_the_time_left_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody was refused: it is asked, and will say so itself."""
    service = Service(lambda _: REPLY, not_before=1e9)
    done = travel(monkeypatch, _clocked(one(service)))
    assert isinstance(done.outcomes, Reply)
    assert done.seconds < 1


def test_standing_in_line_costs_no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """One place, 40 turns of 10 seconds, and 20 seconds for each: the last one stands there for minutes."""
    service = Service(lambda _: REPLY, seconds=10)
    done = travel(monkeypatch, calls(service, 40, 40, seconds=20, limiter=Limiter(1, None)))
    assert all(isinstance(outcome, Reply) for outcome in done)
    assert service.most == 1


def test_waiting_to_be_sent_again_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused turn comes back to a line that is long, and its time runs meanwhile."""
    refused, other = Service(lambda _: LIMITED), Service(lambda _: REPLY, seconds=100)

    async def both() -> tuple[float, Reply | Failure]:
        limiter, begun = Limiter(1, None), time.monotonic()
        first = asyncio.create_task(one(refused, 20, limiter))
        await asyncio.sleep(0)
        line = asyncio.create_task(calls(other, 3, 3, seconds=600, limiter=limiter, call_seconds=600))
        outcome = await first
        over = time.monotonic() - begun
        await line
        return over, outcome

    over, outcome = travel(monkeypatch, both())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.tries, round(over)) == ("rate_limited", 1, 20)


def test_places_of_the_run_are_held_only_by_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """One backend has to wait an hour for each call, and takes none of the two places from the other."""
    shared = asyncio.Semaphore(2)
    slow, fast = Service(lambda _: REPLY, seconds=1), Service(lambda _: REPLY, seconds=1)

    async def both() -> float:
        begun = time.monotonic()
        waiting = asyncio.create_task(calls(slow, 30, 8, limiter=Limiter(8, 1, shared)))
        await calls(fast, 100, 8, limiter=Limiter(8, None, shared))
        over = time.monotonic() - begun
        await waiting
        return over

    assert travel(monkeypatch, both()) <= 55
    assert len(slow.came) == 30


def test_two_backends_share_the_places_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    here = most = 0

    def counted(step: int) -> None:
        nonlocal here, most
        here += step
        most = max(most, here)

    class Counted(Service):
        async def reply(self, talk: Talk) -> Reply | Failure:
            counted(1)
            try:
                return await super().reply(talk)
            finally:
                counted(-1)

    async def both() -> None:
        shared = asyncio.Semaphore(5)
        services = [Counted(lambda _: REPLY, 0.1) for _ in range(3)]
        await asyncio.gather(*(calls(one, 40, 4, limiter=Limiter(4, None, shared)) for one in services))
        assert all(service.most <= 4 for service in services)

    travel(monkeypatch, both())
    assert most == 5


def test_a_turn_that_is_cancelled_gives_its_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it is at that moment: in line, at the door, waiting for a place of the run, or in the call."""

    async def cancelled(after: float) -> None:
        shared = asyncio.Semaphore(1)
        limiter = Limiter(2, None, shared)
        service = Service(in_turn(limited(3.0), REPLY), seconds=2)
        tasks = [asyncio.create_task(calls(service, 1, 1, limiter=limiter)) for _ in range(4)]
        await asyncio.sleep(after)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        done = await calls(Service(lambda _: REPLY), 4, 4, limiter=limiter)
        assert all(isinstance(outcome, Reply) for outcome in done)
        assert not shared.locked()

    for tenths in range(0, 120, 7):
        travel(monkeypatch, cancelled(tenths / 10))
