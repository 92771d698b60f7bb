"""Plays a run of docs/persona-run again with the replies that the model gave once, so that no model is needed.

    python -m tests.suites.persona.replay RUN OUT STORED...

Each question gets the reply that a stored results file has for it, the first file first. A question that nobody has
asked gets an error, and then the run is not complete.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from guardgate.record import Reply
from guardgate.results import open_results
from tests.support.project import HELLO, ROOT, environment
from tests.support.server import Answer, Seen, Server

FOLDER = ROOT / "docs" / "persona-run"
#: What the user said, turn by turn.
Talk = tuple[str, ...]


def replies(files: Iterable[Path]) -> dict[Talk, Reply]:
    """What the model said, by the user's turns up to there."""
    known: dict[Talk, Reply] = {}
    for file in files:
        results = open_results(file)
        for attempt in results.attempts():
            turns = results.plan.cases[results.plan.at(attempt.n).case].case.turns
            for at, reply in enumerate(attempt.replies):
                assert not reply.cut
                known.setdefault(tuple(turns[: at + 1]), reply)
    return known


def answer(known: Mapping[Talk, Reply], seen: Seen) -> Answer:
    """What is said to a question, as the model's server would say it."""
    turns = tuple(one["content"] for one in seen.json["messages"] if one["role"] == "user")
    reply = Reply("Hello! How can I help you?") if turns == (HELLO,) else known.get(turns)
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
