"""Short ways to run the python backend on the little apps beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from guardgate.backends.base import Surroundings
from guardgate.backends.python import Python
from guardgate.model.project import PythonTarget
from guardgate.record import Failure, Reply, Talk

APPS = Path(__file__).parent / "apps"
#: Longer than any wait that ends well.
PATIENCE = 60.0
Result = TypeVar("Result")


def target(
    entry: str,
    *,
    root: Path = APPS,
    concurrency: int = 8,
    call_seconds: float = PATIENCE,
    environ: Mapping[str, str] | None = None,
    **settings: Any,
) -> Python:
    around = Surroundings(root, concurrency, call_seconds, environ or {})
    return Python("bot", PythonTarget(backend="python", entry=entry, **settings), around)


def run(backend: Python, work: Callable[[Python], Awaitable[Result]]) -> Result:
    """What `work` returns; the backend is closed afterwards, and must have left nothing."""

    async def play() -> Result:
        try:
            async with asyncio.timeout(2 * PATIENCE):
                return await work(backend)
        finally:
            await backend.close()

    return asyncio.run(play())


async def one(backend: Python, turn: str, name: str = "talk", **more: Any) -> Reply | Failure:
    """The outcome of a first turn."""
    return await backend.reply(Talk(name, (turn,), **more))


async def text(backend: Python, turn: str, name: str = "talk", **more: Any) -> str:
    """The words that a first turn brings."""
    outcome = await one(backend, turn, name, **more)
    assert isinstance(outcome, Reply), outcome
    return outcome.text


async def failure(backend: Python, turn: str, name: str = "talk", **more: Any) -> Failure:
    """The failure that a first turn brings."""
    outcome = await one(backend, turn, name, **more)
    assert isinstance(outcome, Failure), outcome
    return outcome


async def converse(backend: Python, *turns: str, name: str = "talk", **more: Any) -> list[Reply | Failure]:
    """The outcomes of a whole conversation, up to the first failure; it is forgotten then."""
    outcomes: list[Reply | Failure] = []
    for number in range(1, len(turns) + 1):
        replies = tuple(outcome for outcome in outcomes if isinstance(outcome, Reply))
        outcomes.append(await backend.reply(Talk(name, turns[:number], replies, **more)))
        if isinstance(outcomes[-1], Failure):
            break
    await backend.forget(name)
    return outcomes


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Try again and again until it is so, for as long as a test may take."""
    limit = time.monotonic() + PATIENCE
    while not await condition():
        assert time.monotonic() < limit, "it never came to be"
        await asyncio.sleep(0.01)


class Lifelines:
    """`async with Lifelines() as lines`: each process that connects to `port` is seen, and its end too."""

    async def __aenter__(self) -> Lifelines:
        self._news = asyncio.Condition()
        self.connected = 0
        self.living = 0
        self._server = await asyncio.start_server(self._hold, "127.0.0.1", 0)
        self.port = str(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _hold(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        await self._note(1, 1)
        with suppress(ConnectionError):  # an end all the same
            await reader.read()
        await self._note(0, -1)
        writer.close()

    async def _note(self, connected: int, living: int) -> None:
        async with self._news:
            self.connected += connected
            self.living += living
            self._news.notify_all()

    async def seen(self, number: int) -> None:
        """Wait until so many have connected."""
        await self._wait(lambda: self.connected >= number)

    async def left(self, number: int) -> None:
        """Wait until so many live."""
        await self._wait(lambda: self.living == number)

    async def _wait(self, condition: Callable[[], bool]) -> None:
        async with self._news, asyncio.timeout(PATIENCE):
            await self._news.wait_for(condition)
