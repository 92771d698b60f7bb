"""The `command` backend: any program, started once a turn, without a shell.

With `input: json` it reads one JSON object and writes one (or a JSON string); with `input: text` it reads the turn
and writes the reply.
"""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from guardgate.backends.base import MAX_REPLY_BYTES, Available, Surroundings
from guardgate.backends.bodies import UnreadableError, parse, quote, shape
from guardgate.backends.process import child_environment
from guardgate.backends.program import Ended, Order, Programs, killed, on_path
from guardgate.backends.template import conversation
from guardgate.model.project import CommandTarget
from guardgate.record import Failure, Reply, Retry, Talk, ToolCall

EXPECTED = 'one JSON object {"text", "tool_calls", "state"} or a JSON string on its output, and nothing else'
_QUOTED = 200
#: What a terminal would not show: control sequences, titles, single escapes.
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-Z\\^-~])")


class Command:
    """A program that answers one turn and ends. Nothing of it lives on between two turns."""

    def __init__(self, name: str, settings: CommandTarget, around: Surroundings) -> None:
        self.name = name
        self._settings = settings
        self._around = around
        self._root = around.root.absolute()
        self._programs = Programs()

    async def available(self) -> Available | Failure:
        """Whether the program is there and its settings can reach it; it is not started."""
        env = child_environment(self._settings.env, self._around.environ)
        if isinstance(env, Failure):
            return env
        program = self._program(env)
        if isinstance(program, Failure):
            return program
        lost = self._lost(Talk("", ("",), params=self._settings.params))
        if lost is None and self._settings.input == "text" and self._settings.document == "field":
            lost = Failure("bad_request", "with input: text a document has no field; set input: json, or take it out")
        return Failure("unavailable", lost.detail, fatal=True) if lost else Available()

    async def reply(self, talk: Talk) -> Reply | Failure:
        """Start the program, hand it the turn, and read what it wrote."""
        env = child_environment(self._settings.env, self._around.environ)
        if isinstance(env, Failure):
            return env
        program = self._program(env)
        if isinstance(program, Failure):
            return program
        lost = self._lost(talk)
        if lost is not None:
            return lost
        seconds = min(self._around.call_seconds, talk.deadline - time.monotonic())
        command = (program, *self._settings.command[1:])
        order = Order(command, self._root, env, self._question(talk), seconds, MAX_REPLY_BYTES)
        ended = await self._programs.run(talk.id, order)
        if isinstance(ended, Failure):
            return ended
        return killed(ended, order, self._partial(ended)) or self._read(ended, talk)

    async def forget(self, talk_id: str) -> None:
        """End what still runs for this conversation."""
        await self._programs.stop(talk_id)

    async def close(self) -> None:
        """End every program with its group, and wait until all are reaped."""
        await self._programs.close()

    def _program(self, env: dict[str, str]) -> str | Failure:
        """The file to start: a bare name from PATH, anything else from the project's folder."""
        name = self._settings.command[0]
        if os.sep not in name and "/" not in name:
            found = on_path(name, env.get("PATH", ""))
            return found or _unavailable(f"found no program {name!r} on PATH", "install it, or correct its name")
        place = Path(os.path.normpath(self._root / name))
        if not os.path.isabs(name) and not place.is_relative_to(self._root):
            return _unavailable(f"found {name!r}, outside of the project", "move it into the project, or use PATH")
        if not place.is_file() or not os.access(place, os.X_OK):
            what = "a file that may not be executed" if place.is_file() else "no such file"
            return _unavailable(f"found {what} at {name!r}", "correct the path, or make it executable")
        return str(place)

    def _lost(self, talk: Talk) -> Failure | None:
        """What a program that reads nothing but the turn would never learn of."""
        if self._settings.input == "json":
            return None
        todo = "set input: json, which hands over everything"
        if talk.replies:
            return Failure(
                "forgotten", f"turn {len(talk.turns)}: with input: text it cannot know earlier turns; {todo}"
            )
        for what, value in (("system prompt", talk.system), ("params", dict(talk.params))):
            if value:
                return Failure("bad_request", f"with input: text the {what} cannot reach it; {todo}")
        return None

    def _question(self, talk: Talk) -> bytes:
        if self._settings.input == "text":
            return talk.turn.encode("utf-8", "replace")
        question = {
            "turn": talk.turn,
            "turns": list(talk.turns),
            "messages": conversation(talk),
            "session": talk.id,
            "system": talk.system,
            "task": talk.task,
            "document": talk.document if self._settings.document == "field" else None,
            "params": {**self._settings.params, **talk.params},
        }
        return json.dumps(question).encode() + b"\n"

    def _read(self, ended: Ended, talk: Talk) -> Reply | Failure:
        if ended.code < 0:
            retry: Retry = "no" if talk.alone else "restart"
            return Failure("crashed", f"it was ended by a signal; {ended.streams}", retry, partial=self._partial(ended))
        if ended.code:
            return Failure("app_error", f"it failed; {ended.streams}", partial=self._partial(ended))
        if self._settings.input == "text":
            return Reply(_seen(ended), ms=ended.ms, traced=False)
        if not ended.output.strip():
            return Failure("no_answer", f"found nothing; expected {EXPECTED}; {ended.streams}")
        try:
            return _answer(parse(ended.output), ended.ms)
        except UnreadableError as error:
            found = f"{error}: {quote(ended.output, _QUOTED)}"
            return Failure(
                "malformed", f"found {found}; expected {EXPECTED}; {ended.streams}", partial=self._partial(ended)
            )

    def _partial(self, ended: Ended) -> Reply | None:
        """What a program said before it failed: it can break a rule, never hold one."""
        if not ended.output.strip():
            return None
        try:
            said = _answer(parse(ended.output), ended.ms) if self._settings.input == "json" else None
        except UnreadableError:
            said = None
        return replace(said or Reply(_seen(ended), ms=ended.ms, traced=False), cut=True)


def _unavailable(found: str, todo: str) -> Failure:
    expected = "a program on PATH, or a path inside the project's folder"
    return Failure("unavailable", f"command: {found}; expected {expected}; {todo}", fatal=True)


def _seen(ended: Ended) -> str:
    """The output as a terminal would show it, without the end of its last line."""
    text = _ANSI.sub("", ended.text)
    return text.removesuffix("\n").removesuffix("\r")


def _answer(value: Any, ms: int) -> Reply:
    if isinstance(value, str):
        return Reply(value, ms=ms, traced=False)
    if not isinstance(value, dict):
        raise UnreadableError(f"{shape(value)}, which is no answer")
    unknown = value.keys() - {"text", "tool_calls", "state"}
    if unknown or not value.keys() & {"text", "tool_calls"}:
        raise UnreadableError(f"{shape(value)}, which is no answer")
    text, calls = value.get("text"), value.get("tool_calls")
    if text is not None and not isinstance(text, str):
        raise UnreadableError(f"{shape(text)} as text")
    if calls is not None and not isinstance(calls, list):
        raise UnreadableError(f"{shape(calls)} as tool_calls")
    tools = tuple(_call(call) for call in calls or ())
    return Reply(text or "", tools, value.get("state"), ms, traced="tool_calls" in value)


def _call(call: Any) -> ToolCall:
    """A call in our form; another form is refused, so that no argument is lost unseen."""
    known = isinstance(call, dict) and call.keys() <= {"name", "arguments", "result", "id"}
    if not known or not isinstance(call.get("name"), str):
        raise UnreadableError(f"{shape(call)} as a tool call; expected name, arguments, result")
    return ToolCall(call["name"], call.get("arguments"), call.get("result"))
