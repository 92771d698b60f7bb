"""What a runner of GitHub gives a container action: folders, files, variables; and what the action left there."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.ci.job import MERGE, Did, outputs
from tests.container.engine import Box, Engine
from tests.support.github import GitHub

#: The hosted runner's user, who owns the workspace.
OWNER = 1001
#: No job of a test lives longer than this, in seconds.
PATIENCE = 240.0
#: So long the runner waits after it asked a job to end, before it kills it.
SECONDS = 7.0
#: Looks like what the runner hands its own actions; nothing of it may reach a program of the project.
RUNNERS_OWN = {
    "ACTIONS_RUNTIME_TOKEN": "runtime-token-0000000000",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "identity-token-0000000000",
    "ACTIONS_CACHE_URL": "http://127.0.0.1:9/cache",
    "LD_LIBRARY_PATH": "/opt/hostedtoolcache/Python/3.12.1/x64/lib",
    "JAVA_HOME": "/usr/lib/jvm/temurin-17-jdk-amd64",
    "pythonLocation": "/opt/hostedtoolcache/Python/3.12.1/x64",
    "RUNNER_TOOL_CACHE": "/opt/hostedtoolcache",
}
_FOLDERS = {
    "workspace": "/github/workspace",
    "home": "/github/home",
    "workflow": "/github/workflow",
    "files": "/github/file_commands",
    "temp": "/github/runner_temp",
}
_FILES = {"GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary", "GITHUB_ENV": "env", "GITHUB_PATH": "path",
          "GITHUB_STATE": "state"}  # fmt: skip


@dataclass(frozen=True)
class Machine:
    """One job's folders on the host; all of them belong to the runner's user."""

    root: Path

    @property
    def workspace(self) -> Path:
        return self.root / "workspace"

    @property
    def volumes(self) -> dict[Path, str]:
        found = {self.root / name: inside for name, inside in _FOLDERS.items()}
        return found | {self.root / "docker.sock": "/var/run/docker.sock"}

    def file(self, variable: str) -> Path:
        """The file that a variable such as GITHUB_OUTPUT names."""
        return self.root / "files" / _FILES[variable]

    def prepare(self, payload: Any) -> None:
        """Fresh files for one step, and everything given to the runner's user."""
        for name in _FOLDERS:
            (self.root / name).mkdir(exist_ok=True)
        (self.root / "workflow" / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        for variable in _FILES:
            self.file(variable).write_text("", encoding="utf-8")
        _listen(self.root / "docker.sock")
        for folder, _, names in os.walk(self.root):
            for name in (folder, *(os.path.join(folder, one) for one in names)):
                os.chown(name, OWNER, OWNER, follow_symlinks=False)
        os.chown(self.root / "docker.sock", 0, 0)

    def foreign(self) -> list[str]:
        """What does not belong to the runner's user, and so breaks a later step."""
        every = [one for name in _FOLDERS for one in (self.root / name, *(self.root / name).rglob("*"))]
        return [str(one.relative_to(self.root)) for one in every if one.lstat().st_uid != OWNER]


def _listen(place: Path) -> None:
    """A socket that looks like the daemon's: whoever may connect to that owns the machine."""
    if not place.exists():
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(place))
    place.chmod(0o660)


def environment(github: GitHub | None, event: str, inputs: Mapping[str, str]) -> dict[str, str]:
    """The variables of a container action's step."""
    given = RUNNERS_OWN | {
        "HOME": "/github/home",
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": event,
        "GITHUB_EVENT_PATH": "/github/workflow/event.json",
        "GITHUB_WORKSPACE": "/github/workspace",
        "GITHUB_REPOSITORY": "acme/bot",
        "GITHUB_SHA": MERGE,
        "GITHUB_REF": "refs/pull/7/merge",
        "GITHUB_ACTOR": "dave",
        "GITHUB_RUN_ATTEMPT": "1",
        "GITHUB_SERVER_URL": "https://github.com",
        "RUNNER_TEMP": "/github/runner_temp",
        "RUNNER_OS": "Linux",
    }
    given |= {variable: f"/github/file_commands/{name}" for variable, name in _FILES.items()}
    if github is not None:
        given |= {"GITHUB_API_URL": github.base, "INPUT_GITHUB-TOKEN": github.token}
    return given | {f"INPUT_{name.upper().replace('_', '-')}": value for name, value in inputs.items()}


def begin(
    engine: Engine, machine: Machine, github: GitHub | None, event: str, payload: Any,
    env: Mapping[str, str] | None = None, **inputs: str,
) -> subprocess.Popen[bytes]:  # fmt: skip
    """Start the step as the runner does: no argument, inputs as variables."""
    machine.prepare(payload)
    variables = environment(github, event, inputs) | dict(env or {})
    return engine.start(Box(env=variables, volumes=machine.volumes, workdir="/github/workspace"))


def finish(process: subprocess.Popen[bytes], machine: Machine) -> Did:
    """Wait for the step and read what it left. It says one of four codes, and never GITHUB_ENV or GITHUB_PATH."""
    try:
        log, _ = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.terminate()
        raise
    said = log.decode("utf-8", "replace")
    assert process.returncode in (0, 1, 2, 3), said
    assert "Traceback" not in said, said
    for variable in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE"):
        assert machine.file(variable).read_text(encoding="utf-8") == ""
    summary = machine.file("GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")
    return Did(process.returncode, said, outputs(machine.file("GITHUB_OUTPUT")), summary)


def act(engine: Engine, machine: Machine, github: GitHub | None, event: str, payload: Any, **more: Any) -> Did:
    """A whole step."""
    return finish(begin(engine, machine, github, event, payload, **more), machine)
