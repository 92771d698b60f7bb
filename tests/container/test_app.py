"""The app inside the container: installed by `setup` as a user without a token, and played in its own interpreter."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

from tests.ci.job import HEAD, LABEL, pull
from tests.container.engine import Engine
from tests.container.machine import RUNNERS_OWN, SECONDS, Machine, act, begin, finish
from tests.support.github import GitHub
from tests.support.project import case, lines, put, write

LABELED = pull("labeled", label=LABEL)
GRAPH = '''
"""A graph that remembers, and tells which Python it runs in."""
import sys
from typing import Annotated, TypedDict

from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages


class State(TypedDict):
    messages: Annotated[list, add_messages]


def speak(state):
    said = [one.content for one in state["messages"] if one.type == "human"]
    return {"messages": [("ai", f"{len(said)} turns, the first was {said[0]!r}, in {sys.prefix}")]}


builder = StateGraph(State)
builder.add_node("speak", speak)
builder.add_edge(START, "speak")
builder.add_edge("speak", END)
graph = builder.compile(checkpointer=MemorySaver())
'''
SETUP = """
uv pip install --quiet -r requirements.txt
python -c 'import json, os; json.dump([os.getuid(), dict(os.environ)], open(os.environ["VIRTUAL_ENV"] + "/saw", "w"))'
cat "$VIRTUAL_ENV/saw"
"""
CHILD = 65532


def test_a_graph_is_installed_and_played(engine: Engine, machine: Machine, github: GitHub) -> None:
    put(machine.workspace, "app/graph.py", GRAPH)
    put(machine.workspace, "requirements.txt", "langgraph>=1.2\n")
    target = {"backend": "python", "entry": "app.graph:graph", "python": ".venv/bin/python"}
    write(machine.workspace, target, cases=[case("c1", "first", "second")])
    env = {"APP_KEY": "sk-provider-00000000000000000000"}
    did = act(engine, machine, github, "pull_request", LABELED, env=env, setup=SETUP)
    assert (did.exit, did.code, did.outputs["held"]) == (0, 0, "1"), did.log
    (attempt,) = lines(machine.workspace / did.outputs["results-path"], "attempt")
    last = attempt["replies"][-1]["text"]
    assert last.startswith("2 turns, the first was 'first', in /github/runner_temp/guardgate-app-")
    uid, seen = environment_of(did.log)
    assert uid == CHILD
    assert not set(seen) & {*RUNNERS_OWN, *env}
    assert [name for name in seen if name.startswith(("GITHUB_", "INPUT_", "ACTIONS_", "RUNNER_"))] == []
    assert github.token not in did.log
    assert machine.foreign() == []
    assert list((machine.root / "temp").iterdir()) == []


def environment_of(log: str) -> tuple[int, dict[str, str]]:
    """What the setup printed, marked as its own in the log."""
    (line,) = [one for one in log.splitlines() if one.startswith("  | [")]
    found: Any = json.loads(line.removeprefix("  | ").replace(":\\:", "::"))
    return found[0], found[1]


def test_a_setup_that_fails_is_3_and_says_why(engine: Engine, machine: Machine, github: GitHub) -> None:
    put(machine.workspace, "app.py", "def answer(turn):\n    return 'No.'\n")
    write(machine.workspace, {"backend": "python", "entry": "app:answer"})
    setup = "echo '::error::forged'\ntouch /github/workspace/x || echo 'no way to write here'\nexit 9\n"
    did = act(engine, machine, github, "pull_request", LABELED, setup=setup)
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    assert f"setup (as user {CHILD}): exit code 9" in did.summary
    assert "no way to write here" in did.log
    assert not any(line.startswith("::error::forged") for line in did.log.splitlines())
    assert not Path(machine.workspace / "x").exists()
    assert machine.foreign() == []
    assert list((machine.root / "temp").iterdir()) == []


def test_a_job_that_is_cancelled_during_setup(engine: Engine, machine: Machine, github: GitHub) -> None:
    """The script has no handler and would go on for minutes; so would what it started and left behind."""
    setup = "sleep 300 &\necho under way\nsleep 300\n"
    process = begin(engine, machine, github, "pull_request", LABELED, setup=setup)
    assert process.stdout is not None
    seen = b""
    while b"under way" not in seen:
        line = process.stdout.readline()
        assert line, seen
        seen += line
    process.send_signal(signal.SIGTERM)
    asked = time.monotonic()
    did = finish(process, machine)
    assert time.monotonic() - asked < SECONDS
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    assert "interrupted by SIGTERM" in did.summary
    assert github.statuses[HEAD][-1]["given"]["state"] == "error"
    assert list((machine.root / "temp").iterdir()) == []
