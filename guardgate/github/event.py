"""What started the job: the event that GitHub describes in a file, read as hostile data into one small record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from guardgate.errors import Refused

#: Events about one pull request that bring it along.
PULL_REQUEST = ("pull_request", "pull_request_review", "pull_request_review_comment")
DEPENDABOT = "dependabot[bot]"

_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?")
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_SERVER = re.compile(r"https?://[A-Za-z0-9.-]{1,200}(:[0-9]{1,5})?")
_NUMBER = re.compile(r"[0-9]{1,19}")
_WORD = re.compile(r"[a-z0-9_]{0,60}")


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `head` is the commit to report on, None where the event itself does not tell. `base`: the one before
    it, or the one that a dispatch was started on.

    `actor`: who asks now; on a re-run that is who asked for the re-run. `dependabot`: it started the run, so that
    there are no secrets of Actions, whoever re-runs it. `fork`: the code is another repository's, or one's that is
    gone. `run`: the workflow run that ended, where the event is about one, and `source` the repository of its code.
    `url`: the page of this job's own run.
    """

    name: str
    action: str = ""
    repository: str = ""
    head: str | None = None
    base: str | None = None
    number: int | None = None
    label: str | None = None
    actor: str = ""
    dependabot: bool = False
    fork: bool = False
    rerun: bool = False
    deleted: bool = False
    private: bool | None = None
    labels: tuple[str, ...] = ()
    run: int | None = None
    source: str = ""
    url: str = ""


def event(environ: Mapping[str, str], payload: Any) -> Event:
    """The event of a job from its environment and its payload. Raises Refused, by field, for what GitHub never sends.

    A field that the event does not have is empty; one that it has must be what it says it is.
    """
    name = environ.get("GITHUB_EVENT_NAME", "")
    if not name or not _WORD.fullmatch(name):
        raise _wrong("GITHUB_EVENT_NAME", name, "the name of an event")
    if not isinstance(payload, dict):
        raise _wrong("the event's payload", type(payload).__name__, "a JSON object")
    given = _Fields(payload)
    rerun = environ.get("GITHUB_RUN_ATTEMPT", "1") != "1"
    sender = given.text("sender", "login", form=_LOGIN)
    actor = environ.get("GITHUB_TRIGGERING_ACTOR", "") if rerun else sender or environ.get("GITHUB_ACTOR", "")
    if actor and not _LOGIN.fullmatch(actor):
        raise _wrong("the actor", actor, "a login")
    repository = environ.get("GITHUB_REPOSITORY", "") or given.text("repository", "full_name", form=_REPOSITORY)
    if repository and not _REPOSITORY.fullmatch(repository):
        raise _wrong("GITHUB_REPOSITORY", repository, "owner/name")
    return Event(
        name=name,
        action=given.text("action", form=_WORD),
        repository=repository,
        head=_head(name, given, environ),
        base=_base(name, given, environ),
        number=given.number("pull_request", "number"),
        label=given.text("label", "name") or None,
        actor=actor,
        dependabot=DEPENDABOT in (sender, environ.get("GITHUB_ACTOR")),
        fork="pull_request" in payload
        and given.text("pull_request", "head", "repo", "full_name").casefold() != repository.casefold(),
        rerun=rerun,
        deleted=payload.get("deleted") is True,
        private=given.flag("repository", "private"),
        labels=given.names("pull_request", "labels"),
        run=given.number("workflow_run", "id") if name == "workflow_run" else None,
        url=_url(environ, repository),
        source=given.text("workflow_run", "head_repository", "full_name", form=_REPOSITORY),
    )


def _head(name: str, given: _Fields, environ: Mapping[str, str]) -> str | None:
    """The commit that the event is about, never the merge commit of a pull request."""
    if name in PULL_REQUEST or name == "pull_request_target":
        return given.text("pull_request", "head", "sha", form=_COMMIT, needed=True)
    if name == "merge_group":
        return given.text("merge_group", "head_sha", form=_COMMIT, needed=True)
    if name == "workflow_run":
        return given.text("workflow_run", "head_sha", form=_COMMIT, needed=True)
    if name in ("push", "schedule", "repository_dispatch"):
        sha = environ.get("GITHUB_SHA", "")
        if not _COMMIT.fullmatch(sha):
            raise _wrong("GITHUB_SHA", sha, "a commit")
        return sha
    return None  # a dispatch is about what its workflow checks out


def _url(environ: Mapping[str, str], repository: str) -> str:
    """Where people read this run; empty where the environment does not say it plainly."""
    server, run = environ.get("GITHUB_SERVER_URL", ""), environ.get("GITHUB_RUN_ID", "")
    plain = _SERVER.fullmatch(server) and _NUMBER.fullmatch(run) and repository
    return f"{server}/{repository}/actions/runs/{run}" if plain else ""


def _base(name: str, given: _Fields, environ: Mapping[str, str]) -> str | None:
    """The commit that somebody who may write has merged, or has started a dispatch on."""
    if name in ("workflow_dispatch", "repository_dispatch"):
        sha = environ.get("GITHUB_SHA", "")
        return sha if _COMMIT.fullmatch(sha) else None
    where = ("merge_group", "base_sha") if name == "merge_group" else ("pull_request", "base", "sha")
    return given.text(*where, form=_COMMIT) or None


@dataclass(frozen=True, slots=True)
class _Fields:
    """A payload, read field by field."""

    payload: Mapping[str, Any]

    def at(self, *path: str) -> Any:
        """The value at a path; None where a step is missing or null."""
        value: Any = self.payload
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        return value

    def text(self, *path: str, form: re.Pattern[str] | None = None, needed: bool = False) -> str:
        """A text of the right form, or an empty one where there is none. Raises Refused."""
        value = self.at(*path)
        if value is None and not needed:
            return ""
        if not isinstance(value, str) or (form is not None and not form.fullmatch(value)):
            raise _wrong(".".join(path), value, "what GitHub sends there")
        return value

    def number(self, *path: str) -> int | None:
        """A number from 1 on, or None where there is none. Raises Refused."""
        value = self.at(*path)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 2**53:
            raise _wrong(".".join(path), value, "a number")
        return value

    def flag(self, *path: str) -> bool | None:
        """True or false, or None where it is neither."""
        value = self.at(*path)
        return value if isinstance(value, bool) else None

    def names(self, *path: str) -> tuple[str, ...]:
        """The names of the things in a list."""
        value = self.at(*path)
        found = [one.get("name") for one in value if isinstance(one, dict)] if isinstance(value, list) else []
        return tuple(name for name in found if isinstance(name, str))


def _wrong(what: str, found: object, expected: str) -> Refused:
    todo = "this job was not started by GitHub Actions, or the event's file was changed; run it from a workflow"
    return Refused(what, repr(found)[:200], expected, todo)
