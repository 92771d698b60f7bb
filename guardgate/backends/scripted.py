"""Replies by a script: the public fake, for tests and first steps."""

from __future__ import annotations

from guardgate.backends.base import Available, Surroundings
from guardgate.checks.pattern import compiled
from guardgate.explain import validated
from guardgate.model.project import ScriptedTarget
from guardgate.model.script import Line, Script
from guardgate.record import Failure, Reply, Talk, ToolCall
from guardgate.source import Document, read


class Scripted:
    """The first entry whose `when` is found in the last turn replies; no entry, no answer."""

    def __init__(self, name: str, settings: ScriptedTarget, around: Surroundings) -> None:
        self.name = name
        self._settings = settings
        self._root = around.root
        self._lines: tuple[Line, ...] = ()

    async def available(self) -> Available | Failure:
        """Reads the script."""
        document = read(self._root / self._settings.script, self._settings.script)
        if not isinstance(document, Document):
            return Failure("unavailable", str(document[0]))
        script = validated(Script, document.data, self._settings.script)
        if not isinstance(script, Script):
            return Failure("unavailable", str(script[0]))
        self._lines = script.root
        return Available(version=document.sha256[:12])

    async def reply(self, talk: Talk) -> Reply | Failure:
        """The reply of the first entry that matches."""
        for line in self._lines:
            if compiled(line.when).search(talk.turn):
                return _reply(line)
        return Failure("no_answer", "no entry of the script matches this turn")

    async def forget(self, talk_id: str) -> None:
        """Nothing is kept."""

    async def close(self) -> None:
        """Nothing is open."""


def _reply(line: Line) -> Reply | Failure:
    if line.fail:
        return Failure(line.fail, f"the script says fail: {line.fail}")
    tools = tuple(ToolCall(call.name, call.arguments, call.result) for call in line.tools)
    return Reply(line.say, tools=tools, state=line.state)
