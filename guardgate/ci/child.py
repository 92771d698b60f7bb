"""Processes of the action: guardgate itself without the token, and the app's installation without anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from guardgate.backends.process import kill_group

#: How long a child may take to end in order once the job is cancelled: the runner kills us after seven seconds.
GRACE = 4.0
#: How many lines of a child's output are kept.
TAIL = 40
#: Isolated, so that no folder of the workspace is imported; guardgate itself is found where this one was.
_HERE = str(Path(__file__).resolve().parents[2])
_START = f"import sys; sys.path.append({_HERE!r}); from guardgate.__main__ import main; main()"
#: What a workflow's job has that its programs must not have: the runner's, its tokens, and what changes a process.
_PREFIXES = ("INPUT_", "ACTIONS_", "GITHUB_", "RUNNER_", "GH_", "LD_", "DYLD_", "PYTHON", "STATE_", "JAVA_")
_NAMES = ("pythonLocation", "BASH_ENV", "ENV")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended. `tail`: the end of what it said. `interrupted`: by which signal the job was ended, if it was.

    A negative `code` is the number of the signal that ended it.
    """

    code: int
    tail: tuple[str, ...]
    interrupted: str | None = None


def without_the_job(environ: Mapping[str, str], token: str) -> dict[str, str]:
    """The environment for guardgate's own run: what the workflow's `env` gives it, and nothing of the runner's.

    No variable that holds the token stays, whatever it is called.
    """
    kept = {name: value for name, value in environ.items() if not name.startswith(_PREFIXES) and name not in _NAMES}
    return {name: value for name, value in kept.items() if not token or token not in value}


def guardgate(arguments: Sequence[str], cwd: Path, env: Mapping[str, str], say: Callable[[str], None]) -> Ended:
    """Run a command of guardgate in a process of its own; what it says is passed on line by line."""
    return run([sys.executable, "-I", "-u", "-c", _START, *arguments], cwd, env, say)


def run(command: Sequence[str], cwd: Path, env: Mapping[str, str], say: Callable[[str], None], **options: Any) -> Ended:
    """Run a program to its end, both streams as one. A signal to us becomes its SIGTERM, and then its end."""
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(  # noqa: S603 - no shell; what is run is the workflow's own
        list(command), cwd=cwd, env=dict(env), **streams, **_own_group(), **options
    )
    tail: list[str] = []
    reader = threading.Thread(target=_pass_on, args=(process, say, tail), daemon=True)
    with _signals(process) as came:
        reader.start()
        while process.poll() is None:
            _wait(process)
            if came and time.monotonic() > came[0][1] + GRACE:
                kill_group(process.pid)
        kill_group(process.pid)  # whatever it left behind in its group
    reader.join(timeout=1.0)
    return Ended(process.returncode, tuple(tail), came[0][0] if came else None)


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(timeout=0.1)
    except subprocess.TimeoutExpired:
        return


def _pass_on(process: subprocess.Popen[bytes], say: Callable[[str], None], tail: list[str]) -> None:
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    for raw in process.stdout:
        line = raw.decode("utf-8", "replace")
        say(line)
        tail.append(line.rstrip())
        del tail[:-TAIL]


def _own_group() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


@contextmanager
def _signals(process: subprocess.Popen[bytes]) -> Iterator[list[tuple[str, float]]]:
    """The signals that came, with their time; the first one asks the child to end, none ends us."""
    came: list[tuple[str, float]] = []

    def heed(number: int, _frame: FrameType | None) -> None:
        if not came and process.returncode is None:
            process.terminate()
        came.append((signal.Signals(number).name, time.monotonic()))

    named = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    before = {number: signal.signal(number, heed) for number in named}
    try:
        yield came
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def hand_back(place: Path, workspace: Path) -> None:
    """Give files and folders that we made as root to the owner of the workspace, so that later steps can use them."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return
    owner = workspace.stat()
    between = [one for one in place.parents if one != workspace and one.is_relative_to(workspace)]
    for folder, _, files in os.walk(place):
        between += [Path(folder), *(Path(folder, file) for file in files)]
    for one in between:
        os.chown(one, owner.st_uid, owner.st_gid, follow_symlinks=False)
