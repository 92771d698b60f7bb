"""Who may start a live run, on which commit: secrets meet code only where both were meant."""

from __future__ import annotations

from dataclasses import dataclass

from guardgate.github.api import Api, Removed
from guardgate.github.event import Event
from guardgate.github.failure import ApiFailure
from guardgate.github.mode import asks


@dataclass(frozen=True, slots=True)
class Admitted:
    """A live run may start on `commit`. `notes`: what did not work, and changes nothing."""

    commit: str
    notes: tuple[str, ...] = ()


def admit(event: Event, label: str, checkout: str | None, api: Api | ApiFailure) -> Admitted | str:
    """Whether live may start, or why not. Nothing is assumed: what GitHub does not answer is a no.

    The commit of the event must be the one that is checked out; for a pull request also the one that GitHub has now,
    and whoever asked must be allowed to write. A label that was used is taken off.
    """
    if checkout is None:
        return "the commit that is checked out cannot be told; check the repository out with actions/checkout"
    commit = event.head or checkout
    if commit != checkout:
        return f"{checkout[:12]} is checked out, but the event is about {commit[:12]}; {_CHECKOUT}"
    if event.number is None:
        return Admitted(commit)
    if isinstance(api, ApiFailure):
        return f"GitHub could not be asked who started this and what the pull request is now: {api.text}"
    return _pull(event, label, commit, api)


_CHECKOUT = "give actions/checkout `ref: ${{ github.event.pull_request.head.sha || github.sha }}`"


def _pull(event: Event, label: str, commit: str, api: Api) -> Admitted | str:
    """The same for a pull request: the commit now, the right of the one who asked, the label."""
    assert event.number is not None  # noqa: S101 - asked only then
    pull = api.pull(event.number)
    if isinstance(pull, ApiFailure):
        return f"the pull request could not be read: {pull.text}"
    if pull.head_sha != commit:
        return f"the pull request has moved on from {commit[:12]} to {pull.head_sha[:12]}; put the label on again"
    if pull.state != "open":
        return "the pull request is closed"
    may = api.permission(event.actor)
    if isinstance(may, ApiFailure):
        return f"the rights of whoever asked could not be read: {may.text}"
    if not may.writes:
        return f"{event.actor} has the role {may.role_name}, and only who may write starts a live run"
    if not asks(event, label):
        return Admitted(commit)
    return _label_taken_off(event, label, commit, api)


def _label_taken_off(event: Event, label: str, commit: str, api: Api) -> Admitted | str:
    """A label starts one run. Where it is gone already, somebody took it back; a re-run found it used."""
    assert event.number is not None  # noqa: S101 - asked only then
    taken = api.remove_label(event.number, label)
    if isinstance(taken, Removed):
        if taken.was_there or event.rerun:
            return Admitted(commit)
        return "the label was taken off again before the run began"
    if taken.kind == "permission":
        return Admitted(commit, (f"the live label could not be taken off: {taken.text}",))
    return f"the live label could not be taken off: {taken.text}"
