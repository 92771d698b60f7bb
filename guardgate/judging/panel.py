"""Several judges, one decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from guardgate.judging.vote import Vote


@dataclass(frozen=True, slots=True)
class Panel:
    """Who judges, how they agree, and who is asked when they do not."""

    judges: tuple[str, ...] = ()
    agreement: Literal["unanimous", "majority"] = "unanimous"
    escalate: str | None = None


#: Nobody judges.
NOBODY = Panel()


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a panel decided, and the vote that carries its evidence."""

    vote: Vote
    escalated: bool = False


def rule(panel: Panel, votes: Sequence[Vote]) -> Ruling:
    """The decision of the panel; of the escalation judge where the panel left it open and that judge was asked."""
    by_name = {vote.judge: vote for vote in votes}
    named = [by_name.get(name) or _missing(name) for name in panel.judges]
    if not named:
        return Ruling(Vote("judge", "undecided", "no judge is named", kind="no_judge"))
    decision = _unanimous(named) if panel.agreement == "unanimous" else _majority(named)
    if decision.decided or panel.escalate is None or panel.escalate not in by_name:
        return Ruling(decision)
    return Ruling(by_name[panel.escalate], escalated=True)


def _missing(name: str) -> Vote:
    return Vote(name, "undecided", f"{name} was not asked", kind="no_judge")


def _unanimous(votes: list[Vote]) -> Vote:
    outcomes = {vote.outcome for vote in votes}
    if len(outcomes) == 1 and votes[0].decided:
        return votes[0]
    return _open(votes)


def _majority(votes: list[Vote]) -> Vote:
    """More than half of all that are named; a missing vote counts for nobody."""
    for outcome in ("broke", "held"):
        agreeing = [vote for vote in votes if vote.outcome == outcome]
        if 2 * len(agreeing) > len(votes):
            return agreeing[0]
    return _open(votes)


def _open(votes: list[Vote]) -> Vote:
    if {"held", "broke"} <= {vote.outcome for vote in votes}:
        split = ", ".join(f"{vote.judge}: {vote.outcome}" for vote in votes)
        return Vote("panel", "undecided", f"the judges disagree ({split})", kind="disagreement")
    return next(vote for vote in votes if not vote.decided)
