"""The python backend when the app goes wrong: what it costs, and that it costs no other conversation."""

from __future__ import annotations

import asyncio
import re
import sys
import time

import pytest

from guardgate.backends.python import Python
from guardgate.record import Failure, Reply, Talk
from tests.backends.python_target import Lifelines, converse, failure, one, run, target, text, until


def soon(seconds: float = 0.3) -> float:
    return time.monotonic() + seconds


@pytest.mark.parametrize("entry", ["meet", "meet_in_threads"])
def test_64_conversations_are_in_flight_in_one_worker(entry: str) -> None:
    async def play(backend: Python) -> list[str]:
        return await asyncio.gather(*(text(backend, "64", f"talk-{number}") for number in range(64)))

    replies = run(target(f"crowd:{entry}", concurrency=64), play)
    assert len(set(replies)) == 1
    assert replies[0].startswith("64 in ")


def test_a_death_among_64_costs_only_its_own() -> None:
    async def attempt(backend: Python, number: int) -> list[Reply | Failure]:
        turn = "die" if number == 13 else "live"
        tries = [await one(backend, turn, f"talk-{number}")]
        if isinstance(tries[0], Failure) and tries[0].retry == "restart":
            name = f"talk-{number}-again"
            tries.append(await one(backend, turn, name, alone=True))
            await backend.forget(name)
        return tries

    async def play(backend: Python) -> list[list[Reply | Failure]]:
        return await asyncio.gather(*(attempt(backend, number) for number in range(64)))

    attempts = run(target("crowd:fragile", concurrency=64, params={"crowd": 64}), play)
    for first, _ in attempts:
        assert isinstance(first, Failure)
        assert (first.kind, first.retry) == ("crashed", "restart")
        assert "code 7" in first.detail
    ends = [tries[-1] for tries in attempts]
    died = ends.pop(13)
    assert isinstance(died, Failure)
    assert (died.kind, died.retry) == ("crashed", "no")
    places = [end.text for end in ends if isinstance(end, Reply)]
    assert len(places) == 63
    assert len(set(places)) == 63


def test_lone_workers_wait_for_a_place_and_not_at_their_own_cost() -> None:
    async def play(backend: Python) -> None:
        async with Lifelines() as lines:
            held = [asyncio.create_task(one(backend, lines.port, f"held-{n}", alone=True)) for n in range(4)]
            await lines.seen(4)
            deadline = soon(2)
            waiting = asyncio.create_task(one(backend, "hi", "waiting", alone=True, deadline=deadline))
            for task in held:
                assert isinstance(await task, Reply)
            await until(lambda: passed(deadline))
            assert not waiting.done()
            for number in range(4):
                await backend.forget(f"held-{number}")
            await lines.left(0)
            assert isinstance(await waiting, Reply)

    async def passed(moment: float) -> bool:
        return time.monotonic() > moment

    run(target("lifeline:keep"), play)


ERRORS = [
    ("raise", "ValueError: invalid literal for int() with base 10: 'no number' (at trouble.py:"),
    ("exit", "SystemExit"),
    ("interrupt", "KeyboardInterrupt (at trouble.py:"),
    ("stop", "StopIteration"),
    ("unreadable", "UnreadableError: (its message could not be read: RuntimeError)"),
]


@pytest.mark.parametrize("entry", ["asynchronous", "blocking"])
def test_what_the_app_raises_ends_its_own_attempt_only(entry: str) -> None:
    async def play(backend: Python) -> None:
        place = await text(backend, "hi", "other")
        waiting = asyncio.create_task(one(backend, "wait", "waiting", deadline=soon(30)))
        for turn, words in ERRORS:
            outcome = await failure(backend, turn)
            assert (outcome.kind, outcome.retry) == ("app_error", "no")
            assert words in outcome.detail
        assert await text(backend, "hi", "after") == place
        if entry == "asynchronous":
            assert not waiting.done()
        waiting.cancel()

    run(target(f"trouble:{entry}"), play)


def test_an_exit_in_a_task_or_a_stopped_loop_disturbs_nobody() -> None:
    async def play(backend: Python) -> None:
        place = await text(backend, "hi")
        outcome = await failure(backend, "exit in a task")
        assert (outcome.kind, outcome.retry) == ("app_error", "no")
        assert "SystemExit: from a task" in outcome.detail
        assert await text(backend, "stop the loop") == place
        outcome = await failure(backend, "cancel")
        assert (outcome.kind, outcome.detail.partition(" ")[0]) == ("app_error", "CancelledError")
        assert await text(backend, "hi") == place

    run(target("trouble:asynchronous"), play)


FAULT = 0xC0000005 if sys.platform == "win32" else -11


