"""Programs of the project: whose they are in the container, what they know, and where they can write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.ci.job import LABEL, pull
from tests.container.engine import Engine
from tests.container.machine import RUNNERS_OWN, Machine, act
from tests.support.github import GitHub
from tests.support.project import case, lines, put, write

LABELED = pull("labeled", label=LABEL)
CHILD = 65532
SPY = (Path(__file__).parent / "spy.py").read_text(encoding="utf-8")
KEY = "sk-provider-00000000000000000000"
#: What Python itself adds.
OWN = {"LC_CTYPE"}


def told(engine: Engine, machine: Machine, github: GitHub, target: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What the spy says as this target."""
    put(machine.workspace, "spy.py", SPY)
    write(machine.workspace, target, cases=[case("c1", "look")])
    env = {"APP_KEY": KEY, "OTHER_KEY": "sk-other-00000000000000000000"}
    did = act(engine, machine, github, "pull_request", LABELED, env=env, **more)
    assert (did.exit, did.code) == (0, 0), did.log
    assert KEY not in did.log + did.summary + json.dumps(dict(did.outputs))
    (attempt,) = lines(machine.workspace / did.outputs["results-path"], "attempt")
    found: dict[str, Any] = json.loads(attempt["replies"][0]["text"])
    assert machine.foreign() == []
    return found


def is_locked_up(found: dict[str, Any], named: set[str]) -> None:
    assert found["uid"] == [CHILD] * 4
    assert found["umask"] == 0o077
    assert set(found["env"]) - OWN == {"PATH", "HOME"} | named
    assert found["env"]["HOME"] == "/home/child"
    assert found["home"]
    assert found["read"] == []
    assert found["wrote"] == []
    assert found["daemon"] == "PermissionError"
    assert not set(found["env"]) & set(RUNNERS_OWN)


def test_an_app_in_python(engine: Engine, machine: Machine, github: GitHub) -> None:
    target = {"backend": "python", "entry": "spy:answer", "env": ["APP_KEY", "MODE=test"]}
    found = told(engine, machine, github, target)
    is_locked_up(found, {"APP_KEY", "MODE"})
    assert found["env"]["MODE"] == "test"
    assert found["env"]["APP_KEY"] == "[secret]" or KEY not in found["env"]["APP_KEY"]


def test_a_program(engine: Engine, machine: Machine, github: GitHub) -> None:
    program = "import sys; sys.path.insert(0, '.'); import spy; print(spy.answer(''))"
    target = {"backend": "command", "command": ["python3", "-c", program], "input": "text"}
    is_locked_up(told(engine, machine, github, target), set())
