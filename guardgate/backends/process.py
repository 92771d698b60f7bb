"""Child processes: a small environment, a process group of their own, and an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from guardgate.backends.identity import identity
from guardgate.backends.strays import descendants, holders
from guardgate.record import Failure

#: How much of a child's error output is kept: its end.
TAIL_BYTES = 4096
#: How long the pipes of a child that ended may stay open; a grandchild outside its group can hold them.
PIPES_SECONDS = 1.0

_ALWAYS = ("PATH", "HOME", "LANG")
_ALWAYS_ON_WINDOWS = ("SYSTEMROOT", "USERPROFILE", "TEMP", "PATHEXT")


def child_environment(env: Sequence[str], environ: Mapping[str, str]) -> dict[str, str] | Failure:
    """PATH, HOME, LANG and what `env` names (`NAME` or `NAME=value`); a NAME that is not set is `unavailable`."""
    always = _ALWAYS + (_ALWAYS_ON_WINDOWS if sys.platform == "win32" else ())
    child = {name: environ[name] for name in always if name in environ}
    other = identity()
    if other is not None:
        child["HOME"] = other.home
    missing = []
    for entry in env:
        name, given, value = entry.partition("=")
        if given:
            child[name] = value
        elif environ.get(name):
            child[name] = environ[name]
        else:
            missing.append(name)
    if missing:
        names = ", ".join(missing)
        return Failure(
            "unavailable",
            f"env: found no value for {names} in the environment; expected each NAME to be set; "
            f"set {names}, or write NAME=value",
            fatal=True,
        )
    return child


class Process(asyncio.SubprocessProtocol):
    """A running child; made by `spawn`.

    `silent` is done when its output has ended, `gone` (with its exit code) when it is reaped and nothing more of it
    can be read. `code` is None while it runs.
    """

    def __init__(self, on_output: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self.code: int | None = None
        self.silent: asyncio.Future[None] = loop.create_future()
        self.gone: asyncio.Future[int] = loop.create_future()
        self._on_output = on_output
        self._tail = b""
        self._open = {1, 2}

    @property
    def pid(self) -> int:
        """Its process id, which is also the id of its group."""
        return self._transport.get_pid()

    @property
    def errors(self) -> str:
        """The end of what it wrote to its error output."""
        return self._tail.decode("utf-8", "replace").strip()

    def write(self, data: bytes) -> None:
        """Hand bytes to its input, without waiting; nowhere, once nobody reads there."""
        if not self._input().is_closing():  # else asyncio would complain on the terminal
            self._input().write(data)

    def close_input(self) -> None:
        """End its input."""
        self._input().close()

    def kill(self) -> None:
        """Kill it and its whole group, without waiting."""
        if self.code is None:
            kill_group(self.pid)

    async def end(self) -> None:
        """Kill it and its whole group, and wait until it is reaped."""
        self.kill()
        await asyncio.wait({self.gone})

    def _input(self) -> asyncio.WriteTransport:
        return cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))

    def _pipes(self) -> list[int]:
        """The inodes of its open outputs."""
        found = []
        for fd in self._open:
            pipe = cast(asyncio.BaseTransport, self._transport.get_pipe_transport(fd)).get_extra_info("pipe")
            with suppress(OSError, ValueError):  # it was closed a moment ago
                found.append(os.fstat(pipe.fileno()).st_ino)
        return found

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._on_output(data)
        else:
            self._tail = (self._tail + data)[-TAIL_BYTES:]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        self._open.discard(fd)
        if fd == 1 and not self.silent.done():
            self.silent.set_result(None)
        self._finish_when_read()

    def process_exited(self) -> None:
        self.code = self._transport.get_returncode()
        if sys.platform != "win32":  # there a tree without its root cannot be found, and ids are soon used again
            kill_group(self.pid)
        self._finish_when_read()
        asyncio.get_running_loop().call_later(PIPES_SECONDS, self._finish)

    def _finish_when_read(self) -> None:
        if self.code is not None and not self._open:
            self._finish()

    def _finish(self) -> None:
        if not self.gone.done():
            if self._open and sys.platform != "win32":  # what left the group and the session, and can still speak
                _kill(holders(self._pipes()))
            self._transport.close()
            self.gone.set_result(self.code or 0)


async def spawn(
    command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], on_output: Callable[[bytes], None]
) -> Process:
    """Start a child in a process group of its own, with pipes for input, output and errors; or OSError."""
    other = identity()
    options = _own_group() | (other.options if other else {})
    _, process = await asyncio.get_running_loop().subprocess_exec(
        lambda: Process(on_output),
        *(os.fspath(part) for part in command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=dict(env),
        **options,
    )
    return process


def _own_group() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def kill_group(pid: int) -> None:
    """Kill a process and all of its group that is left, on Linux all that it started too, without waiting."""
    if sys.platform == "win32":
        taskkill = ("taskkill", "/T", "/F", "/PID", str(pid))
        subprocess.run(taskkill, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603
        return
    left = descendants(pid)  # before the group dies: nothing leads from the dead to their children
    # Nobody is left in the group (macOS says "not permitted" where only the dead are).
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    _kill(left)


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
