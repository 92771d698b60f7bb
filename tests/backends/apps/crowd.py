"""Counts how many conversations are in flight, and what a death among them costs."""

from __future__ import annotations

import asyncio
import os
import threading

here: set[str] = set()
counts: list[int] = []
lock = threading.Lock()
full = asyncio.Event()
full_too = threading.Event()


def enter(session: str, expected: int) -> None:
    with lock:
        here.add(session)
        counts.append(len(here))
        if len(here) == expected:
            full_too.set()


def leave(session: str) -> str:
    with lock:
        here.discard(session)
        return f"{max(counts)} in {os.getpid()}"


async def meet(turn: str, *, session: str) -> str:
    """Replies once as many as `turn` are here."""
    enter(session, int(turn))
    if full_too.is_set():
        full.set()
    await full.wait()
    return leave(session)


def meet_in_threads(turn: str, *, session: str) -> str:
    enter(session, int(turn))
    full_too.wait()
    return leave(session)


async def fragile(turn: str, *, session: str, crowd: int) -> str:
    """Once all are here, the one that is told to die dies; a second try does so at once."""
    enter(session, crowd)
    if not session.endswith("-again"):
        if full_too.is_set():
            full.set()
        await full.wait()
    if turn == "die":
        os._exit(7)
    if not session.endswith("-again"):
        await asyncio.Event().wait()
    return str(os.getpid())
