"""A job as a runner starts it: a workspace with a commit, an event, files for outputs and summary, and GitHub's API."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guardgate.cli import run_command_line
from tests.support.github import GitHub, sha_of
from tests.support.project import ended, environment, start

HEAD, MERGE, BASE = sha_of("head"), sha_of("merge"), sha_of("base")
LABEL = "guardgate:live"


@dataclass(frozen=True)
class Did:
    """What a job left: the exit of its step, its log, its outputs (the last of a name) and its summary."""

    exit: int
    log: str
    outputs: Mapping[str, str]
    summary: str

    @property
    def code(self) -> int:
        """guardgate's own code."""
        return int(self.outputs["exit-code"])

    @property
    def verdict(self) -> str:
        """The last line that is a verdict."""
        return next(line for line in reversed(self.log.splitlines()) if line.startswith("guardgate"))


def checkout(workspace: Path, commit: str) -> None:
    """What actions/checkout leaves: the commit itself, not a branch."""
    (workspace / ".git").mkdir(exist_ok=True)
    (workspace / ".git" / "HEAD").write_text(f"{commit}\n", encoding="utf-8")


def pull(action: str, *, label: str | None = None, head: str = HEAD, sender: str = "dave", **more: Any) -> Any:
    """The payload of an event of pull request 7, from a branch of the repository itself."""
    repo = {"full_name": more.pop("repo", "acme/bot")}
    return {
        "action": action,
        "pull_request": {"number": 7, "head": {"sha": head, "repo": repo}, "base": {"sha": BASE}},
        "repository": {"full_name": "acme/bot", "private": False},
        "sender": {"login": sender},
        **({} if label is None else {"label": {"name": label}}),
        **more,
    }


def outputs(path: Path) -> dict[str, str]:
    """The output file as the runner reads it: line by line, each with its own end, the last of a name counts."""
    found: dict[str, str] = {}
    lines = iter(path.read_text(encoding="utf-8").splitlines())
    for line in lines:
        name, _, end = line.partition("<<")
        assert re.fullmatch(r"[a-z-]+", name), line
        value = []
        for inner in lines:
            if inner == end:
                break
            value.append(inner)
        else:
            raise AssertionError(f"{name} has no end")
        found[name] = "\n".join(value)
    return found


def environ_of(
    workspace: Path, github: GitHub | None, event: str, payload: Any, inputs: Mapping[str, str], env: Mapping[str, str]
) -> dict[str, str]:
    """The environment that the runner gives, and the files that it names."""
    files = workspace.parent / "runner"
    files.mkdir(exist_ok=True)
    (files / "event.json").write_text(json.dumps(payload), encoding="utf-8")
    for name in ("output", "summary"):
        (files / name).write_text("", encoding="utf-8")
    given = {
        "GITHUB_EVENT_NAME": event,
        "GITHUB_EVENT_PATH": str(files / "event.json"),
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_OUTPUT": str(files / "output"),
        "GITHUB_STEP_SUMMARY": str(files / "summary"),
        "GITHUB_REPOSITORY": "acme/bot",
        "GITHUB_SHA": MERGE,
        "GITHUB_ACTOR": "dave",
        "GITHUB_RUN_ATTEMPT": "1",
        "RUNNER_TEMP": str(files),
    }
    if github is not None:
        given |= {"GITHUB_API_URL": github.base, "INPUT_GITHUB-TOKEN": github.token}
    return given | {f"INPUT_{name.upper().replace('_', '-')}": value for name, value in inputs.items()} | dict(env)


def begin(
    workspace: Path, github: GitHub | None, event: str, payload: Any, env: Mapping[str, str] | None = None,
    **inputs: str,
) -> subprocess.Popen[bytes]:  # fmt: skip
    """Start the job."""
    return start(workspace, "ci", env=environ_of(workspace, github, event, payload, inputs, env or {}))


def finish(process: subprocess.Popen[bytes], workspace: Path) -> Did:
    """Wait for the job and read what it left."""
    ran = ended(process)
    return left(workspace, ran.code, ran.out + ran.err)


def left(workspace: Path, code: int, log: str) -> Did:
    """What stands in the files of the runner."""
    files = workspace.parent / "runner"
    summary = (files / "summary").read_text(encoding="utf-8")
    return Did(code, log, outputs(files / "output"), summary)


def job(
    workspace: Path, github: GitHub | None, event: str, payload: Any, env: Mapping[str, str] | None = None,
    **inputs: str,
) -> Did:  # fmt: skip
    """A whole job in this process, which spares its start; what it plays runs in processes of their own, as ever."""
    given = environment(environ_of(workspace, github, event, payload, inputs, env or {}))
    out, err = io.StringIO(), io.StringIO()
    before = dict(os.environ)
    with contextlib.chdir(workspace), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        os.environ.clear()
        os.environ.update(given)
        try:
            code = run_command_line(["ci"])
        finally:
            os.environ.clear()
            os.environ.update(before)
    assert code in (0, 1, 2, 3)
    assert "Traceback" not in err.getvalue()
    return left(workspace, code, out.getvalue() + err.getvalue())
