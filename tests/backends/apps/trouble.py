"""Callables that go wrong in every way; the turn says how."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import re
import stat
import sys
import threading
from typing import Any

ended: list[str] = []


async def asynchronous(turn: str, *, session: str) -> str:
    if turn == "wait":
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(session)
    if turn == "exit in a task":
        await asyncio.create_task(_exit())
    if turn == "stop the loop":
        asyncio.get_running_loop().stop()
    if turn == "cancel":
        raise asyncio.CancelledError
    while turn == "stubborn":
        await _stubborn()
    return blocking(turn, session=session)


async def _exit() -> None:
    sys.exit("from a task")


async def _stubborn() -> None:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        ended.append("ignored a cancel")


def blocking(turn: str, *, session: str) -> str:
    action: Any = ACTIONS.get(turn, lambda: f"{os.getpid()} {ended}")
    return str(action())


def busy() -> None:
    while True:
        pass


def hold_the_lock() -> None:
    """A match that takes for ever, and holds the interpreter's lock meanwhile."""
    re.match(r"(a+)+$", "a" * 64 + "!")


def last_words() -> None:
    print("last words é")
    os._exit(7)


def close_the_pipes() -> None:
    """Closes what the worker is heard by, and lives on."""
    for fd in range(3, 64):
        with contextlib.suppress(OSError):
            if stat.S_ISFIFO(os.fstat(fd).st_mode):
                os.write(fd, b"")  # fails for what it hears by: without that it would end by itself, and not be killed
                os.close(fd)
    threading.Event().wait()


class UnreadableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def unreadable() -> None:
    raise UnreadableError


def interrupt() -> None:
    raise KeyboardInterrupt


ACTIONS = {
    "hang": threading.Event().wait,
    "busy": busy,
    "hold the lock": hold_the_lock,
    "exit": sys.exit,
    "interrupt": interrupt,
    "raise": lambda: int("no number"),
    "stop": lambda: next(iter(())),
    "unreadable": unreadable,
    "die": last_words,
    "close the pipes": close_the_pipes,
    "close everything": lambda: os.closerange(3, 64),
    "crash": lambda: ctypes.string_at(0),
}
