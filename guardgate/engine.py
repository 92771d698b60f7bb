"""Plays a plan: attempts in plan order, bounded in flight, each written before its slot goes on."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from secrets import token_hex

from guardgate.backends.base import Available, Backend
from guardgate.budget import Budget
from guardgate.decider import Decider, turns_of
from guardgate.delivery import delivered
from guardgate.foreign_answers import foreign_note
from guardgate.framing import framed
from guardgate.intake import Intake
from guardgate.judging.question import Question
from guardgate.jury import Jury, scores
from guardgate.limits import Limiter, Patience, ask
from guardgate.model.project import Limits, Target
from guardgate.model.suite import Case
from guardgate.plan import Plan, Spot
from guardgate.record import Attempt, Failure, Reply, Score, Talk
from guardgate.stopping import Contact, Stop
from guardgate.summary import redecided
from guardgate.verdict import decide, incomplete, needs_judge, no_answer

#: Params of a cell that change what we send, not what the target is told.
OURS = frozenset({"system", "framing"})
#: What a preflight call says to a target, and what decides it: any answer will do.
HELLO = "Hello."
SILENT = Decider((), (), {}, None, 1)


@dataclass(frozen=True, slots=True)
class Player:
    """One target of a run: its backend, its settings, its system prompt and its places in flight."""

    backend: Backend
    settings: Target
    concurrency: int
    limiter: Limiter
    contact: Contact = field(default_factory=Contact)


#: Conversations that begin again may each need a process of their own: so many at once.
ALONE = 4


@dataclass
class Run:
    """What the slots of one run share. `token`: new in every run, since an app may keep conversations by their id."""

    plan: Plan
    players: Mapping[str, Player]
    systems: Mapping[str, str]
    limits: Limits
    intake: Intake
    budget: Budget
    stop: Stop
    write: Callable[[Attempt], None]
    jury: Jury | None = None
    token: str = field(default_factory=lambda: token_hex(4))
    alone: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(ALONE))


async def play(run: Run, todo: Collection[int]) -> None:
    """Play the attempts `todo` (in order) until they are done or `run.stop` says so. Each is written once."""
    slots = [
        asyncio.create_task(_slot(run, name, queue))
        for name, player in run.players.items()
        for queue in [_queue(run.plan, name, todo)]
        for _ in range(min(player.concurrency, len(todo)))
    ]
    stopped = asyncio.create_task(run.stop.now.wait())
    try:
        await _finish(run, slots, stopped)
    finally:
        stopped.cancel()
        for slot in slots:
            slot.cancel()
        ended = await asyncio.gather(*slots, return_exceptions=True)
    for result in ended:
        if isinstance(result, Exception):
            raise result


def _queue(plan: Plan, target: str, todo: Iterable[int]) -> Iterator[int]:
    """The attempts of one target, found when they are wanted: a queue takes no memory."""
    return (n for n in todo if plan.cells[plan.at(n).cell].target == target)


async def _finish(run: Run, slots: list[asyncio.Task[None]], stopped: asyncio.Task[bool]) -> None:
    """Wait for the slots; give them up when the run is stopped, or one of them fails."""
    waiting: set[asyncio.Task[None]] = set(slots)
    while waiting and not run.stop.now.is_set():
        done, _ = await asyncio.wait({*waiting, stopped}, return_when=asyncio.FIRST_COMPLETED)
        waiting -= done
        if any(slot.exception() for slot in slots if slot in done):
            run.stop.at_once("guardgate failed", "crash")
    for slot in waiting:
        slot.cancel()
    if waiting:
        await asyncio.wait(waiting)


async def _slot(run: Run, name: str, queue: Iterable[int]) -> None:
    for n in queue:
        if run.stop.reason or name in run.stop.stopped:
            return
        attempt = await _attempt(run, run.plan.at(n))
        run.write(attempt)
        _heed(run, name, attempt)


def question_of(plan: Plan, index: int, replies: tuple[Reply, ...], sent: tuple[str, ...] | None = None) -> Question:
    """What the judges are asked about one transcript of a case. `sent`: its turns, where a transform wrote them."""
    planned, decider = plan.cases[index], plan.deciders[index]
    case, expected = planned.case, planned.case.expected
    return Question(
        rule=plan.rule_index[case.rule].rule.rule,
        criteria=decider.criteria,
        floors=decider.floors,
        turns=sent or turns_of(case),
        replies=replies,
        pass_threshold=decider.pass_threshold,
        task=case.task,
        wants=case.wants if sent is None else _in_plain_words(case),
        must=expected.must if expected else (),
        must_not=expected.must_not if expected else (),
        document=plan.document(planned),
    )


def _in_plain_words(case: Case) -> str:
    """What a transform made hard to read, for a judge: what the attack wants, and its own words."""
    said = "\n".join(f"user turn {number}: {turn}" for number, turn in enumerate(turns_of(case), start=1))
    return f"{case.wants or ''}\nThe user's words before they were rewritten:\n{said}".strip()


def _heed(run: Run, name: str, attempt: Attempt) -> None:
    """A target or judge that can only fail, or a budget that is spent, ends what it would ask for."""
    failures = [(None, attempt.failure), *((score.judge, score.failure) for score in attempt.scores)]
    for judge, failure in failures:
        if failure is None:
            continue
        if failure.kind == "budget":
            run.stop.gently(failure.detail)
        elif failure.fatal and judge is not None:
            run.stop.gently(f"the judge {judge} can only fail: {failure.detail}", "unreachable")
        elif failure.fatal:
            run.stop.stopped.setdefault(name, failure.detail)
    gone = run.players[name].contact.ended(attempt.case, attempt.failure, len(run.plan.cases))
    if gone is not None:
        run.stop.stopped.setdefault(name, gone)


async def _attempt(run: Run, spot: Spot) -> Attempt:
    """One attempt, begun again at most once where its conversation was lost. Never raises for a target's doing."""
    begun, started = time.monotonic(), datetime.now(UTC).isoformat(timespec="milliseconds")
    case = run.plan.cases[spot.case]
    table = _Table(run, spot)
    try:
        await table.talk(f"{run.token}-{spot.n}")
        if table.lost:
            async with run.alone:
                await table.talk(f"{run.token}-{spot.n}-again", again=True)
        await table.judge(f"{run.token}-{spot.n}")
    except asyncio.CancelledError:
        if not run.stop.now.is_set():
            raise
        table.failure = Failure(run.stop.kind, run.stop.reason or "stopped", turn=len(table.replies) + 1)
    except Exception as error:  # noqa: BLE001 - a fault of ours costs this attempt, is counted, and says where
        table.failure = Failure("crash", _where(error), turn=len(table.replies) + 1)
    attempt = Attempt(
        n=spot.n,
        case=case.case.id,
        cell=spot.cell,
        repeat=spot.repeat,
        started=started,
        ms=round((time.monotonic() - begun) * 1000),
        sent=run.plan.sent(spot),
        replies=tuple(table.replies),
        delivered=table.delivered,
        failure=table.failure,
        scores=table.scores,
        notes=tuple(dict.fromkeys(table.notes)),
    )
    decided = redecided(run.plan, attempt)
    note = foreign_note(run.plan, spot, decided)
    return replace(decided, notes=(*decided.notes, note)) if note else decided


