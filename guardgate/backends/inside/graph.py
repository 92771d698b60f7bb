"""A compiled LangGraph graph, or anything with `ainvoke` that keeps a history under `messages`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from .ask import Ask
from .messages import about, calls_in, plain, reply_in, role
from .outcome import Outcome, answer, failure, raised

_STEPS = 25
_REMEDY = "give the builder as the entry, compile the graph with a checkpointer, or set history: true"


class Graph:
    """Plays conversations on a graph; what is new in the returned history is the reply."""

    def __init__(self, graph: Any, history: bool) -> None:
        saver = getattr(graph, "checkpointer", None)
        self._graph = graph
        self._saver = saver if saver is not None and saver is not False else None
        self._history = history
        self._channels = getattr(graph, "channels", None)
        self._before: dict[str, int] = {}
        self.remembers = self._saver is not None or history

    @property
    def note(self) -> str:
        """What it is, and whether it remembers."""
        if self._saver is not None:
            return "a graph with a checkpointer"
        return "a graph that gets its history again" if self._history else "a graph without a checkpointer: it forgets"

    def refuses(self, params: Mapping[str, Any], document: str) -> str:
        """Why these settings cannot work, or an empty text."""
        if self._saver is not None and self._history:
            return "found history: true and a checkpointer, which would keep each turn twice; remove history: true"
        if document == "field" and not self._takes("document"):
            keys = ", ".join(sorted(key for key in self._channels or () if not key.startswith(("_", "branch:"))))
            return f"found no `document` in the graph's state ({keys}), and document: field; use document: message"
        if "thread_id" in params:
            return "found thread_id in params, which guardgate sets itself; remove it"
        steps = params.get("recursion_limit", _STEPS)
        if isinstance(steps, bool) or not isinstance(steps, int) or steps < 1:
            return f"found recursion_limit: {steps!r}; expected a whole number from 1"
        return ""

    async def reply(self, ask: Ask) -> Outcome:
        """One turn, with its latency in milliseconds."""
        refused = self.refuses(ask.params, "message")
        if refused:
            return failure("bad_request", refused)
        if ask.number == 1:
            await self.forget(ask.talk)  # a store that outlives its process may know the id
        sent = self._messages(ask)
        params = dict(ask.params)
        config = {"recursion_limit": params.pop("recursion_limit", _STEPS)}
        began = time.perf_counter()
        try:
            values = await self._graph.ainvoke(
                {**self._fields(ask), "messages": sent},
                config={**config, "configurable": {**params, "thread_id": ask.talk}},
            )
        except Exception as error:  # noqa: BLE001  (becomes the attempt's failure)
            return raised(error)
        ms = round((time.perf_counter() - began) * 1000)
        return {**self._read(ask, len(sent), values), "ms": ms}

    async def forget(self, talk: str) -> None:
        """Drop the conversation's thread where the checkpointer can."""
        self._before.pop(talk, None)
        if self._saver is None:
            return
        try:
            await self._saver.adelete_thread(talk)
        except (AttributeError, NotImplementedError):
            drop = getattr(self._saver, "delete_thread", None)
            if drop is not None:
                await asyncio.get_running_loop().run_in_executor(None, drop, talk)

    def _takes(self, key: str) -> bool:
        return self._channels is None or key in self._channels

    def _fields(self, ask: Ask) -> dict[str, str]:
        """What goes in beside the messages: only keys of the graph's own state."""
        fields = {"system": ask.system, "task": ask.task, "document": ask.document}
        return {key: value for key, value in fields.items() if value is not None and self._takes(key)}

    def _messages(self, ask: Ask) -> list[dict[str, str]]:
        turns = ask.messages if self._history else ask.messages[-1:]
        starts = self._history or ask.number == 1 or not self.remembers
        if ask.system is None or not starts or "system" in self._fields(ask):
            return list(turns)
        return [{"role": "system", "content": ask.system}, *turns]

    def _read(self, ask: Ask, sent: int, values: Any) -> Outcome:
        if not isinstance(values, Mapping) or not isinstance(values.get("messages"), (list, tuple)):
            return failure(
                "malformed",
                f"found {_shape(values)} from the graph; expected its history under `messages`; "
                "wrap the graph in a callable that returns text",
            )
        history = values["messages"]
        before = 0 if self._history or ask.number == 1 else self._before.get(ask.talk, 0)
        self._before[ask.talk] = len(history)
        state = {key: plain(value) for key, value in values.items() if key not in ("messages", "__interrupt__")}
        new = _after_the_turn(history, before + sent)
        outcome = answer(reply_in(new), calls_in(new), state, traced=True, about=about(new))
        if values.get("__interrupt__"):
            asked = str(plain(values["__interrupt__"]))[:500]
            return failure(
                "no_answer", f"the graph stopped at an interrupt instead of replying (__interrupt__: {asked})", outcome
            )
        if not self._history and ask.number > 1 and _forgot(history, before, ask.number):
            found = (
                f"turn {ask.number}: found {len(history)} messages in the returned history, {before} before this turn"
            )
            return failure("forgotten", f"{found}; expected the earlier turns and the new one; {_REMEDY}", outcome)
        return outcome


def _forgot(history: Sequence[Any], before: int, number: int) -> bool:
    """Whether earlier turns are missing: fewer messages than before and one more, or fewer user turns than sent."""
    turns = sum(role(message) == "user" for message in history)
    return len(history) < before + 1 or turns < number


def _after_the_turn(history: Sequence[Any], start: int) -> Sequence[Any]:
    """What follows the user's turn, which stands before `start` unless the graph trims its history."""
    if 0 < start <= len(history) and role(history[start - 1]) == "user":
        return history[start:]
    turns = [place for place, message in enumerate(history) if role(message) == "user"]
    return history[turns[-1] + 1 :] if turns else history


def _shape(values: Any) -> str:
    if isinstance(values, Mapping):
        return f"a mapping with the keys {sorted(map(str, values))[:12]}"
    return f"a {type(values).__name__}"
