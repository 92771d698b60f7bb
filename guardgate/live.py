"""One live run: open what the plan names, ask each once, play, and leave a results file behind."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from guardgate import __version__
from guardgate.backends import open_backend
from guardgate.backends.base import Surroundings
from guardgate.codec import case_line, plan_head
from guardgate.engine import Player, Run, Stop, play, preflight
from guardgate.errors import Refused, Unavailable
from guardgate.git import head_commit
from guardgate.intake import Intake
from guardgate.limits import Budget, Limiter
from guardgate.loaded import Loaded
from guardgate.model.project import Run as RunSettings
from guardgate.plan import Plan
from guardgate.planning import Choice, identity, plan, target_sha, uncovered
from guardgate.record import Attempt
from guardgate.results import FORMAT, Writer
from guardgate.targets import Expanded, expand, find

FOLDER = "guardgate-results"


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
    versions: Mapping[str, str | None]
    secrets: tuple[str, ...]


def refuse_if_switched_off(environ: Mapping[str, str]) -> None:
    """`GUARDGATE_LIVE=0` forbids every call. Raises Refused."""
    if environ.get("GUARDGATE_LIVE") == "0":
        raise Refused(
            "GUARDGATE_LIVE", "0, which forbids live runs", "1, or not set", "unset it where models may be called"
        )


def default_out(root: Path, now: datetime) -> Path:
    """`guardgate-results/2026-11-30T18-00-00Z.jsonl`, with a number behind it where that exists."""
    stem = now.strftime("%Y-%m-%dT%H-%M-%SZ")
    names = (f"{stem}{suffix}.jsonl" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(root / FOLDER / name for name in names if not (root / FOLDER / name).exists())


async def live(order: Order, shown: Callable[[Plan, Attempt | None], None]) -> Path:
    """Play the order. `shown` is told of the plan and of each attempt. Raises Unavailable before any case is played."""
    stop = Stop()
    with _signals(stop):
        expanded = {name: _expanded(order, name) for name in order.settings.targets}
        opened, skipped = await _open(order, expanded, stop)
        try:
            planned = _planned(order, skipped)
            await _record(order, planned, opened, stop, shown)
        finally:
            await asyncio.gather(*(player.backend.close() for player in opened.players.values()))
    return order.out


def _expanded(order: Order, name: str) -> Expanded | Unavailable:
    settings = find(order.loaded.project, name, order.environ)
    if settings is None:
        raise Refused("the run", f"the unknown target {name!r}", "a target of the project", "correct the name")
    try:
        return expand(name, settings, order.environ)
    except Unavailable as reason:
        return reason


async def _open(
    order: Order, expanded: Mapping[str, Expanded | Unavailable], stop: Stop
) -> tuple[Opened, list[tuple[str, str]]]:
    """Open and ask every target once, side by side. A target that is optional may be missing; it is named."""
    secrets = tuple(secret for one in expanded.values() if isinstance(one, Expanded) for secret in one.secrets)
    intake = Intake(secrets)
    found: dict[str, Player] = {}
    versions: dict[str, str | None] = {}
    reasons: dict[str, Unavailable] = {}

    async def one(name: str, settings: Expanded | Unavailable) -> None:
        if isinstance(settings, Unavailable):
            reasons[name] = settings
            return
        try:
            found[name] = _player(order, name, settings)
        except Unavailable as reason:
            reasons[name] = reason
            return
        failure, versions[name] = await preflight(
            found[name], _system(order, settings, {}), order.settings.limits, intake
        )
        if failure is not None:
            reasons[name] = Unavailable(name, failure.detail, _advice(failure.kind))

    try:
        await _until_stopped(asyncio.gather(*(one(name, settings) for name, settings in expanded.items())), stop)
        skipped = _skipped(order, reasons)
    except BaseException:
        await asyncio.gather(*(player.backend.close() for player in found.values()))
        raise
    for name in reasons:
        if name in found:
            await found.pop(name).backend.close()
    return Opened(found, versions, secrets), skipped


async def _until_stopped(work: asyncio.Future[Any], stop: Stop) -> None:
    """Wait for the work, or give it up when a signal comes. Raises Refused then."""
    stopped = asyncio.ensure_future(stop.now.wait())
    await asyncio.wait({work, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if stop.now.is_set():
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        raise Refused("the run", f"{stop.reason} before the first case", "time to play", "run it again")
    work.result()


def _advice(kind: str) -> str:
    return {
        "auth": "check the key: it is missing, wrong or not allowed to use this model",
        "not_found": "check the address and the name of the model",
        "quota": "the quota is used up: raise it, or use another key",
        "connection": "start the service, or correct its address",
        "timeout": "see whether the service answers at all, or raise limits.call_seconds",
    }.get(kind, "see whether the target answers a plain greeting, or mark it optional: true")


def _skipped(order: Order, reasons: Mapping[str, Unavailable]) -> list[tuple[str, str]]:
    """Optional targets that are unavailable. Raises Unavailable for any other, or if a rule loses its last target."""
    skipped: list[tuple[str, str]] = []
    for name, reason in reasons.items():
        settings = find(order.loaded.project, name, order.environ)
        if settings is None or not settings.optional:
            raise reason
        skipped.append((name, reason.reason))
    if skipped:
        every = plan(order.loaded, order.choice, order.settings, order.environ)
        left = uncovered(every, plan(order.loaded, order.choice, order.settings, order.environ, skipped))
        if left:
            raise reasons[skipped[0][0]]
    return skipped


def _player(order: Order, name: str, expanded: Expanded) -> Player:
    settings = expanded.settings
    most = min(settings.concurrency or order.settings.concurrency, order.settings.concurrency)
    around = Surroundings(order.loaded.root, most, order.settings.limits.call_seconds, order.environ)
    return Player(open_backend(name, settings, around), settings, most, Limiter(most, settings.max_rpm))


def _system(order: Order, expanded: Expanded, params: Mapping[str, Any]) -> str | None:
    name = params.get("system", expanded.settings.system)
    return None if name is None else order.loaded.files[str(name)]


def _planned(order: Order, skipped: list[tuple[str, str]]) -> Plan:
    return plan(order.loaded, order.choice, order.settings, order.environ, skipped)


async def _record(
    order: Order, planned: Plan, opened: Opened, stop: Stop, shown: Callable[[Plan, Attempt | None], None]
) -> None:
    """Write the head, play, write the end."""
    systems = {
        cell.name: text
        for cell in planned.cells
        if (text := _system(order, Expanded(opened.players[cell.target].settings, ()), cell.params)) is not None
    }
    intake = Intake(opened.secrets)
    with Writer(order.out, intake.redacted) as writer:
        writer.line(_head(order, planned, opened))
        for name, text in planned.files.items():
            writer.line({"t": "file", "name": name, "sha": order.loaded.hashes[name], "text": text})
        for case in planned.cases:
            writer.line(case_line(case))
        shown(planned, None)

        def write(attempt: Attempt) -> None:
            writer.attempt(attempt)
            shown(planned, attempt)

        budget = Budget(order.settings.limits)
        run = Run(
            plan=planned,
            players=opened.players,
            systems=systems,
            limits=order.settings.limits,
            intake=intake,
            budget=budget,
            stop=stop,
            write=write,
            places=asyncio.Semaphore(order.settings.concurrency),
        )
        try:
            await play(run, range(len(planned)))
        finally:
            writer.line(_end(stop, budget))


def _end(stop: Stop, budget: Budget) -> dict[str, Any]:
    return {
        "t": "end",
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "reason": stop.reason,
        "stopped": stop.stopped,
        "calls": budget.calls,
    }


def _head(order: Order, planned: Plan, opened: Opened) -> dict[str, Any]:
    settings = {name: find(order.loaded.project, name, order.environ) for name in opened.players}
    return {
        "t": "run",
        "format": FORMAT,
        "guardgate": __version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "git": head_commit(order.loaded.root),
        **plan_head(planned),
        "targets": {
            name: {**identity(one), "sha": target_sha(order.loaded, one), "version": opened.versions[name]}
            for name, one in settings.items()
            if one is not None
        },
        "judges": {},
        "limits": order.settings.limits.model_dump(mode="json"),
        "concurrency": order.settings.concurrency,
        "files": dict(order.loaded.hashes),
    }


@contextlib.contextmanager
def _signals(stop: Stop) -> Iterator[None]:
    """SIGINT and SIGTERM end the run in order: what came in is written, and the gate says 3."""
    loop = asyncio.get_running_loop()

    def handler(number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(stop.at_once, f"interrupted by {signal.Signals(number).name}")

    names = [signal.SIGINT, signal.SIGTERM]
    before = {number: signal.signal(number, handler) for number in names}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
