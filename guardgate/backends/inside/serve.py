"""Serves asks until the other end closes: one event loop, threads for what blocks, one line in, one line out."""

from __future__ import annotations

import asyncio
import faulthandler
import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

from .ask import Ask
from .entry import Entry, EntryError, describe, load
from .outcome import Outcome, explain, failure, raised

#: How long something that was cancelled may take to end before it counts as stuck.
_STOP_SECONDS = 1.0


class _Job:
    """One ask in progress."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.threads: list[Future[Any]] = []
        self.task: asyncio.Task[None]

    def ended(self) -> bool:
        return self.task.done() and all(thread.done() for thread in self.threads)


_current: ContextVar[_Job | None] = ContextVar("job", default=None)


class _Threads(ThreadPoolExecutor):
    """Threads that are noted on the job that started them, so that a stuck one is seen."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn, *args, **kwargs)
        job = _current.get()
        if job is not None:
            job.threads.append(future)
        return future


class _Outlet:
    """Writes one message a line."""

    def __init__(self, fd: int, limit: int) -> None:
        self._fd = fd
        self._limit = limit
        self._lock = threading.Lock()

    def outcome(self, number: int, outcome: Outcome) -> None:
        """Send an outcome; one that cannot be sent becomes a failure."""
        try:
            line = _encoded({"id": number, **outcome})
        except (TypeError, ValueError, RecursionError) as error:
            what = f"the reply cannot be written as JSON: {explain(error)}; return simpler values"
            line = _encoded({"id": number, **failure("malformed", what)})
        if len(line) > self._limit:
            what = f"found a reply of {len(line)} bytes with its tool calls and state; expected at most {self._limit}"
            line = _encoded({"id": number, **failure("too_large", what)})
        self._write(line)

    def send(self, message: dict[str, Any]) -> None:
        self._write(_encoded(message))

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        try:
            with self._lock:
                while rest:
                    rest = rest[os.write(self._fd, rest) :]
        except OSError:  # nobody hears it any more
            _end()


class _Server:
    def __init__(self, loop: asyncio.AbstractEventLoop, entry: Entry, outlet: _Outlet) -> None:
        self._loop = loop
        self._entry = entry
        self._outlet = outlet
        self.finished = False
        self._jobs: dict[int, _Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def receive(self, message: dict[str, Any]) -> None:
        """Begin what a message asks for; runs in the event loop."""
        if "ask" in message:
            job = _Job(message.pop("ask"))
            self._jobs[job.number] = job
            job.task = self._begin(self._reply(job, Ask(**message)))
            job.task.add_done_callback(lambda _: self._jobs.pop(job.number))
        elif "cancel" in message:
            self._cancel(message["cancel"])
        elif "finish" in message:
            self.finished = True
            self._loop.stop()
        else:
            self._begin(self._forget(message["forget"]))

    def _begin(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _reply(self, job: _Job, ask: Ask) -> None:
        _current.set(job)
        try:
            outcome = await self._entry.reply(ask)
        except BaseException as error:  # noqa: BLE001  (SystemExit too ends this attempt only)
            outcome = raised(error)
        self._outlet.outcome(job.number, outcome)  # nobody waits for it where the ask was cancelled

    def _cancel(self, number: int) -> None:
        job = self._jobs.get(number)
        if job is None:
            self._outlet.send({"ended": number})
            return
        job.task.cancel()
        self._begin(self._watch(job))

    async def _watch(self, job: _Job) -> None:
        """Say whether what was cancelled ends."""
        until = self._loop.time() + _STOP_SECONDS
        while not job.ended() and self._loop.time() < until:
            await asyncio.sleep(0.02)
        self._outlet.send({"ended" if job.ended() else "stuck": job.number})

    async def _forget(self, talk: str) -> None:
        try:
            await self._entry.forget(talk)
        except BaseException as error:  # noqa: BLE001  (a store that cannot forget must not end the others)
            print(f"guardgate: {talk} could not be forgotten: {explain(error)}", file=sys.stderr)  # noqa: T201


def serve(inlet: int, outlet: int) -> None:
    """Load the entry that the first line names, then answer, until the other end says or closes; returns if it says."""
    lines = io.open(inlet, "rb")  # noqa: SIM115, UP020
    first = lines.readline()
    if not first:
        return
    settings = json.loads(first)
    _prepare(settings["root"])
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.set_default_executor(_Threads(settings["threads"], "app"))
    out = _Outlet(outlet, settings["limit"])
    server: list[_Server] = []
    # From here on the end of the other side ends this one, even while the app is being imported.
    deliver = lambda message: loop.call_soon_threadsafe(server[0].receive, message)  # noqa: E731
    threading.Thread(target=_listen, args=(lines, deliver), daemon=True).start()
    try:
        entry = load(settings, loop)
    except EntryError as error:
        out.send({"refused": str(error)})
    else:
        server.append(_Server(loop, entry, out))
        out.send({"ready": describe(entry)})
    try:
        _run(loop, server)
        _wind_up(loop)
    except BaseException as error:  # noqa: BLE001  (without its loop the worker is of no use)
        print(f"guardgate: the event loop ended: {explain(error)}", file=sys.stderr)  # noqa: T201
        os._exit(70)


def _prepare(root: str) -> None:
    """The app finds its own modules first, and its prints never fail."""
    sys.path.insert(0, root)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    faulthandler.enable(all_threads=False)


def _run(loop: asyncio.AbstractEventLoop, server: list[_Server]) -> None:
    """Run until finished: a SystemExit in any task of the app leaves the loop, which then goes on with the others."""
    while not (server and server[0].finished):
        try:
            loop.run_forever()
        except (SystemExit, KeyboardInterrupt) as error:
            print(f"guardgate: a task of the app raised {explain(error)}", file=sys.stderr)  # noqa: T201


def _wind_up(loop: asyncio.AbstractEventLoop) -> None:
    """End what still runs in the loop, as `asyncio.run` would; the interpreter then ends as that of any program."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


def _listen(lines: Iterable[bytes], deliver: Callable[[dict[str, Any]], Any]) -> None:
    try:
        for line in lines:
            message = json.loads(line)
            deliver(message)
            if "finish" in message:
                # Nothing more is read, since a reading thread is in the way of an interpreter that ends.
                time.sleep(message["finish"])
                break
    finally:
        _end()


def _end() -> None:
    """End at once, whatever runs, with everything that the app started."""
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _encoded(message: dict[str, Any]) -> bytes:
    text = json.dumps(message, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"
