"""The live status of a commit, as the action reads it and writes it. Nothing here turns red into green."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from guardgate.ci.inputs import Inputs
from guardgate.ci.play import Played
from guardgate.github import status
from guardgate.github.api import ACTIONS_BOT, Api
from guardgate.github.event import Event
from guardgate.github.failure import ApiFailure
from guardgate.github.status import NO_PLAN, Live, Standing
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
    """How a commit stood when a live run began. `lost`: why no run may begin. `asked`: GitHub can be asked at all."""

    standing: Standing = field(default_factory=lambda: Standing(None))
    notes: tuple[str, ...] = ()
    lost: str = ""
    asked: bool = False


@dataclass(frozen=True, slots=True)
class After:
    """The code that counts for the commit, why it is another one than the run's, and the status that says so.

    No status where nobody can tell whether it would hide a hard break. `open_`: the status decides nothing.
    """

    code: int
    reason: str
    status: Live | None
    notes: tuple[str, ...] = ()

    @property
    def open_(self) -> bool:
        """Whether a code of 0 leaves the commit waiting for a live run."""
        return self.code == 0 and (self.status is None or self.status.state != "success")


@dataclass(frozen=True, slots=True)
class Author:
    """Whom our token speaks for. `sure`: GitHub said so; else it is a guess."""

    login: str
    sure: bool = True


def of_commit(api: Api | ApiFailure, event: Event, inputs: Inputs) -> Found:
    """What the live status of the event's commit adds to a check. One that cannot be read may be red: 3.

    A pull request's commit without a status gets a pending one, so that the merge waits for live.
    """
    assert event.head is not None  # noqa: S101 - asked only then
    at = read(api, event.head, inputs)
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
    done = publish(api, event.head, status.WAITING, inputs, event.url)
    return () if done is None else (f"the pending status could not be written: {done.text}",)


def begin(api: Api | ApiFailure, commit: str, inputs: Inputs, url: str = "") -> Before:
    """Read how the commit stands, and say that a run is under way: if we die now, nothing is green.

    A job without a token can neither read nor write a status, so it clears none. Any other failure may hide a break.
    """
    at = read(api, commit, inputs)
    if isinstance(at, ApiFailure):
        told = f"the live status could not be read: {at.text}"
        hidden = f"{told}; a hard break may stand there, so give the job `statuses: write`"
        return Before(notes=(told,), lost="" if isinstance(api, ApiFailure) else hidden)
    done = publish(api, commit, UNDER_WAY, inputs, url)
    if done is None:
        return Before(at, asked=True)
    told = f"the live status could not be written: {done.text}"
    stays = f"{told}; a success stands there, which this run could not take back" if at.code == 0 else ""
    return Before(at, (told,), stays, asked=True)


def end(api: Api | ApiFailure, commit: str, before: Before, played: Sequence[Played], inputs: Inputs) -> After:
    """The code that counts for the commit after these runs, and its status: a hard break stays one.

    The status is read once more: another run on the same commit may have ended meanwhile.
    """
    now = read(api, commit, inputs) if before.asked else before.standing
    stood = before.standing if isinstance(now, ApiFailure) else now
    run, plan = max(one.code for one in played), _plan(played)
    code = status.sticking(run, plan, stood, signed=_hash(played, lambda one: one.turned))
    earlier = stood.earlier(plan)
    stuck = f"a hard rule broke on this commit before (codes {_codes(earlier)}); this run gave {run}"
    reason = stuck if code != run else next((one.reason for one in played if one.code == run), "")
    narrowed = any(one.narrowed for one in played) or plan == NO_PLAN
    words = stuck if code != run else _counts(played)
    broke = _hash(played, lambda one: one.broke)
    told = status.live(code, plan, words=words, narrowed=narrowed, broke=broke, earlier=earlier)
    if isinstance(now, ApiFailure) and told.state == "success":
        unread = f"no success was written: the live status could not be read again: {now.text}"
        return After(code, reason, None, (unread,))
    return After(code, reason, told)


def _plan(played: Sequence[Played]) -> str:
    """The plan of all; none where one of them has none."""
    plans = [one.plan for one in played]
    if NO_PLAN in plans:
        return NO_PLAN
    return plans[0] if len(plans) == 1 else fingerprint(plans)


def _hash(played: Sequence[Played], cases: Callable[[Played], frozenset[str]]) -> str:
    """One hash for these cases of all bots; empty where there are none."""
    named = sorted([one.bot.name, case] for one in played for case in cases(one))
    return fingerprint(named) if named else ""


def _codes(codes: Sequence[int]) -> str:
    return " ".join(map(str, codes))


def _counts(played: Sequence[Played]) -> str:
    """`61 attempts: 60 held, 1 broke, 0 undecided`, over all bots; nothing where none was played."""
    totals = [one.summary.total for one in played if one.summary is not None]
    if not totals:
        return ""
    held, broke, undecided = (sum(getattr(one, name) for one in totals) for name in ("held", "broke", "undecided"))
    return f"{held} held, {broke} broke, {undecided} undecided"


def author_of(api: Api | ApiFailure) -> Author | ApiFailure:
    """Whom our token speaks for; where it may not ask, it is taken for the token of the job, which is GitHub's own."""
    if isinstance(api, ApiFailure):
        return api
    who = api.login()
    if isinstance(who, ApiFailure):
        return Author(ACTIONS_BOT, sure=False) if who.kind in ("permission", "missing", "refused") else who
    return Author(who)


def read(api: Api | ApiFailure, commit: str, inputs: Inputs) -> Standing | ApiFailure:
    """How the commit stands by our own statuses."""
    if isinstance(api, ApiFailure):
        return api
    author = author_of(api)
    if isinstance(author, ApiFailure):
        return author
    return status.read_standing(api, commit, author.login, inputs.status_context, sure=author.sure)


def publish(api: Api | ApiFailure, commit: str, live: Live, inputs: Inputs, url: str = "") -> ApiFailure | None:
    """Put a status on the commit; the failure where it could not be done."""
    if isinstance(api, ApiFailure):
        return api
    done = status.publish(api, commit, live, context=inputs.status_context, target_url=url or None)
    return done if isinstance(done, ApiFailure) else None
