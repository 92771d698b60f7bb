"""Plays a run of docs/persona-run again with the replies that the model gave once, so that no model is needed.

    python -m tests.suites.persona.replay RUN OUT STORED...

Each question gets the reply that a stored results file has for it, the first file first; where a question was asked
several times, the replies come in their order. A question that nobody has asked, or not so often, gets an error, and
then the run is not complete.
"""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from guardgate.record import Reply
from guardgate.results import open_results
from tests.support.project import HELLO, ROOT, environment
from tests.support.server import Answer, Seen, Server

FOLDER = ROOT / "docs" / "persona-run"
#: What was said up to a question, by both sides, the question last.
Talk = tuple[str, ...]
#: The replies to a question that are still to be given.
Known = dict[Talk, deque[Reply]]


def replies(files: Iterable[Path]) -> Known:
    """What the model said, by what was said before."""
    known: Known = {}
    for file in files:
        here: Known = {}
        results = open_results(file)
        for attempt in sorted(results.attempts(), key=lambda one: one.n):
            talk: Talk = ()
            turns = results.plan.cases[results.plan.at(attempt.n).case].case.turns
            for turn, reply in zip(turns, attempt.replies, strict=False):
                assert not reply.cut
                here.setdefault((*talk, turn), deque()).append(reply)
                talk = (*talk, turn, reply.text)
        known = here | known
    return known


def answer(known: Known, seen: Seen) -> Answer:
    """What is said to a question, as the model's server would say it."""
    talk = tuple(one["content"] for one in seen.json["messages"] if one["role"] != "system")
    reply = Reply("Hello! How can I help you?") if talk == (HELLO,) else None
    if reply is None and known.get(talk):
        reply = known[talk].popleft()
    if reply is None:
        return Answer("nobody has asked this", status=400)
    usage = {"prompt_tokens": reply.usage.input, "completion_tokens": reply.usage.output} if reply.usage else {}
    choice = {"message": {"role": "assistant", "content": reply.text}, "finish_reason": "stop"}
    return Answer({"model": "smollm2", "choices": [choice], "usage": usage})


def play(name: str, out: Path, files: Iterable[Path]) -> int:
    """Play a run of the project against the stored replies; its exit code."""
    known = replies(files)
    with Server(lambda seen: answer(known, seen)) as server:
        command = [sys.executable, "-m", "guardgate", "run", name, "--out", str(out.resolve())]
        return subprocess.run(
            command, cwd=FOLDER, env=environment({"SMALL_MODEL_URL": f"{server.url}/v1"}), check=False
        ).returncode


if __name__ == "__main__":
    raise SystemExit(play(sys.argv[1], Path(sys.argv[2]), map(Path, sys.argv[3:])))
