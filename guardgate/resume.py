"""Goes on where another run stopped: what is decided is copied, what only a judge left open is judged again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from guardgate.errors import Refused
from guardgate.plan import Plan
from guardgate.record import Attempt
from guardgate.results import Results
from guardgate.summary import redecided
from guardgate.verdict import incomplete


@dataclass(frozen=True, slots=True)
class Left:
    """What a stored file leaves to be done: numbers to play, and numbers of which only the judging is missing."""

    play: tuple[int, ...]
    judge: tuple[int, ...]


def refuse_other_plan(stored: Results, planned: Plan) -> None:
    """Raises Refused, naming what changed, where the two plans are not one."""
    if stored.plan.sha == planned.sha and stored.plan.shard == planned.shard:
        return
    changed = ", ".join(_changes(stored, planned)) or "something that a hash covers"
    raise Refused(
        f"--resume {stored.path}", f"another plan: {changed}", "the plan that the file was written for",
        "undo the change, or start a new run: results of other attacks prove nothing about these",
    )  # fmt: skip


def _changes(stored: Results, planned: Plan) -> Iterator[str]:
    old, new = stored.plan, planned
    before = {case.case.id: case.sha for case in old.cases}
    after = {case.case.id: case.sha for case in new.cases}
    for what, names in (
        ("new cases", [name for name in after if name not in before]),
        ("cases gone", [name for name in before if name not in after]),
        ("cases changed", [name for name in after if name in before and after[name] != before[name]]),
        ("rules changed", _rules(old, new)),
    ):
        if names:
            yield f"{what} {', '.join(names[:5])}" + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    if list(before) != list(after) and sorted(before) == sorted(after):
        yield "the order of the cases"
    if [cell.name for cell in old.cells] != [cell.name for cell in new.cells]:
        yield "the cells"
    if old.repeats != new.repeats:
        yield f"repeats {old.repeats} -> {new.repeats}"
    if old.panel != new.panel:
        yield "the judges"
    if old.shard != new.shard:
        yield f"shard {old.shard or 'none'} -> {new.shard or 'none'}"


def _rules(old: Plan, new: Plan) -> list[str]:
    before = {one.rule.id: one.sha for one in old.rules}
    after = {one.rule.id: one.sha for one in new.rules}
    return [name for name in {**before, **after} if before.get(name) != after.get(name)]


def copied(stored: Results, planned: Plan) -> Iterator[Attempt]:
    """The decided attempts of the file, their replies marked as copied."""
    for attempt in stored.attempts():
        again = redecided(planned, attempt)
        if again.verdict != "undecided":
            yield replace(again, replies=tuple(replace(reply, copied=True) for reply in again.replies))


def left(stored: Results, planned: Plan) -> Left:
    """What is to be done. An attempt whose transcript is whole is never played a second time."""
    decided: set[int] = set()
    judge: list[int] = []
    for attempt in stored.attempts():
        if redecided(planned, attempt).verdict != "undecided":
            decided.add(attempt.n)
        elif _whole(attempt, planned):
            judge.append(attempt.n)
    waiting = set(judge)
    play = tuple(n for n in planned.numbers if n not in decided and n not in waiting)
    return Left(play, tuple(judge))


def _whole(attempt: Attempt, planned: Plan) -> bool:
    """Whether every turn has its reply and only a judge is missing; a cancelled judging is that too."""
    decider = planned.deciders[planned.at(attempt.n).case]
    ours = attempt.failure is None or attempt.failure.side != "target"
    return bool(decider.floors) and ours and incomplete(decider, attempt.replies, None, attempt.delivered) is None
