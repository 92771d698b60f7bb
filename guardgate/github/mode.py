"""From an event to what the action does: one table, one pure function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from guardgate.github.event import PULL_REQUEST, Event

Mode = Literal["check", "live", "publish", "refused"]
#: What `mode` may be given as.
MODES = ("auto", "check", "live", "publish")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: the first one that fits an event decides."""

    events: tuple[str, ...]
    when: str
    mode: Mode
    why: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, and why, in words for the reader."""

    mode: Mode
    why: str
    when: str = ""

    @property
    def live_not_run(self) -> bool:
        """Somebody asked for live here, and it cannot be had."""
        return self.mode == "check" and self.when in ("live label, fork", "live label, Dependabot")


_WHEN: Mapping[str, Callable[[Event, str], bool]] = MappingProxyType(
    {
        "always": lambda _event, _label: True,
        "live label, fork": lambda event, label: asks(event, label) and event.fork,
        "live label, Dependabot": lambda event, label: asks(event, label) and event.dependabot,
        "live label": lambda event, label: asks(event, label),  # noqa: PLW0108 - defined below
        "checks_requested": lambda event, _label: event.action == "checks_requested",
        "branch deleted": lambda event, _label: event.deleted,
    }
)

_NO_SECRETS = "live was not run: a run for {} has no secrets"
#: Read from the top; `docs/action.md` shows it.
TABLE: tuple[Row, ...] = (
    Row(("pull_request",), "live label, fork", "check", _NO_SECRETS.format("a fork")),
    Row(("pull_request",), "live label, Dependabot", "check", _NO_SECRETS.format("Dependabot")),
    Row(("pull_request",), "live label", "live", "the live label was put on the pull request"),
    Row(PULL_REQUEST, "always", "check", "a pull request is checked without a model"),
    Row(
        ("pull_request_target",), "always", "refused",
        "it runs with secrets on the base branch, so it proves nothing about the pull request; use pull_request",
    ),
    Row(("merge_group",), "checks_requested", "live", "a merge queue asks whether this may be merged"),
    Row(("push",), "branch deleted", "refused", "the branch was deleted, so there is nothing to check"),
    Row(("push",), "always", "check", "a push is checked without a model"),
    Row(("schedule",), "always", "live", "the schedule asks for a live run"),
    Row(("workflow_dispatch", "repository_dispatch"), "always", "live", "somebody with write access asked for it"),
    Row(("workflow_run",), "always", "publish", "the run that ended left its results to be published"),
    Row(
        ("issue_comment",), "always", "refused",
        "a comment says nothing about a commit, and runs with secrets; use the live label",
    ),
)  # fmt: skip
_UNKNOWN = "there is no rule for this event; set `mode: check` to check what is checked out"
_NEVER_LIVE = ("pull_request_target", "issue_comment", "workflow_run")


def decide(event: Event, mode: str, label: str) -> Decision:
    """What the action does for an event. `mode`: one of MODES; `label`: the name of the live label, empty for none.

    Asking for `live` never reaches an event whose code comes from elsewhere; those are refused, not run.
    """
    found = next((row for row in TABLE if event.name in row.events and _WHEN[row.when](event, label)), None)
    by_table = Decision("refused", _UNKNOWN) if found is None else Decision(found.mode, found.why, found.when)
    if mode == "auto":
        return by_table
    if mode == "live":
        return by_table if by_table.mode == "live" else _forced(event)
    if mode == "publish" and by_table.mode != "publish":
        return Decision("refused", "`mode: publish` works in a job that a workflow_run event starts")
    return Decision("publish" if mode == "publish" else "check", f"the workflow says `mode: {mode}`")


def _forced(event: Event) -> Decision:
    """`mode: live` on an event that does not ask for it."""
    if event.name in _NEVER_LIVE:
        return Decision("refused", f"`mode: live` is never run for {event.name}: others' text starts it, with secrets")
    if event.fork or event.dependabot:
        whom = "Dependabot" if event.dependabot else "a fork"
        return Decision("refused", f"`mode: live` cannot run for {whom}: there are no secrets; use the live label")
    if event.deleted:
        return Decision("refused", "the branch was deleted, so there is nothing to run")
    return Decision("live", "the workflow says `mode: live`")


def asks(event: Event, label: str) -> bool:
    """Whether the live label was just put on; no other label, and no other event of a labelled pull request."""
    return event.action == "labeled" and bool(label) and event.label == label
