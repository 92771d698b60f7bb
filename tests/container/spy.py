"""A bot in the workspace that tells, as its reply, what a program of the project can see and do in the container."""

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path


def answer(turn: str) -> str:
    """Everything that it should not know, as JSON."""
    return json.dumps({
        "uid": [os.getuid(), os.geteuid(), os.getgid(), os.getegid(), *os.getgroups()],
        "umask": os.umask(0o077),
        "env": dict(os.environ),
        "read": [str(one) for one in foreign_files() if readable(one)],
        "wrote": [str(one) for one in places() if writable(one)],
        "home": writable(Path.home()),
        "daemon": daemon(),
    })  # fmt: skip


def daemon() -> str:
    """What comes of connecting to the container daemon; whoever may, owns the machine."""
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect("/var/run/docker.sock")
    except OSError as error:
        return type(error).__name__
    return "connected"


def foreign_files() -> Iterator[Path]:
    """The environments and open files of other processes, and what only root may read."""
    own = {str(os.getpid()), "self", "thread-self"}
    processes = [one for one in Path("/proc").iterdir() if one.name.isdigit() and one.name not in own]
    for one in processes:
        if (one / "cmdline").exists():
            yield from (one / "environ", one / "mem", one / "fd" / "0", one / "cwd" / "guardgate.yaml")
    yield Path("/etc/shadow")


def readable(path: Path) -> bool:
    """Whether it opens."""
    try:
        with path.open("rb") as file:
            return file.read(1) is not None
    except OSError:
        return False


def places() -> Iterator[Path]:
    """Where guardgate, the runner, or a later step would find what was put there."""
    named = [os.environ.get(name, "") for name in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_STEP_SUMMARY")]
    yield from (Path(one) for one in named if one)
    yield from Path("/github/file_commands").glob("*")
    folders = ["/github/workspace", "/github/workspace/guardgate-results", "/github/home", "/github/runner_temp",
               "/github/workflow", "/opt/gg", "/opt/gg/bin", "/usr/local/bin", "/root", "/"]  # fmt: skip
    yield from (Path(one) for one in folders)


def writable(place: Path) -> bool:
    """Whether something can be added to the file, or to the folder."""
    try:
        if place.is_dir():
            probe = place / "spy-was-here"
            probe.write_text("x")
            probe.unlink()
        else:
            with place.open("a") as file:
                file.write("exit-code=0\n")
    except OSError:
        return False
    return True
