"""A callable: `f(turn, *, session, system, task, document, messages, **params)`, of which it takes what it names."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Mapping
from typing import Any

from .ask import Ask
from .messages import about, calls_in, plain, words
from .outcome import Outcome, answer, failure, raised

_GIVEN = ("session", "system", "task", "document", "messages")
_SHAPE = "expected text or {text, tool_calls, state}, with tool calls as {name, arguments, result}"
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Function:
    """Plays conversations on a callable; one that is not async runs in a thread."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self._parameters = _parameters(call)
        kinds = [parameter.kind for parameter in self._parameters]
        self._any_name = inspect.Parameter.VAR_KEYWORD in kinds
        self._any_place = inspect.Parameter.VAR_POSITIONAL in kinds
        self._turn = self._turn_parameter()
        self._names = {p.name for p in self._parameters if p.kind in _BY_NAME and p is not self._turn}
        self._is_async = inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(call.__call__)
        self.remembers = bool(self._names & {"session", "messages"})

    @property
    def note(self) -> str:
        """What it is and takes, and whether it can remember."""
        takes = ", ".join(["the turn", *(name for name in _GIVEN if name in self._names)])
        kind = "an async callable" if self._is_async else "a callable"
        return f"{kind} that takes {takes}" + ("" if self.remembers else ": it forgets")

    def refuses(self, params: Mapping[str, Any], document: str) -> str:
        """Why these settings cannot work, or an empty text."""
        if self._turn is None and not self._any_place:
            return "found no parameter for the turn; expected f(turn, *, session, **params)"
        for name in params:
            if name in _GIVEN or (self._turn is not None and name == self._turn.name):
                return f"found {name!r} in params, which guardgate fills itself; remove it"
            if name not in self._names and not self._any_name:
                return f"does not take parameter {name!r}; add it to the signature or remove it from params"
        if document == "field" and not self._accepts("document"):
            return "does not take parameter 'document', and document: field; add it or use document: message"
        needed = [p.name for p in self._parameters if p.name in self._names and p.default is p.empty]
        unfilled = [name for name in needed if name not in _GIVEN and name not in params]
        if unfilled:
            return f"requires parameter {unfilled[0]!r}, which nothing fills; set it in params or give it a default"
        return ""

    async def reply(self, ask: Ask) -> Outcome:
        """One turn, with its latency in milliseconds."""
        if ask.number > 1 and not self.remembers:
            return failure(
                "forgotten",
                f"turn {ask.number}: the callable takes neither session nor messages, so it cannot know the earlier "
                "turns; expected one of them in its signature; add it",
            )
        if ask.system is not None and not self._names & {"system", "messages"}:
            return failure("bad_request", "takes neither system nor messages, so the system prompt cannot reach it")
        refused = self.refuses(ask.params, "message")
        if refused:
            return failure("bad_request", f"the callable {refused}")
        places, names = self._arguments(ask)
        began = time.perf_counter()
        try:
            value = await self._value(places, names)
        except Exception as error:  # noqa: BLE001  (becomes the attempt's failure)
            return raised(error)
        if isinstance(value, _Raised):
            return raised(value.error)
        ms = round((time.perf_counter() - began) * 1000)
        return {**_read(value), "ms": ms}

    async def forget(self, talk: str) -> None:
        """Nothing is kept here."""

    def _turn_parameter(self) -> inspect.Parameter | None:
        """The one called `turn`, or else the first that has a place."""
        named = [p for p in self._parameters if p.name == "turn"]
        placed = [p for p in self._parameters if p.kind in _BY_PLACE]
        return next(iter(named + placed), None)

    def _accepts(self, name: str) -> bool:
        return name in self._names or self._any_name

    def _arguments(self, ask: Ask) -> tuple[list[str], dict[str, Any]]:
        """The turn by its place, or by its name where it has none, and whatever else the signature names."""
        messages = ask.messages
        if ask.system is not None and "system" not in self._names:
            messages = [{"role": "system", "content": ask.system}, *messages]
        given = {
            "session": ask.talk,
            "system": ask.system,
            "task": ask.task,
            "document": ask.document,
            "messages": messages,
        }
        names = {name: value for name, value in given.items() if name in self._names}
        if ask.document is not None and self._any_name:
            names["document"] = ask.document
        names.update(ask.params)
        first = self._parameters[0]
        if self._turn is None or (self._turn is first and first.kind in _BY_PLACE):
            return [ask.turn], names
        return [], {self._turn.name: ask.turn, **names}

    async def _value(self, places: list[str], names: dict[str, Any]) -> Any:
        if self._is_async:
            return await self._call(*places, **names)
        value = await asyncio.get_running_loop().run_in_executor(None, _guarded, self._call, places, names)
        return await value if inspect.isawaitable(value) else value


class _Raised:
    """What a callable raised in its thread: some exceptions cannot pass through a future."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _guarded(call: Any, places: list[str], names: dict[str, Any]) -> Any:
    try:
        return call(*places, **names)
    except BaseException as error:  # noqa: BLE001  (SystemExit too ends this attempt only)
        return _Raised(error)


def _parameters(call: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(call).parameters.values())


def _read(value: Any) -> Outcome:
    if not isinstance(value, Mapping):
        text = words(value)
        if text is None:
            return failure("malformed", f"found a {type(value).__name__}; {_SHAPE}; return one of these")
        return answer(text, calls_in([value]), traced=False, about=about([value]))
    unknown = sorted(str(key) for key in value if key not in ("text", "tool_calls", "state"))
    if unknown or not value.keys() & {"text", "tool_calls"}:
        return failure(
            "malformed", f"found a mapping with the keys {sorted(map(str, value))[:12]}; {_SHAPE}; rename them"
        )
    text = words(value.get("text"))
    tools = [_call(call) for call in value.get("tool_calls") or ()]
    if text is None or None in tools:
        return failure("malformed", f"found {_part(value, text)}; {_SHAPE}; return these")
    return answer(text, tools, plain(value.get("state")), traced="tool_calls" in value)


def _call(call: Any) -> dict[str, Any] | None:
    """A tool call in our form; None for another form, so that no argument is lost unseen."""
    if not isinstance(call, Mapping) or not isinstance(call.get("name"), str):
        return None
    if not call.keys() <= {"name", "arguments", "result", "id"}:
        return None
    return {"name": call["name"], "arguments": plain(call.get("arguments")), "result": plain(call.get("result"))}


def _part(value: Mapping[str, Any], text: str | None) -> str:
    if text is None:
        return f"a {type(value['text']).__name__} as text"
    return f"tool calls of another form ({str(plain(value['tool_calls']))[:200]})"
