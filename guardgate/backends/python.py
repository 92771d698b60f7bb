"""A callable or a graph in the app's own interpreter, in worker processes that may die alone."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from guardgate.backends.base import MAX_REPLY_BYTES, Available, Surroundings
from guardgate.backends.link import Link, Message, Plan
from guardgate.backends.pricing import priced
from guardgate.backends.process import child_environment
from guardgate.model.project import Price, PythonTarget
from guardgate.record import Failure, Reply, Talk, ToolCall

#: Most workers at once that hold a single conversation each.
ALONE_AT_ONCE = 4
#: Shortest time that a worker gets to import the app.
_START_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class _Home:
    """Where a conversation lives."""

    link: Link
    alone: bool


class Python:
    """Plays conversations in one shared worker, and those with `alone` in a worker of their own.

    The time that a first turn waits for its worker to start, or for one of the few places for lone workers, is
    guardgate's own: it counts neither as `call_seconds` nor towards the deadline of that turn, which moves by it.
    """

    def __init__(self, name: str, settings: PythonTarget, around: Surroundings) -> None:
        self.name = name
        self._settings = settings
        self._around = around
        self._shared: Link | None = None
        self._starting: asyncio.Task[Link | Failure] | None = None
        self._homes: dict[str, _Home] = {}
        self._links: set[Link] = set()
        self._places = asyncio.Semaphore(ALONE_AT_ONCE)
        self._closed = False
        self.remembers: bool | None = None

    async def available(self) -> Available | Failure:
        """Start the worker and import the entry; the note says what it is. `remembers` is known afterwards."""
        link = await self._common()
        return link if isinstance(link, Failure) else link.about

    async def reply(self, talk: Talk) -> Reply | Failure:
        """The reply to the last turn, in the worker where the conversation began."""
        left = talk.deadline - time.monotonic()
        home = await self._home(talk)
        if isinstance(home, Failure):
            return home
        answer = await home.link.ask(self._question(talk), min(self._around.call_seconds, left))
        outcome = answer if isinstance(answer, Failure) else _outcome(answer, self._settings.price)
        if isinstance(outcome, Failure):
            if outcome.kind == "timeout" or home.alone:
                await self.forget(talk.id)  # it cannot go on, so it must not keep a worker
            if outcome.kind == "crashed" and home.alone:
                return replace(outcome, retry="no")
        return outcome

    async def forget(self, talk_id: str) -> None:
        """Drop the conversation's state; a worker of its own, or a retired one without others, ends."""
        home = self._homes.pop(talk_id, None)
        if home is None:
            return
        home.link.forget(talk_id)
        if home.alone:
            try:
                await self._end(home.link)
            finally:
                self._places.release()

    async def close(self) -> None:
        """End every worker with its group, and wait until all are reaped."""
        self._closed = True
        await asyncio.gather(*(link.end() for link in list(self._links)))
        if self._starting is not None:
            await asyncio.wait({self._starting})

    async def _home(self, talk: Talk) -> _Home | Failure:
        if not talk.replies:
            await self.forget(talk.id)
            return await self._new_home(talk)
        home = self._homes.get(talk.id)
        if home is None:
            detail = "the worker in which the conversation began is gone, and what it knew with it"
            return Failure("crashed", detail, retry="no" if talk.alone else "restart")
        return home

    async def _new_home(self, talk: Talk) -> _Home | Failure:
        link = await (self._own() if talk.alone else self._common())
        if isinstance(link, Failure):
            return link
        home = _Home(link, talk.alone)
        self._homes[talk.id] = home
        link.talks.add(talk.id)
        return home

    async def _own(self) -> Link | Failure:
        """A worker for one conversation, once there is a place for it."""
        await self._places.acquire()
        link: Link | Failure | None = None
        try:
            link = await self._start()
        finally:
            if not isinstance(link, Link):
                self._places.release()
        return link

    async def _common(self) -> Link | Failure:
        """The worker that takes new conversations; started once, however many wait for it."""
        if self._shared is not None and self._shared.fit:
            return self._shared
        if self._starting is None:
            self._starting = asyncio.create_task(self._start_shared())
        return await asyncio.shield(self._starting)

    async def _start_shared(self) -> Link | Failure:
        try:
            link = await self._start()
            if isinstance(link, Link):
                self._shared = link
            return link
        finally:
            self._starting = None

    async def _start(self) -> Link | Failure:
        if self._closed:
            return Failure("cancelled", "the backend is closed")
        plan = self._plan()
        if isinstance(plan, Failure):
            return plan
        self._links = {link for link in self._links if not link.reaped}
        link = Link()
        self._links.add(link)
        failure = await link.start(plan)
        if failure is not None:
            return failure
        self.remembers = link.remembers
        return link

    async def _end(self, link: Link) -> None:
        await link.end()
        self._links.discard(link)

    def _plan(self) -> Plan | Failure:
        settings, around = self._settings, self._around
        env = child_environment(settings.env, around.environ)
        if isinstance(env, Failure):
            return env
        root = around.root.absolute()
        load = {
            "entry": settings.entry,
            "root": str(root),
            "history": settings.history,
            "params": dict(settings.params),
            "document": settings.document,
            "threads": max(32, 2 * around.concurrency),  # a graph may run several nodes at once
            "limit": MAX_REPLY_BYTES,
        }
        # Where the app was installed for this job alone, its interpreter is not where the project says.
        chosen = around.environ.get("GUARDGATE_PYTHON") or settings.python
        python = Path(sys.executable) if chosen is None else root / chosen
        return Plan(python, root, env, load, max(around.call_seconds, _START_SECONDS))

    def _question(self, talk: Talk) -> dict[str, Any]:
        messages = []
        for turn, reply in zip(talk.turns, talk.replies, strict=False):
            messages += [{"role": "user", "content": turn}, {"role": "assistant", "content": reply.text}]
        return {
            "talk": talk.id,
            "turn": talk.turn,
            "messages": [*messages, {"role": "user", "content": talk.turn}],
            "params": {**self._settings.params, **talk.params},
            "system": talk.system,
            "task": talk.task,
            "document": talk.document if self._settings.document == "field" else None,
        }


def _outcome(message: Message, price: Price | None) -> Reply | Failure:
    if "kind" in message:
        partial = message["partial"]
        return Failure(message["kind"], message["detail"], partial=None if partial is None else _reply(partial, price))
    return _reply(message, price)


def _reply(message: Message, price: Price | None) -> Reply:
    tools = tuple(ToolCall(tool["name"], tool["arguments"], tool["result"]) for tool in message["tools"])
    about = message["about"]
    told = "input" in about or "output" in about
    usage = priced(about.get("input"), about.get("output"), None, price) if told else None
    return Reply(
        message["text"], tools, message["state"], message.get("ms", 0), usage, about.get("model"),
        traced=message["traced"],
    )  # fmt: skip
