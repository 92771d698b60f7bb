"""Replies and scores by a script: the public fake, for tests and first steps."""

from __future__ import annotations

import json

from guardgate.backends.base import Available, Surroundings
from guardgate.checks.pattern import compiled, found
from guardgate.explain import validated
from guardgate.judging.question import ReadBack, read_back
from guardgate.model.project import ScriptedTarget
from guardgate.model.script import Line, Script
from guardgate.record import Failure, Reply, Talk, ToolCall
from guardgate.source import Document, read


class Scripted:
    """The first entry whose `when` is found replies: in the last turn for a target, in a reply for a judge."""

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
        """The reply, or the scores, of the first entry that matches."""
        question = read_back(talk.system, talk.turn)
        if question is not None:
            return self._scored(question)
        for line in self._lines:
            if line.scores is not None:
                return Reply("This script answers judges' questions.")
            if compiled(line.when).search(talk.turn):
                return _reply(line)
        return Failure("no_answer", "no entry of the script matches this turn")

    def _scored(self, question: ReadBack) -> Reply | Failure:
        for line in self._lines:
            turn = next((n for n, text in enumerate(question.replies, 1) if compiled(line.when).search(text)), None)
            if turn is None:
                continue
            return _reply(line) if line.scores is None else Reply(_answer(line, question, turn))
        return Failure("no_answer", "no entry of the script matches this conversation")

    async def forget(self, talk_id: str) -> None:
        """Nothing is kept."""

    async def close(self) -> None:
        """Nothing is open."""


def _reply(line: Line) -> Reply | Failure:
    if line.fail:
        return Failure(line.fail, f"the script says fail: {line.fail}")
    tools = tuple(ToolCall(call.name, call.arguments, call.result) for call in line.tools)
    return Reply(line.say or "", tools=tools, state=line.state)


def _answer(line: Line, question: ReadBack, turn: int) -> str:
    """The one JSON object that a judge owes, with the same words as evidence for every criterion."""
    text = question.replies[turn - 1]
    span = found(line.quote or line.when, text)
    quote = text[span[0] : span[1]] if span else text
    scores = {name: (line.scores or {}).get(name, 1.0) for name in question.criteria}
    evidence = [
        {"criterion": name, "turn": turn, "quote": quote, "reason": "the script says so"} for name in question.criteria
    ]
    return json.dumps({"nonce": question.nonce, "scores": scores, "evidence": evidence, "failure_mode": None})
