"""What is said on GitHub: status, a comment on the pull request, an issue for the nights. No verdict hangs on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from guardgate.ci import comment, standing
from guardgate.ci.inputs import Inputs
from guardgate.ci.told import Told
from guardgate.github import sticky
from guardgate.github.api import Api
from guardgate.github.event import PULL_REQUEST, Event
from guardgate.github.failure import ApiFailure
from guardgate.github.records import Pull
from guardgate.github.sticky import Posted
from guardgate.intake import Intake

#: Events that nobody watches: a comment would have no place.
NIGHT = ("schedule",)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said: GitHub, the event, the inputs. The token is taken out of all that is said."""

    api: Api | ApiFailure
    event: Event
    inputs: Inputs

    @property
    def clean(self) -> Intake:
        """The last net before GitHub."""
        return Intake((self.inputs.token,))


def post(told: Told, place: Place) -> Posted:
    """Say it where it belongs. A failure becomes a note with its reason; what was to be said is in the summary."""
    notes = tuple(_status(told, place))
    silent = place.inputs.comment == "never" or place.inputs.mode == "check" or told.settled
    said = None if silent else _said(told, place)
    if isinstance(said, ApiFailure):
        return Posted("", (*notes, f"it could not be said on GitHub, so it stands in the step summary: {said.text}"))
    return Posted("", notes) if said is None else Posted(said.url, (*notes, *said.notes))


def _status(told: Told, place: Place) -> Iterator[str]:
    if told.status is not None and place.event.name:
        failed = standing.publish(place.api, told.commit, told.status, place.inputs, place.event.url)
        if failed is not None:
            yield f"the live status could not be written: {failed.text}"


def _said(told: Told, place: Place) -> Posted | ApiFailure | None:
    """The comment of a pull request, or the issue of the nights; None where the event has no place for either."""
    kind = "night" if place.event.name in NIGHT else "comment"
    if kind == "comment" and (place.event.name not in PULL_REQUEST or place.event.number is None):
        return None
    if isinstance(place.api, ApiFailure):
        return place.api
    author = standing.author_of(place.api)
    if isinstance(author, ApiFailure):
        return author
    marker = comment.marker(place.inputs, "hint" if told.hint else kind)
    if kind == "comment":
        assert place.event.number is not None  # noqa: S101 - looked at above
        told = _aged(told, place.api, place.event.number)
    text = place.clean.redact(f"{marker}\n{comment.body(told, place.inputs, place.event, len(marker.encode()) + 1)}")
    if kind == "comment":
        assert place.event.number is not None  # noqa: S101 - looked at above
        return sticky.comment(place.api, place.event.number, author.login, marker, text)
    if told.code == 0 and told.narrowed:
        return None  # a part that held neither opens the issue nor closes it
    title = f"guardgate at night: {told.verdict} ({place.inputs.project})"
    return sticky.issue(place.api, author.login, marker, title, text, bad=told.code != 0)


def _aged(told: Told, api: Api, number: int) -> Told:
    """The same, with a warning where it is about a commit that is the head no more: a late run is no last word."""
    now = api.pull(number) if told.commit else None
    if not isinstance(now, Pull) or now.head_sha == told.commit:
        return told
    head, commit = now.head_sha[:12], told.commit[:12]
    return replace(told, aged=f"This is about {commit}, and the pull request has moved on to {head}: nothing here is "
                              "said about that")  # fmt: skip
