"""This end of one worker: its process, the asks that wait for it, and the conversations that live in it."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guardgate.backends.base import MAX_REPLY_BYTES, Available
from guardgate.backends.process import Process, spawn
from guardgate.record import Failure

#: How long a worker may take to say whether a cancelled ask ends. One that does not is blocked, and killed.
GRACE_SECONDS = 3.0

#: How long a worker may take to end by itself when all is done: the app's own end, such as traces that are sent.
FINISH_SECONDS = 2.0

#: How long a worker whose output has ended may take to end itself.
_DYING_SECONDS = 1.0
_WORKER = Path(__file__).with_name("worker.py")
_LINE_BYTES = MAX_REPLY_BYTES + 4096
_SHOWN = 1500
Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """How each worker of a target is started."""

    python: Path
    root: Path
    env: Mapping[str, str]
    load: Mapping[str, Any]
    seconds: float


class Link:
    """One worker. It is `fit` until it dies, or is retired because something in it cannot be stopped."""

    def __init__(self) -> None:
        self.fit = True
        self.talks: set[str] = set()
        self.about = Available()
        self.remembers: bool | None = None
        self._process: Process | None = None
        self._starting: asyncio.Task[Failure | None] | None = None
        self._why = ""
        self._closing = False
        self._loaded = False
        self._numbers = itertools.count(1)
        self._first: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting: dict[int, asyncio.Future[Message | Failure]] = {}
        self._cancelled: dict[int, asyncio.TimerHandle] = {}
        self._line = bytearray()

    @property
    def reaped(self) -> bool:
        """Whether its process has ended and left nothing."""
        return self._process is not None and self._process.gone.done()

    async def start(self, plan: Plan) -> Failure | None:
        """Start the process and load the entry, in `plan.seconds`; on any failure nothing is left running."""
        # A start that is given up goes on by itself until it can be ended: half a process cannot be reaped.
        self._starting = asyncio.create_task(self._start(plan))
        try:
            return await asyncio.shield(self._starting)
        except asyncio.CancelledError:
            self._closing = True
            self.kill("its start was given up")
            raise

    async def _start(self, plan: Plan) -> Failure | None:
        try:
            self._process = await spawn([plan.python, _WORKER], cwd=plan.root, env=plan.env, on_output=self._receive)
        except (OSError, ValueError) as error:
            return _unavailable(
                f"python: {plan.python} could not be started in {plan.root} ({error}); expected the path of a Python "
                "interpreter, relative to the project; correct `python:` or leave it out"
            )
        self._process.silent.add_done_callback(lambda _: self._silent())
        self._process.gone.add_done_callback(lambda _: self._died())
        self._send(plan.load)
        if not self._closing:
            news: set[asyncio.Future[Any]] = {self._first, self._process.gone}
            await asyncio.wait(news, timeout=plan.seconds, return_when=asyncio.FIRST_COMPLETED)
        failure = self._opening(plan)
        if failure is not None:
            self.kill("it could not be used")
            await self._process.end()
        return failure

    async def ask(self, question: Mapping[str, Any], seconds: float) -> Message | Failure:
        """The worker's answer, or why there is none; after `seconds` the ask is cancelled."""
        if seconds <= 0:
            return Failure("timeout", "the deadline passed before the turn was sent")
        if self._process is None or self.reaped:
            return self._crash()
        number = next(self._numbers)
        answer: asyncio.Future[Message | Failure] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        self._send({"ask": number, **question})
        try:
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            return Failure("timeout", f"found no reply after {seconds:.3g} s; expected one within the limit")
        finally:
            if self._waiting.pop(number, None) is not None:
                self._cancel(number)

    def forget(self, talk_id: str) -> None:
        """A conversation has ended; a retired worker whose last one ends is killed."""
        if talk_id in self.talks:
            self.talks.discard(talk_id)
            self._send({"forget": talk_id})
        self._end_if_idle()

    def kill(self, why: str) -> None:
        """Kill the worker and its group, without waiting; `why` stands in the failures of what was in flight."""
        self.fit = False
        if self._process is not None and self._process.code is None:
            self._why = self._why or why
            self._process.kill()

    async def end(self) -> None:
        """Let a worker with nothing left to answer end by itself, kill what is left, and wait until it is reaped."""
        self._closing = True
        await self._finish()
        self.kill("it was closed")
        if self._starting is not None:
            await asyncio.wait({self._starting})
        if self._process is not None:
            await self._process.end()

    async def _finish(self) -> None:
        idle = not self._waiting and not self._cancelled
        if self._process is None or not (self.fit and self._loaded and idle):
            return
        self.fit = False
        self._send({"finish": FINISH_SECONDS})
        await asyncio.wait({self._process.gone}, timeout=FINISH_SECONDS)

    def _opening(self, plan: Plan) -> Failure | None:
        """What the first message says; fills `about` where it is good news."""
        if self._closing:
            return self._crash()
        if not self._first.done():
            if self.reaped:
                return _unavailable(
                    f"{plan.load['entry']}: {self._death()}; expected {plan.python} to be Python 3.9 or later and the "
                    "import to end by itself; repair what ended it"
                )
            return _unavailable(
                f"{plan.load['entry']}: not loaded after {plan.seconds:.3g} s; expected it to be imported by then; "
                f"make the import quicker{self._errors()}"
            )
        first = self._first.result()
        if "refused" in first:
            return _unavailable(str(first["refused"]))
        self._loaded = True
        ready = first["ready"]
        self.about = Available(ready["version"], ready["note"])
        self.remembers = ready["remembers"]
        return None

    def _send(self, message: Mapping[str, Any]) -> None:
        if self._process is not None and self._process.code is None:
            text = json.dumps(message, ensure_ascii=False)
            self._process.write(text.encode("utf-8", "surrogatepass") + b"\n")

    def _receive(self, data: bytes) -> None:
        *ended, rest = data.split(b"\n")
        for part in ended:
            line, self._line = bytes(self._line + part), bytearray()
            self._message(line)
        self._line += rest
        if len(self._line) > _LINE_BYTES:
            self._line.clear()
            self.kill("it wrote a line that is too long")

    def _message(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            # Before the first message an interpreter's start-up files may print.
            if self._first.done():
                self.kill("it wrote a line that is no answer")
        elif "ready" in message or "refused" in message:
            if not self._first.done():
                self._first.set_result(message)
        elif "id" in message:
            waiting = self._waiting.pop(message["id"], None)
            if waiting is not None and not waiting.done():
                waiting.set_result(message)
        elif "ended" in message or "stuck" in message:
            self._stopped(message)

    def _cancel(self, number: int) -> None:
        self._send({"cancel": number})
        loop = asyncio.get_running_loop()
        self._cancelled[number] = loop.call_later(
            GRACE_SECONDS, self.kill, "it was blocked and did not answer a cancel"
        )

    def _stopped(self, message: Message) -> None:
        """A cancelled ask has ended, or is stuck in a thread that only the worker's end can stop."""
        number: int = message["stuck" if "stuck" in message else "ended"]
        timer = self._cancelled.pop(number, None)
        if timer is not None:
            timer.cancel()
        if "stuck" in message:
            self.fit = False
            self._end_if_idle()

    def _end_if_idle(self) -> None:
        if not self.fit and not self.talks:
            self.kill("nothing was left in it")

    def _silent(self) -> None:
        """Its end of the pipe is closed: it is about to die, or else nothing can be heard of it any more."""
        asyncio.get_running_loop().call_later(_DYING_SECONDS, self.kill, "it closed its pipe")

    def _died(self) -> None:
        self.fit = False
        for timer in self._cancelled.values():
            timer.cancel()
        waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_result(self._crash())

    def _crash(self) -> Failure:
        if self._closing:
            return Failure("cancelled", "the backend was closed while the reply was awaited")
        return Failure("crashed", self._death(), retry="restart")

    def _death(self) -> str:
        code = self._process.code if self._process is not None else None
        why = f" (killed: {self._why})" if self._why else ""
        return f"worker died with code {code}{why}{self._errors()}"

    def _errors(self) -> str:
        errors = self._process.errors[-_SHOWN:] if self._process is not None else ""
        return f"; last stderr: {errors}" if errors else "; nothing on stderr"


def _unavailable(detail: str) -> Failure:
    return Failure("unavailable", detail, fatal=True)
