"""Opens the targets and judges of a run, and asks each of them once before anything is played."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guardgate.backends import open_backend
from guardgate.backends.base import Available, Surroundings
from guardgate.engine import Player, preflight
from guardgate.errors import Refused, Unavailable
from guardgate.intake import Intake
from guardgate.judging.panel import Panel
from guardgate.jury import Judge
from guardgate.limits import Limiter
from guardgate.loaded import Loaded
from guardgate.model.project import Run as RunSettings
from guardgate.plan import cells
from guardgate.planning import Choice, asked, plan, uncovered
from guardgate.record import Failure
from guardgate.stopping import Stop, until_stopped
from guardgate.targets import Expanded, expand, find


@dataclass(frozen=True)
class Order:
    """What to play and where to write: the project, the choice, the run, the environment, the results file."""

    loaded: Loaded
    choice: Choice
    settings: RunSettings
    environ: Mapping[str, str]
    out: Path


@dataclass(frozen=True)
class Opened:
    """The backends of a run, by name, with what must never be shown."""

    players: Mapping[str, Player]
    judges: Mapping[str, Judge]
    about: Mapping[str, Available]
    secrets: tuple[str, ...]


def refuse_if_switched_off(environ: Mapping[str, str]) -> None:
    """`GUARDGATE_LIVE=0` forbids every call, and so does a value that nobody can read. Raises Refused."""
    value = environ.get("GUARDGATE_LIVE", "").strip().lower()
    if value not in ("", "1", "true", "yes", "on"):
        raise Refused(
            "GUARDGATE_LIVE", f"{value!r}, which forbids live runs", "1, or not set",
            "unset it where models may be called",
        )  # fmt: skip


async def open_all(order: Order, stop: Stop) -> tuple[Opened, list[tuple[str, str]]]:
    """Open and ask every target that has a cell, and every judge, once, side by side.

    A target that is optional may be missing; it is named.
    """
    panel = Panel(order.settings.judges, order.settings.agreement, order.settings.escalate)
    played = {cell.target for cell in cells(order.settings, order.settings.targets)}
    named = {(False, name): _expanded(order, name) for name in order.settings.targets if name in played}
    named |= {(True, name): _expanded(order, name, judge=True) for name in asked(panel)}
    secrets = tuple(secret for one in named.values() if isinstance(one, Expanded) for secret in one.secrets)
    intake = Intake(secrets)
    shared = asyncio.Semaphore(order.settings.concurrency)
    players: dict[tuple[bool, str], Player] = {}
    about: dict[tuple[bool, str], Available] = {}
    reasons: dict[tuple[bool, str], Unavailable] = {}

    async def one(key: tuple[bool, str], settings: Expanded | Unavailable) -> None:
        try:
            if isinstance(settings, Unavailable):
                raise settings
            players[key] = _player(order, key[1], settings, shared)
        except Unavailable as reason:
            reasons[key] = reason
            return
        prompt = None if key[0] else system(order, settings, {})
        failure, about[key] = await preflight(players[key], prompt, order.settings.limits, intake)
        if failure is not None:
            reasons[key] = Unavailable(key[1], failure.detail, _advice(failure))

    try:
        await until_stopped(asyncio.gather(*(one(key, settings) for key, settings in named.items())), stop)
        skipped = _skipped(order, reasons)
    except BaseException:
        await asyncio.gather(*(player.backend.close() for player in players.values()))
        raise
    for key in reasons:
        if key in players:
            await players.pop(key).backend.close()
    return (
        Opened(
            {name: player for (judge, name), player in players.items() if not judge},
            {name: Judge(name, p.backend, p.settings, p.limiter) for (judge, name), p in players.items() if judge},
            {f"judge {name}" if judge else name: able for (judge, name), able in about.items()},
            secrets,
        ),
        skipped,
    )


def _expanded(order: Order, name: str, *, judge: bool = False) -> Expanded | Unavailable:
    settings = find(order.loaded.project, name, order.environ, judge=judge)
    if settings is None:
        what = "judge" if judge else "target"
        raise Refused("the run", f"the unknown {what} {name!r}", f"a {what} of the project", "correct the name")
    try:
        return expand(name, settings, order.environ)
    except Unavailable as reason:
        return reason


def _advice(failure: Failure) -> str:
    """What to do; a failure that can only come again says so itself."""
    if failure.fatal:
        return "or mark it optional: true"
    return {
        "connection": "start the service, or correct its address",
        "timeout": "see whether the service answers at all, or raise limits.call_seconds",
    }.get(failure.kind, "see whether it answers a plain greeting, or mark it optional: true")


def _skipped(order: Order, reasons: Mapping[tuple[bool, str], Unavailable]) -> list[tuple[str, str]]:
    """Optional targets that are unavailable. Raises Unavailable for any other, or if a rule loses its last target."""
    skipped: list[tuple[str, str]] = []
    for (judge, name), reason in reasons.items():
        settings = find(order.loaded.project, name, order.environ)
        if judge or settings is None or not settings.optional:
            raise reason
        skipped.append((name, reason.reason))
    if skipped:
        every = plan(order.loaded, order.choice, order.settings, order.environ)
        left = uncovered(every, plan(order.loaded, order.choice, order.settings, order.environ, skipped))
        if left:
            raise reasons[False, skipped[0][0]]
    return skipped


def _player(order: Order, name: str, expanded: Expanded, shared: asyncio.Semaphore) -> Player:
    settings = expanded.settings
    most = min(settings.concurrency or order.settings.concurrency, order.settings.concurrency)
    around = Surroundings(order.loaded.root, most, order.settings.limits.call_seconds, order.environ)
    return Player(open_backend(name, settings, around), settings, most, Limiter(most, settings.max_rpm, shared))


def system(order: Order, expanded: Expanded, params: Mapping[str, Any]) -> str | None:
    """The text of the system prompt of a target under these params, or None."""
    name = params.get("system", expanded.settings.system)
    return None if name is None else order.loaded.files[str(name)]


async def close(players: Mapping[str, Player], judges: Mapping[str, Judge]) -> None:
    """End every process and connection."""
    backends = [one.backend for one in players.values()] + [one.backend for one in judges.values()]
    await asyncio.gather(*(backend.close() for backend in backends))
