"""Goes on where another run stopped: what is decided is copied, what only a judge left open is judged again."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from guardgate import __version__
from guardgate.changes import changes
from guardgate.errors import Refused
from guardgate.git import head_commit
from guardgate.opening import Order
from guardgate.plan import Plan
from guardgate.planning import judge_sha, plan, target_sha
from guardgate.record import Attempt
from guardgate.results import Results
from guardgate.summary import redecided
from guardgate.targets import find
from guardgate.verdict import incomplete


@dataclass(frozen=True, slots=True)
class Left:
    """What a stored file leaves to be done: numbers to play, and numbers of which only the judging is missing."""

    play: array[int]
    judge: frozenset[int]


def resumed(order: Order, stored: Results) -> Order:
    """The order, for the targets that the stored run had. Raises Refused, before any call, where it is another plan."""
    away = {name for name, _ in stored.plan.skipped}
    targets = tuple(name for name in order.settings.targets if name not in away)
    again = replace(order, settings=order.settings.model_copy(update={"targets": targets}))
    refuse_other_plan(
        stored, plan(again.loaded, again.choice, again.settings, again.environ, stored.plan.skipped), again
    )
    _refuse_half_a_copy(stored)
    return again


def refuse_other_plan(stored: Results, planned: Plan, order: Order) -> None:
    """Raises Refused, naming what changed, where the two plans are not one."""
    changed = list(changes(stored.plan, planned, stored.head, _head(order, planned)))
    if stored.plan.shard != planned.shard:
        changed.append(f"shard {stored.plan.shard or 'none'} -> {planned.shard or 'none'}")
    if changed:
        raise Refused(
            f"--resume {stored.path}", f"another plan: {'; '.join(changed)}", "the plan that the file was written for",
            "undo the change, or start a new run: results of other attacks prove nothing about these",
        )  # fmt: skip


def _head(order: Order, planned: Plan) -> dict[str, Any]:
    """What the head of a results file would say now of targets, judges, files and commit."""
    loaded, environ = order.loaded, order.environ
    targets = {name: find(loaded.project, name, environ) for name in dict.fromkeys(c.target for c in planned.cells)}
    panel = planned.panel
    judges = (*panel.judges, *((panel.escalate,) if panel.escalate else ()))
    return {
        "targets": {name: {"sha": target_sha(loaded, one)} for name, one in targets.items() if one is not None},
        "judges": {name: {"sha": judge_sha(loaded, name, environ)} for name in judges},
        "files": dict(loaded.hashes),
        "git": head_commit(loaded.root),
        "guardgate": __version__,
    }


def _refuse_half_a_copy(stored: Results) -> None:
    """A file that was killed before its own first reply may lack lines of the file that it resumed."""
    if "resumed" not in stored.head or stored.end() is not None:
        return
    if not any(not reply.copied for attempt in stored.attempts() for reply in attempt.replies):
        raise Refused(
            f"--resume {stored.path}", "a file that was cut off before it had a reply of its own", "a whole copy",
            f"resume the file that it goes back to: the run that began at {stored.head['resumed']}",
        )  # fmt: skip


def copied(stored: Results, planned: Plan) -> Iterator[Attempt]:
    """The decided attempts of the file, their replies marked as copied."""
    for attempt in stored.attempts():
        again = redecided(planned, attempt)
        if again.verdict != "undecided":
            yield replace(again, replies=tuple(replace(reply, copied=True) for reply in again.replies))


def left(stored: Results, planned: Plan) -> Left:
    """What is to be done. An attempt whose transcript is whole is never played a second time."""
    settled = bytearray(len(planned))
    judge: set[int] = set()
    for attempt in stored.attempts():
        if redecided(planned, attempt).verdict != "undecided":
            settled[attempt.n] = 1
        elif _whole(attempt, planned):
            settled[attempt.n] = 1
            judge.add(attempt.n)
    return Left(array("q", (n for n in planned.numbers if not settled[n])), frozenset(judge))


def _whole(attempt: Attempt, planned: Plan) -> bool:
    """Whether every turn has its reply and only a judge is missing; a cancelled judging is that too."""
    decider = planned.decider(planned.at(attempt.n))
    ours = attempt.failure is None or attempt.failure.side != "target"
    return bool(decider.floors) and ours and incomplete(decider, attempt.replies, None, attempt.delivered) is None
