"""Programs that are started for one call and end with it: fed, bounded in time and output, reaped with their group."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from guardgate.backends.bodies import quote
from guardgate.backends.process import Process, spawn
from guardgate.record import Failure, Reply

#: How much of each stream stands in the detail of a failure.
SHOWN = 320


@dataclass(frozen=True, slots=True)
class Order:
    """What to run, without a shell. `seconds`: how long it may take. `limit`: bytes of output that it may write."""

    command: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    input: bytes
    seconds: float
    limit: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A program that is gone, with its whole group. `output` is all that it wrote, `errors` the end of its errors.

    `killed`: that we ended it, and why. A negative `code` is the number of the signal that ended it.
    """

    code: int
    output: bytes
    errors: str
    ms: int
    killed: Literal["timeout", "too_large"] | None = None

    @property
    def text(self) -> str:
        """The output as text; bytes that are not UTF-8 are replaced."""
        return self.output.decode("utf-8", "replace")

    @property
    def streams(self) -> str:
        """Exit code and both streams, short enough for the detail of a failure."""
        output = quote(self.output, SHOWN) if self.output.strip() else "nothing"
        errors = self.errors if len(self.errors) <= SHOWN else f"...{self.errors[-SHOWN:]}"
        return f"exit code {self.code}; on its output: {output}; on its error output: {errors or 'nothing'}"


class Programs:
    """The running programs of a backend, by conversation."""

    def __init__(self) -> None:
        self._running: dict[str, set[_Job]] = {}
        self._closed = False

    async def run(self, key: str, order: Order) -> Ended | Failure:
        """Run one to its end. A call that is given up kills it; `stop` and `close` wait until it is reaped."""
        if self._closed:
            return Failure("cancelled", "the backend is closed")
        job = _Job(order)
        jobs = self._running.setdefault(key, set())
        jobs.add(job)
        job.task.add_done_callback(lambda _: jobs.discard(job))
        try:
            return await asyncio.shield(job.task)
        except asyncio.CancelledError:
            job.give_up()
            raise

    async def stop(self, key: str) -> None:
        """Kill what runs for one conversation, and wait until it is reaped."""
        jobs = list(self._running.get(key, ()))
        for job in jobs:
            job.give_up()
        if jobs:
            await asyncio.wait({job.task for job in jobs})
        if not self._running.get(key):
            self._running.pop(key, None)

    async def close(self) -> None:
        """Kill all, and wait until they are reaped."""
        self._closed = True
        await asyncio.gather(*(self.stop(key) for key in list(self._running)))


class _Job:
    """One program. Its task is never cancelled: half a process cannot be reaped."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._process: Process | None = None
        self._parts: list[bytes] = []
        self._size = 0
        self._killed: Literal["timeout", "too_large"] | None = None
        self._given_up = False
        self.task = asyncio.create_task(self._run())

    def give_up(self) -> None:
        """Nobody waits for it any more."""
        self._given_up = True
        self._kill()

    async def _run(self) -> Ended | Failure:
        order, began = self._order, time.monotonic()
        if order.seconds <= 0:
            return Failure("timeout", "the deadline passed before the turn was sent")
        try:
            process = await spawn(order.command, cwd=order.cwd, env=order.env, on_output=self._take)
        except (OSError, ValueError) as error:
            return Failure("unavailable", f"{order.command[0]} could not be started: {error}", fatal=True)
        self._process = process
        process.write(order.input)
        process.close_input()
        if self._given_up or self._killed:
            process.kill()
        await asyncio.wait({process.gone}, timeout=order.seconds)
        if not process.gone.done():
            self._killed = self._killed or "timeout"
            await process.end()
        ms = round((time.monotonic() - began) * 1000)
        return Ended(process.gone.result(), b"".join(self._parts), process.errors, ms, self._killed)

    def _take(self, data: bytes) -> None:
        self._parts.append(data[: max(0, self._order.limit - self._size)])
        self._size += len(data)
        if self._size > self._order.limit:
            self._killed = self._killed or "too_large"
            self._kill()

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()


def killed(ended: Ended, order: Order, partial: Reply | None = None) -> Failure | None:
    """The failure of a program that we had to kill, with what it had said; None for one that ended by itself."""
    if ended.killed == "timeout":
        waited = f"found no end after {order.seconds:.3g} s; expected one within the limit"
        return Failure("timeout", f"{waited}; {ended.streams}", partial=partial)
    if ended.killed == "too_large":
        return Failure("too_large", f"it wrote more than {order.limit:,} bytes, and was killed", partial=partial)
    return None


def on_path(name: str, path: str) -> str | None:
    """The program of this name in the absolute folders of a PATH; relative ones would depend on where we stand."""
    folders = [folder for folder in path.split(os.pathsep) if os.path.isabs(folder)]
    found = shutil.which(name, path=os.pathsep.join(folders)) if folders else None
    return found if found and os.path.isabs(found) else None
