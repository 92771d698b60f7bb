"""`mode: publish`: what the run of a pull request left, said again by a job that may write. Nothing in it is proof."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from guardgate.ci import publication
from guardgate.ci.artifacts import Packed, artifacts
from guardgate.ci.bots import Checked
from guardgate.ci.inputs import Inputs
from guardgate.ci.play import Played
from guardgate.ci.post import Place, post
from guardgate.ci.publication import OneBot, Publication
from guardgate.ci.told import Told
from guardgate.errors import GuardgateError
from guardgate.github.api import Api
from guardgate.github.event import Event
from guardgate.github.failure import ApiFailure
from guardgate.github.sticky import Posted
from guardgate.recount import summary_of
from guardgate.results import open_results
from guardgate.softening import worst_first

HINT = (
    "This was told by the run of the pull request itself, whose workflow the pull request can change: a hint for the "
    "reader, no proof. It sets no status"
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was published."""

    reason: str


def publish(event: Event, inputs: Inputs, api: Api | ApiFailure) -> tuple[Told, Posted] | Refusal:
    """Read the newest artifact of the run that ended, and comment on the pull request whose head it is about."""
    if isinstance(api, ApiFailure):
        return Refusal(api.text)
    if event.run is None or event.head is None:
        return Refusal("the event names no run and no commit")
    found = artifacts(api, event.run)
    if isinstance(found, ApiFailure):
        return Refusal(f"the artifacts of the run could not be had: {found.text}")
    with tempfile.TemporaryDirectory(prefix="guardgate-publish-") as name:
        room = Path(name)
        told = next((facts for packed in found if (facts := _facts(packed, room)) is not None), None)
        if told is None:
            return Refusal(f"no artifact of the run whose name begins with guardgate holds {publication.FILE}")
        if isinstance(told, str):
            return Refusal(told)
        return _of_pull(told, event, inputs, api, room)


def _facts(packed: Packed, room: Path) -> Publication | str | None:
    """The facts in an artifact, with the results that they name beside them; None where it holds none."""
    path = next(packed.unpack(lambda name: name == publication.FILE, _made(room), publication.BYTES), None)
    facts = None if path is None else publication.read(path)
    if isinstance(facts, Publication):
        wanted = frozenset(one.results for one in facts.bots)
        files = room / "results"
        files.mkdir()
        for file in packed.unpack(wanted.__contains__, _made(room)):
            file.replace(files / file.name.partition("-")[2])
    return facts


def _made(room: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=room))


def _of_pull(facts: Publication, event: Event, inputs: Inputs, api: Api, room: Path) -> tuple[Told, Posted] | Refusal:
    """Only where GitHub says that the pull request's head is the commit of the run."""
    pull = api.pull(facts.number)
    if isinstance(pull, ApiFailure):
        return Refusal(f"pull request {facts.number} could not be read: {pull.text}")
    same = pull.head_sha == event.head == facts.head and pull.state == "open"
    if not same or (event.source and event.source.casefold() != (pull.head_repo or "").casefold()):
        return Refusal(f"the run was about {event.head}, which is not the head of the open pull request {facts.number}")
    told = _told(facts, room, inputs.strict)
    where = replace(event, name="pull_request", number=facts.number)
    return told, post(told, Place(api, where, inputs))


def _told(facts: Publication, room: Path, strict: bool) -> Told:
    """The page, made anew: verdicts are computed from the replies, and no text of the artifact is Markdown."""
    checked = tuple(publication.checked(one, room, strict) for one in facts.bots)
    played = tuple(
        _played(one, bot, room) for one, bot in zip(facts.bots, checked, strict=True) if one.results is not None
    )
    code = max([*(one.code for one in checked), *(one.code for one in played)])
    mode = "live" if played else "check"
    weaker = worst_first(iter(publication.softenings(facts)))
    return Told(code, 0, mode, "", checked=checked, played=played, commit=facts.head, softened=weaker, hint=HINT)


def _played(one: OneBot, checked: Checked, room: Path) -> Played:
    path = room / "results" / str(one.results)
    try:
        results = open_results(path)
        summary, gated = summary_of(results)
    except (GuardgateError, OSError) as problem:
        return Played(checked.bot, 3, f"its results cannot be read: {problem}"[:500])
    return Played(checked.bot, gated.code, "", None, results, summary, gated)
