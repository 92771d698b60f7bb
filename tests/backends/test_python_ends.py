"""The python backend leaves nothing running: closed, cancelled, or killed itself."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

import guardgate
from guardgate.backends import link
from guardgate.record import Failure, Reply
from tests.backends.python_target import APPS, PATIENCE, Lifelines, one, target, text

ROOT = Path(guardgate.__file__).parent.parent


def test_close_ends_every_worker_and_its_children() -> None:
    async def play() -> list[Reply | Failure]:
        backend = target("lifeline:family")
        async with Lifelines() as lines:
            talks = [
                asyncio.create_task(one(backend, lines.port, "shared")),
                asyncio.create_task(one(backend, lines.port, "alone", alone=True)),
            ]
            await lines.seen(4)
            links = list(backend._links)
            await backend.close()
            await lines.left(0)
            assert len(links) == 2
            assert all(link.reaped for link in links)
            return [await talk for talk in talks]

    for outcome in asyncio.run(play()):
        assert isinstance(outcome, Failure)
        assert outcome.kind == "cancelled"


def test_close_can_come_first_last_and_twice() -> None:
    async def play() -> Reply | Failure:
        backend = target("plain:echo")
        await backend.close()
        await backend.close()
        return await one(backend, "hi")

    outcome = asyncio.run(play())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "cancelled"


def test_a_reply_that_is_given_up_leaves_its_lone_worker_to_forget() -> None:
    async def play() -> None:
        backend = target("lifeline:hold")
        async with Lifelines() as lines:
            talk = asyncio.create_task(one(backend, lines.port, alone=True))
            await lines.seen(1)
            talk.cancel()
            await asyncio.wait({talk})
            await backend.forget("talk")
            await lines.left(0)
        await backend.close()

    asyncio.run(play())


def test_a_start_that_is_given_up_leaves_nothing(tmp_path: Path) -> None:
    code = "import sys\nsys.path.insert(0, {!r})\nimport lifeline\nlifeline.hold({!r}, session='')\n"

    async def play() -> None:
        async with Lifelines() as lines:
            (tmp_path / "slow.py").write_text(code.format(str(APPS), lines.port), encoding="utf-8")
            backend = target("slow:f", root=tmp_path)
            shared = asyncio.create_task(backend.available())
            alone = asyncio.create_task(one(backend, "hi", alone=True))
            await lines.seen(2)
            alone.cancel()
            await lines.left(1)
            shared.cancel()  # others may wait for the same worker
            await asyncio.wait({shared, alone})
            await backend.close()
            await lines.left(0)

    asyncio.run(play())


def test_close_during_a_start_is_an_answer_to_all_that_wait(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import threading\nthreading.Event().wait()\n", encoding="utf-8")

    async def play() -> list[Reply | Failure]:
        backend = target("slow:f", root=tmp_path)
        talks = [asyncio.create_task(one(backend, "hi", f"{n}", alone=n % 2 == 0)) for n in range(12)]
        await asyncio.sleep(0)
        await backend.close()
        assert all(link.reaped for link in backend._links)
        async with asyncio.timeout(PATIENCE):
            return await asyncio.gather(*talks)

    for outcome in asyncio.run(play()):
        assert isinstance(outcome, Failure)
        assert outcome.kind == "cancelled"


@pytest.mark.parametrize("entry", ["hold", "spin"])
def test_a_worker_ends_when_guardgate_is_killed(entry: str) -> None:
    code = f"""
import asyncio, sys
from tests.backends.python_target import one, target
asyncio.run(one(target("lifeline:{entry}"), sys.argv[1]))
"""

    async def play() -> None:
        async with Lifelines() as lines:
            parent = subprocess.Popen([sys.executable, "-c", code, lines.port], cwd=ROOT)
            try:
                await lines.seen(1)
                assert lines.living == 1
            finally:
                parent.kill()
                parent.wait(PATIENCE)
            await lines.left(0)

    asyncio.run(play())


def test_one_worker_serves_all_that_come_at_once() -> None:
    async def play() -> None:
        backend = target("lifeline:keep")
        places = await asyncio.gather(*(text(backend, "hi", f"talk-{number}") for number in range(8)))
        assert len(set(places)) == 1
        await backend.close()

    asyncio.run(play())


def test_an_app_ends_as_a_program_does(tmp_path: Path) -> None:
    """What it registered runs, tasks are cancelled, temporary folders go: also in a worker of one conversation."""
    file = tmp_path / "ended.txt"

    async def play() -> list[str]:
        backend = target("ending:reply", env=[f"FILE={file}"])
        try:
            shared = await text(backend, "hi", "one")
            lone = await text(backend, "hi", "two", alone=True)
            assert not file.exists()
            await backend.forget("two")
            assert sorted(file.read_text("utf-8").split()) == ["cancelled", "flushed", "sent"]
            assert not Path(lone).exists()
        finally:
            await backend.close()
        return [shared, lone]

    folders = asyncio.run(play())
    assert len(set(folders)) == 2
    assert [one for one in folders if Path(one).exists()] == []
    assert sorted(file.read_text("utf-8").split()) == ["cancelled", "cancelled", "flushed", "flushed", "sent", "sent"]


@pytest.mark.parametrize("entry", ["never_ends", "exits_badly"])
def test_an_app_that_does_not_end_is_killed(entry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "FINISH_SECONDS", 0.3)

    async def play() -> None:
        backend = target(f"ending:{entry}", env=[f"FILE={tmp_path / 'ended.txt'}"])
        await text(backend, "hi", "one")
        links = list(backend._links)
        await backend.close()
        assert [one.reaped for one in links] == [True]

    asyncio.run(play())
