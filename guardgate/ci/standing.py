"""The live status of a commit, as the action reads it and writes it. Nothing here turns red into green."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from guardgate.ci.inputs import Inputs
from guardgate.ci.play import NO_PLAN, Played
from guardgate.github import status
from guardgate.github.api import ACTIONS_BOT, Api
from guardgate.github.event import Event
from guardgate.github.failure import ApiFailure
from guardgate.github.status import Live, Standing
from guardgate.source import fingerprint

UNDER_WAY = Live("pending", "pending: a live run on this commit is under way")


@dataclass(frozen=True, slots=True)
class Found:
    """A code that counts beside that of the files, why, and what is to be noted. `decided`: live has spoken here."""

    code: int
    reason: str = ""
    notes: tuple[str, ...] = ()
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Before:
    """How a commit stood when a live run began. `lost`: why nobody can tell, though a hard break may stand there."""

    standing: Standing = field(default_factory=lambda: Standing(None))
    notes: tuple[str, ...] = ()
    lost: str = ""


@dataclass(frozen=True, slots=True)
class After:
    """The code that counts for the commit, why it is another one than the run's, and the status that says so."""

    code: int
    reason: str
    status: Live


def of_commit(api: Api | ApiFailure, event: Event, inputs: Inputs) -> Found:
    """What the live status of the event's commit adds to a check. One that cannot be read may be red: 3.

    A pull request's commit without a status gets a pending one, so that the merge waits for live.
    """
    assert event.head is not None  # noqa: S101 - asked only then
    author = author_of(api)
    at = author if isinstance(author, ApiFailure) else _read(api, event.head, author, inputs)
    if isinstance(at, ApiFailure):
        todo = "give the job `statuses: read`, or say `mode: check` where there is no live gate"
        return Found(3, f"the live status of the commit could not be read ({at.text}); {todo}")
    if at.code:
        says = f"the live status {inputs.status_context} of this commit says {at.code}"
        return Found(at.code, says, decided=True)
    if at.code == 0:
        note = f"the live status {inputs.status_context} of this commit is a success"
        return Found(0, notes=(note,), decided=True)
    notes = _waiting(api, event, inputs) if event.number is not None and not at.seen else ()
    if inputs.require_live:
        return Found(3, "no live run on this very commit has decided yet, and `require-live` asks for one", notes)
    return Found(0, notes=(*notes, "live has not decided about this commit"))


def _waiting(api: Api | ApiFailure, event: Event, inputs: Inputs) -> tuple[str, ...]:
    assert event.head is not None  # noqa: S101 - asked only then
    done = publish(api, event.head, status.WAITING, inputs)
    return () if done is None else (f"the pending status could not be written: {done.text}",)


def begin(api: Api | ApiFailure, commit: str, inputs: Inputs) -> Before:
    """Read how the commit stands, and say that a run is under way: if we die now, nothing is green.

    Without the permission, or without a token, no status of ours can stand there; any other failure may hide one.
    """
    author = author_of(api)
    at = author if isinstance(author, ApiFailure) else _read(api, commit, author, inputs)
    if isinstance(at, ApiFailure):
        told = f"the live status could not be read: {at.text}"
        return Before(notes=(told,), lost="" if at.kind in ("permission", "settings") else told)
    done = publish(api, commit, UNDER_WAY, inputs)
    return Before(at, () if done is None else (f"the live status could not be written: {done.text}",))


def end(before: Before, played: Sequence[Played]) -> After:
    """The code that counts for the commit after these runs, and its status: a hard break stays one."""
    run = max(one.code for one in played)
    plan = played[0].plan if len(played) == 1 else fingerprint([one.plan for one in played])
    code = status.sticking(run, plan, before.standing, marked=any(one.marked for one in played))
    earlier = before.standing.earlier(plan)
    stuck = f"a hard rule broke on this commit before (codes {_codes(earlier)}); this run gave {run}"
    reason = stuck if code != run else next((one.reason for one in played if one.code == run), "")
    narrowed = any(one.narrowed for one in played) or any(one.plan == NO_PLAN for one in played)
    words = stuck if code != run else _counts(played)
    return After(code, reason, status.live(code, plan, words=words, narrowed=narrowed, earlier=earlier))


def _codes(codes: Sequence[int]) -> str:
    return " ".join(map(str, codes))


def _counts(played: Sequence[Played]) -> str:
    """`61 attempts: 60 held, 1 broke, 0 undecided`, over all bots; nothing where none was played."""
    totals = [one.summary.total for one in played if one.summary is not None]
    if not totals:
        return ""
    held, broke, undecided = (sum(getattr(one, name) for one in totals) for name in ("held", "broke", "undecided"))
    return f"{held} held, {broke} broke, {undecided} undecided"


def author_of(api: Api | ApiFailure) -> str | ApiFailure:
    """Whom our token speaks for; the token of a job cannot always ask, and is GitHub's own."""
    if isinstance(api, ApiFailure):
        return api
    who = api.login()
    if isinstance(who, ApiFailure):
        return ACTIONS_BOT if who.kind in ("permission", "missing", "refused") else who
    return who


def _read(api: Api | ApiFailure, commit: str, author: str, inputs: Inputs) -> Standing | ApiFailure:
    return api if isinstance(api, ApiFailure) else status.read_standing(api, commit, author, inputs.status_context)


def publish(api: Api | ApiFailure, commit: str, live: Live, inputs: Inputs) -> ApiFailure | None:
    """Put a status on the commit; the failure where it could not be done."""
    if isinstance(api, ApiFailure):
        return api
    done = status.publish(api, commit, live, context=inputs.status_context)
    return done if isinstance(done, ApiFailure) else None
