"""Short ways to run claude_cli and codex_cli on stubs."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from guardgate.backends.base import Surroundings
from guardgate.backends.claude_cli import ClaudeCli
from guardgate.backends.cli import Cli
from guardgate.backends.codex_cli import CodexCli
from guardgate.model.project import ClaudeTarget, CodexTarget
from guardgate.record import Failure, Reply, Talk
from tests.backends.python_target import PATIENCE
from tests.backends.stub import calls

PROGRAMS = ("claude", "codex")
KEYS = {"claude": "ANTHROPIC_API_KEY", "codex": "OPENAI_API_KEY"}
MODELS = {"claude": "claude-sonnet-4-5", "codex": "gpt-5-codex"}
PERSONA = 'You are the night desk.\r\nÜnïcode and "quotes" arrive as they are.'
Result = TypeVar("Result")


def target(
    program: str, path: Path, *, seconds: float = PATIENCE, environ: dict[str, str] | None = None, **settings: Any
) -> Cli:
    """A backend that finds the stub in `path` (its folder of programs), and a HOME in which nothing may be left."""
    home = path.parent / "users-home"
    if path.parent.exists():
        home.mkdir(exist_ok=True)
    around = Surroundings(
        path.parent,
        8,
        seconds,
        {
            "PATH": f"{path}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            KEYS[program]: "dummy-key",
            "OTHER_SECRET": "never to be seen",
            **(environ or {}),
        },
    )
    settings = {"env": (KEYS[program],), **settings}
    if program == "claude":
        return ClaudeCli("claude", ClaudeTarget(backend="claude_cli", **settings), around)
    return CodexCli("codex", CodexTarget(backend="codex_cli", **settings), around)


def run(backend: Cli, work: Callable[[Cli], Awaitable[Result]]) -> Result:
    """What `work` returns; the backend is closed afterwards, and must have left no folder."""

    async def play() -> Result:
        try:
            async with asyncio.timeout(2 * PATIENCE):
                return await work(backend)
        finally:
            await backend.close()

    return asyncio.run(play())


def once(backend: Cli, turn: str, **talk: Any) -> Reply | Failure:
    """The outcome of one turn."""
    return run(backend, lambda one: one.reply(Talk("talk", (turn,), **talk)))


def reply_to(backend: Cli, turn: str, **talk: Any) -> Reply:
    """The reply to one turn."""
    outcome = once(backend, turn, **talk)
    assert isinstance(outcome, Reply), outcome
    return outcome


def failure_of(backend: Cli, turn: str, **talk: Any) -> Failure:
    """The failure of one turn."""
    outcome = once(backend, turn, **talk)
    assert isinstance(outcome, Failure), outcome
    return outcome


async def talk_of(backend: Cli, *turns: str, name: str = "talk", **more: Any) -> list[Reply | Failure]:
    """The outcomes of a conversation; a turn that fails has no place in it, and the next words are sent instead."""
    outcomes: list[Reply | Failure] = []
    sent: list[str] = []
    for turn in turns:
        replies = tuple(one for one in outcomes if isinstance(one, Reply))
        outcomes.append(await backend.reply(Talk(name, (*sent, turn), replies, **more)))
        sent += [turn] if isinstance(outcomes[-1], Reply) else []
    return outcomes


def call(path: Path, number: int = -1) -> dict[str, Any]:
    """How the stub in `path` was called."""
    return calls(path.parent)[number]


def after(argv: list[str], word: str) -> str:
    """The argument that follows another."""
    return argv[argv.index(word) + 1]


def rooms() -> set[Path]:
    """The folders of conversations that exist now."""
    return set(Path(tempfile.gettempdir()).glob("guardgate-*"))
