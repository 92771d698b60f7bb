"""Apps that have something to do at their end: `FILE` gets a line for each thing that was done."""

from __future__ import annotations

import asyncio
import atexit
import os
import tempfile
import threading

_FOLDER = tempfile.TemporaryDirectory(prefix="ending-")


def _note(word: str) -> None:
    with open(os.environ["FILE"], "a", encoding="utf-8") as file:
        file.write(f"{word}\n")


def _deliver() -> None:
    """As a tracer does that sends what it has when the program ends."""
    _stop.wait()
    _note("sent")


_stop = threading.Event()
_sender = threading.Thread(target=_deliver, daemon=True)
_sender.start()


@atexit.register
def _flush() -> None:
    _stop.set()
    _sender.join()
    _note("flushed")


async def reply(turn: str, *, session: str) -> str:
    """The folder that must be gone afterwards; in the background goes something on that is cancelled at the end."""

    async def background() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            _note("cancelled")

    _tasks.append(asyncio.ensure_future(background()))
    return _FOLDER.name


_tasks: list[object] = []


def never_ends(turn: str, *, session: str) -> str:
    """A thread that the interpreter waits for, and that waits for ever."""
    threading.Thread(target=threading.Event().wait).start()
    return str(os.getpid())


def exits_badly(turn: str, *, session: str) -> str:
    """What is raised at the end concerns nobody."""
    atexit.register(lambda: 1 / 0)
    return "ok"
