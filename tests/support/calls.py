"""Short ways to ask a backend over a real socket."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from guardgate.backends.base import Backend, Surroundings
from guardgate.backends.http import Http
from guardgate.backends.openai import OpenAI
from guardgate.model.project import HttpTarget, OpenAITarget
from guardgate.record import Failure, Reply, Talk

#: Long enough for a busy machine; tests that wait for a timeout pass a short one.
PATIENT = 30.0


def around(
    concurrency: int = 8, call_seconds: float = PATIENT, environ: Mapping[str, str] | None = None
) -> Surroundings:
    return Surroundings(Path(), concurrency, call_seconds, environ or {})


def talk(*turns: str, replies: Sequence[str] = (), seconds: float = PATIENT, **more: Any) -> Talk:
    given = tuple(Reply(text) for text in replies)
    fields = {"id": "talk-1", "turns": turns or ("hello",), "replies": given, **more}
    return Talk(**{"deadline": time.monotonic() + seconds, **fields})


def http(url: str, surroundings: Surroundings | None = None, **settings: Any) -> Http:
    fields = {"backend": "http", "url": url, "request": {"message": "{turn}"}, "reply": "$.answer", **settings}
    return Http("bot", HttpTarget(**fields), surroundings or around())


def openai(url: str | None, surroundings: Surroundings | None = None, **settings: Any) -> OpenAI:
    fields = {"backend": "openai", "base_url": url, "model": "small", **settings}
    return OpenAI("model", OpenAITarget(**fields), surroundings or around())


def ask(backend: Backend, *talks: Talk) -> list[Reply | Failure]:
    """The outcomes of these talks, one after the other."""

    async def play() -> list[Reply | Failure]:
        try:
            return [await backend.reply(one) for one in talks or (talk(),)]
        finally:
            await backend.close()

    return asyncio.run(play())


def got(backend: Backend, one: Talk | None = None) -> Reply:
    (outcome,) = ask(backend, one or talk())
    assert isinstance(outcome, Reply), outcome
    return outcome


def failed(backend: Backend, one: Talk | None = None) -> Failure:
    (outcome,) = ask(backend, one or talk())
    assert isinstance(outcome, Failure), outcome
    return outcome


def sse(*data: Any, end: str | None = "[DONE]") -> bytes:
    """Events as a server sends them; anything but text is JSON."""
    texts = [one if isinstance(one, str) else json.dumps(one) for one in data]
    return "".join(f"data: {text}\n\n" for text in [*texts, *([end] if end else [])]).encode()