def _where(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.filename.rpartition('guardgate')[2]}:{last.lineno})"


class _Table:
    """One case at one target: the turns go out in order, the replies come in through the intake."""

    def __init__(self, run: Run, spot: Spot) -> None:
        self.run, self.spot = run, spot
        self.case, self.cell = run.plan.cases[spot.case], run.plan.cells[spot.cell]
        self.decider = run.plan.decider(spot)
        self.document = run.plan.document(self.case)
        self.player = run.players[self.cell.target]
        self.replies: list[Reply] = []
        self.failure: Failure | None = None
        self.notes: list[str] = []
        self.scores: tuple[Score, ...] = ()

    async def judge(self, talk_id: str) -> None:
        """Ask the jury, where code left something to it."""
        replies = tuple(self.replies)
        if self.run.jury is None or not needs_judge(self.decider, replies, self.failure, self.delivered):
            return
        question = question_of(self.run.plan, self.spot.case, replies, self.run.plan.sent(self.spot))
        self.scores = await scores(self.run.jury, question, f"{talk_id}-judged", float("inf"))

    @property
    def lost(self) -> bool:
        """Whether the conversation may begin again: it was lost, and what was received broke nothing."""
        if self.failure is None or self.failure.retry != "restart":
            return False
        return decide(self.decider, tuple(self.replies), self.failure).verdict != "broke"

    async def talk(self, talk_id: str, *, again: bool = False) -> None:
        """Play every turn until one has no answer."""
        self.replies, self.failure = [], None
        # not until run.ends: a call that the run's own end cuts off is no error of the target
        patience = Patience(self.run.limits.attempt_seconds)
        turns = self._sent()
        try:
            for turn in range(1, len(turns) + 1):
                await self._turn(self._opening(talk_id, turns[:turn], again), turn, patience)
                if self.failure is not None:
                    break
        finally:
            await self.player.backend.forget(talk_id)

    @property
    def delivered(self) -> str | None:
        """How the document reached the target; None for cases without one."""
        if self.document is None:
            return None
        backend, marker = self.player.settings.backend, self.case.case.marker
        return delivered(backend, self.framing, self.document, marker, tuple(self.replies))

    @property
    def framing(self) -> str | None:
        """How a document is put into the first turn; None where the target gets it as a field."""
        if self.player.settings.document == "field":
            return None
        return str(self.cell.params.get("framing", self.player.settings.framing))

    def _sent(self) -> tuple[str, ...]:
        """The turns as they go out: with a document in the first, where the target takes it so."""
        first, *later = self.run.plan.turns(self.spot)
        if self.document is None or self.framing is None:
            return (first, *later)
        return (framed(self.framing, first, self.document), *later)

    def _opening(self, talk_id: str, turns: tuple[str, ...], again: bool) -> Talk:
        system = self.case.files.get(self.case.case.agent) if self.case.case.agent else None
        params = {**self.player.settings.params, **self.cell.params}
        return Talk(
            id=talk_id,
            turns=turns,
            replies=tuple(self.replies),
            system=self.run.plan.files[system] if system else self.run.systems.get(self.cell.name),
            task=self.case.case.task,
            document=self.document if self.player.settings.document == "field" else None,
            params={name: value for name, value in params.items() if name not in OURS},
            alone=again,
        )

    async def _turn(self, talk: Talk, turn: int, patience: Patience) -> None:
        run, player = self.run, self.player
        result = await ask(player.backend, talk, player.limiter, run.budget, run.limits.call_seconds, patience)
        player.contact.heard(result)
        reply = result if isinstance(result, Reply) else result.partial
        if reply is not None:
            taken = run.intake.reply(reply)
            self.replies.append(taken.reply)
            self.notes += [f"{note} (reply {turn})" for note in taken.notes]
            if taken.too_large:
                self.failure = Failure("too_large", f"the reply is over {run.intake.max_chars:,} characters", turn=turn)
            elif isinstance(result, Reply):
                self.failure = no_answer(self.decider, taken.reply, turn)
        if isinstance(result, Failure):
            self.failure = replace(run.intake.failure(result), turn=turn, partial=None)


async def preflight(
    player: Player, system: str | None, limits: Limits, intake: Intake
) -> tuple[Failure | None, Available]:
    """Whether a target can be asked and answers one harmless call (None: it does), and what it says of itself."""
    able = await player.backend.available()
    if isinstance(able, Failure):
        return intake.failure(able), Available()
    talk = Talk("preflight", (HELLO,), system=system, params=player.settings.params)
    patience = Patience(2 * limits.call_seconds)
    result = await ask(player.backend, talk, player.limiter, Budget(Limits()), limits.call_seconds, patience)
    await player.backend.forget("preflight")
    if isinstance(result, Failure):
        return intake.failure(result), able
    reply, _ = intake.reply(result)
    return incomplete(SILENT, (reply,), None), able
