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
from guardgate.anchors import probes
from guardgate.backends import open_backend
from guardgate.backends.base import Surroundings
from guardgate.calibrate import DEFAULT_FLOOR, anchor_line, fitness_line, floors_in_use, score_probes
from guardgate.codec import case_line, plan_head
from guardgate.engine import Player, Run, Stop, play, preflight
from guardgate.errors import Refused, Unavailable
from guardgate.fitness import fitness
from guardgate.git import head_commit
from guardgate.intake import Intake
from guardgate.judging.panel import Panel
from guardgate.jury import Judge, Jury
from guardgate.limits import Budget, Limiter
from guardgate.loaded import Loaded
from guardgate.model.project import Run as RunSettings
from guardgate.plan import Plan
from guardgate.planning import Choice, asked, identity, judge_sha, plan, target_sha, uncovered
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
    judges: Mapping[str, Judge]
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
        opened, skipped = await _open(order, stop)
        try:
            planned = plan(order.loaded, order.choice, order.settings, order.environ, skipped)
            await _record(order, planned, opened, stop, shown)
        finally:
            await _close(opened.players, opened.judges)
    return order.out


async def _close(players: Mapping[str, Player], judges: Mapping[str, Judge]) -> None:
    backends = [one.backend for one in players.values()] + [one.backend for one in judges.values()]
    await asyncio.gather(*(backend.close() for backend in backends))


def _expanded(order: Order, name: str, *, judge: bool = False) -> Expanded | Unavailable:
    settings = find(order.loaded.project, name, order.environ, judge=judge)
    if settings is None:
        what = "judge" if judge else "target"
        raise Refused("the run", f"the unknown {what} {name!r}", f"a {what} of the project", "correct the name")
    try:
        return expand(name, settings, order.environ)
    except Unavailable as reason:
        return reason


async def _open(order: Order, stop: Stop) -> tuple[Opened, list[tuple[str, str]]]:
    """Open and ask every target and judge once, side by side. A target that is optional may be missing; it is named."""
    panel = Panel(order.settings.judges, order.settings.agreement, order.settings.escalate)
    named = {(False, name): _expanded(order, name) for name in order.settings.targets}
    named |= {(True, name): _expanded(order, name, judge=True) for name in asked(panel)}
    secrets = tuple(secret for one in named.values() if isinstance(one, Expanded) for secret in one.secrets)
    intake = Intake(secrets)
    players: dict[tuple[bool, str], Player] = {}
    versions: dict[tuple[bool, str], str | None] = {}
    reasons: dict[tuple[bool, str], Unavailable] = {}

    async def one(key: tuple[bool, str], settings: Expanded | Unavailable) -> None:
        try:
            if isinstance(settings, Unavailable):
                raise settings
            players[key] = _player(order, key[1], settings)
        except Unavailable as reason:
            reasons[key] = reason
            return
        system = None if key[0] else _system(order, settings, {})
        failure, versions[key] = await preflight(players[key], system, order.settings.limits, intake)
        if failure is not None:
            reasons[key] = Unavailable(key[1], failure.detail, _advice(failure.kind))

    try:
        await _until_stopped(asyncio.gather(*(one(key, settings) for key, settings in named.items())), stop)
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
            {f"judge {name}" if judge else name: version for (judge, name), version in versions.items()},
            secrets,
        ),
        skipped,
    )


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


def _player(order: Order, name: str, expanded: Expanded) -> Player:
    settings = expanded.settings
    most = min(settings.concurrency or order.settings.concurrency, order.settings.concurrency)
    around = Surroundings(order.loaded.root, most, order.settings.limits.call_seconds, order.environ)
    return Player(open_backend(name, settings, around), settings, most, Limiter(most, settings.max_rpm))


def _system(order: Order, expanded: Expanded, params: Mapping[str, Any]) -> str | None:
    name = params.get("system", expanded.settings.system)
    return None if name is None else order.loaded.files[str(name)]


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
        jury = Jury(
            opened.judges, planned.panel, order.settings.limits.call_seconds, intake, Budget(order.settings.limits)
        )
        await _anchored(order, planned, jury, stop, writer)
        shown(planned, None)

        def write(attempt: Attempt) -> None:
            writer.attempt(attempt)
            shown(planned, attempt)

        run = Run(
            plan=planned,
            players=opened.players,
            systems=systems,
            limits=order.settings.limits,
            intake=intake,
            budget=jury.budget,
            stop=stop,
            write=write,
            jury=jury if planned.panel.judges else None,
            places=asyncio.Semaphore(order.settings.concurrency),
        )
        try:
            await play(run, range(len(planned)) if stop.reason is None else ())
        finally:
            writer.line(_end(stop, jury.budget))


async def _anchored(order: Order, planned: Plan, jury: Jury, stop: Stop, writer: Writer) -> None:
    """Every judge scores the anchors before a case is played; one that is unfit ends the run here."""
    floors = floors_in_use(planned)
    if not planned.panel.judges or not floors:
        return
    asked_probes = probes(order.loaded, floors)
    floor = order.loaded.project.anchors.floor if order.loaded.project.anchors else DEFAULT_FLOOR
    for name in asked(planned.panel):
        work = asyncio.ensure_future(score_probes(jury, name, asked_probes))
        with contextlib.suppress(Refused):
            await _until_stopped(work, stop)
        if stop.now.is_set():
            return
        scored = work.result()
        for one in scored:
            writer.line(anchor_line(name, one))
        fit = fitness(name, [(one.probe.label, one.opinion) for one in scored], floor)
        writer.line(fitness_line(fit))
        if not fit.fit:
            reason = f"the judge {name} is unfit: it agrees on {fit.agreed} of {fit.probes} anchors, floor {floor:g}"
            stop.gently(reason, "unfit")


def _end(stop: Stop, budget: Budget) -> dict[str, Any]:
    return {
        "t": "end",
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "reason": stop.reason,
        "kind": stop.kind if stop.reason else None,
        "stopped": stop.stopped,
        "calls": budget.calls,
    }


def _head(order: Order, planned: Plan, opened: Opened) -> dict[str, Any]:
    settings = {name: find(order.loaded.project, name, order.environ) for name in opened.players}
    judges = {name: find(order.loaded.project, name, order.environ, judge=True) for name in opened.judges}
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
        "judges": {
            name: {
                **identity(one),
                "sha": judge_sha(order.loaded, name, order.environ),
                "version": opened.versions[f"judge {name}"],
            }
            for name, one in judges.items()
            if one is not None
        },
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