@pytest.mark.parametrize(("turn", "code", "words"), [("die", 7, "last words é"), ("crash", FAULT, "Fatal")])
def test_a_death_tells_its_code_and_its_last_words(turn: str, code: int, words: str) -> None:
    async def play(backend: Python) -> tuple[Failure, str]:
        return await failure(backend, turn), await text(backend, "hi")

    died, _ = run(target("trouble:blocking"), play)
    assert (died.kind, died.retry) == ("crashed", "restart")
    assert f"code {code}" in died.detail
    assert words in died.detail


@pytest.mark.parametrize(
    ("turn", "words"), [("close the pipes", "it closed its pipe"), ("close everything", "worker died")]
)
def test_a_worker_that_can_no_longer_be_heard_is_killed(turn: str, words: str) -> None:
    async def play(backend: Python) -> tuple[Failure, str]:
        return await failure(backend, turn), await text(backend, "hi")

    lost, _ = run(target("trouble:blocking"), play)
    assert (lost.kind, lost.retry) == ("crashed", "restart")
    assert words in lost.detail


def test_a_conversation_does_not_outlive_its_worker() -> None:
    async def play(backend: Python) -> Failure:
        first = await one(backend, "hi", "long")
        assert isinstance(first, Reply)
        await failure(backend, "die", "short")
        second = await backend.reply(Talk("long", ("hi", "again"), (first,)))
        assert isinstance(second, Failure)
        return second

    second = run(target("trouble:blocking"), play)
    assert (second.kind, second.retry) == ("crashed", "restart")


def test_an_async_call_is_cancelled_at_its_deadline() -> None:
    async def play(backend: Python) -> None:
        place = (await text(backend, "hi")).split()[0]
        outcome = await failure(backend, "wait", "slow", deadline=soon())
        assert (outcome.kind, outcome.retry) == ("timeout", "no")

        async def cancelled() -> bool:
            return await text(backend, "hi") == f"{place} ['slow']"

        await until(cancelled)

    run(target("trouble:asynchronous"), play)


def test_the_seconds_of_a_call_count_without_a_deadline_too() -> None:
    backend = target("trouble:asynchronous", call_seconds=0.3)
    assert run(backend, lambda backend: failure(backend, "wait")).kind == "timeout"


def test_a_deadline_that_has_passed_sends_nothing() -> None:
    async def play(backend: Python) -> Failure:
        await backend.available()
        return await failure(backend, "die", deadline=soon(-60))

    outcome = run(target("trouble:blocking"), play)
    assert outcome.kind == "timeout"


@pytest.mark.parametrize(("entry", "turn"), [("blocking", "hang"), ("blocking", "busy"), ("asynchronous", "stubborn")])
def test_what_cannot_be_cancelled_retires_its_worker(entry: str, turn: str) -> None:
    """Conversations that live there go on; new ones begin elsewhere; with the last one it is killed."""

    async def play(backend: Python) -> None:
        first = await one(backend, "hi", "long")
        assert isinstance(first, Reply)
        old = backend._homes["long"].link
        outcome = await failure(backend, turn, "stuck", deadline=soon())
        assert outcome.kind == "timeout"

        async def elsewhere() -> bool:
            reply = await text(backend, "hi", "new")
            return reply.split()[0] != first.text.split()[0]

        await until(elsewhere)
        second = await backend.reply(Talk("long", ("hi", "hi"), (first,)))
        assert isinstance(second, Reply)
        assert second.text.split()[0] == first.text.split()[0]
        await backend.forget("long")
        await until(lambda: reaped(old))
        assert (await converse(backend, "hi", name="new"))[0] != first

    async def reaped(link: object) -> bool:
        return bool(link.reaped)  # type: ignore[attr-defined]

    run(target(f"trouble:{entry}"), play)


@pytest.mark.parametrize(
    ("entry", "turn", "other"), [("asynchronous", "busy", "wait"), ("blocking", "hold the lock", "hang")]
)
def test_a_worker_that_is_blocked_is_killed(entry: str, turn: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guardgate.backends.link.GRACE_SECONDS", 0.3)

    async def play(backend: Python) -> None:
        others = [asyncio.create_task(one(backend, other, f"other-{number}")) for number in range(3)]
        await text(backend, "hi", "last in the queue")
        outcome = await failure(backend, turn, "blocking", deadline=soon())
        assert (outcome.kind, outcome.retry) == ("timeout", "no")
        for lost in await asyncio.gather(*others):
            assert isinstance(lost, Failure)
            assert (lost.kind, lost.retry) == ("crashed", "restart")
            assert "blocked" in lost.detail
        assert re.match(r"\d+ ", await text(backend, "hi", "next"))

    run(target(f"trouble:{entry}"), play)


def test_alone_a_blocked_worker_costs_nothing_else() -> None:
    async def play(backend: Python) -> None:
        place = await text(backend, "hi", "other")
        outcome = await failure(backend, "busy", alone=True, deadline=soon())
        assert (outcome.kind, outcome.retry) == ("timeout", "no")
        assert await text(backend, "hi", "other") == place

    run(target("trouble:asynchronous"), play)
