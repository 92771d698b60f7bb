"""The calls to GitHub that guardgate needs, and no others. None raises for what a server does."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter

from guardgate.github.exchange import CALL_SECONDS, Clock, Request, open_client
from guardgate.github.failure import ApiFailure
from guardgate.github.pages import every, many, read
from guardgate.github.records import (
    Account,
    Artifact,
    Artifacts,
    Comment,
    CommitStatus,
    Comparison,
    Content,
    Issue,
    Permission,
    Pull,
    Record,
    State,
    Viewer,
)
from guardgate.github.settings import Settings
from guardgate.github.wire import Wire

#: Whom the token of a job speaks for.
ACTIONS_BOT = "github-actions[bot]"
ARTIFACT_BYTES = 256 * 1024 * 1024
R = TypeVar("R", bound=Record)

_SHA = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Removed:
    """It is gone. `was_there`: this call removed it."""

    was_there: bool


def connect(given: Settings, clock: Clock | None = None, call_seconds: float = CALL_SECONDS) -> Api | ApiFailure:
    """A client for one repository, or what is wrong with the proxies or the certificates."""
    client = open_client(given)
    if isinstance(client, ApiFailure):
        return client
    return Api(Wire(client, given, clock or Clock(), call_seconds=call_seconds))


class Api:
    """One repository on GitHub. Each call gives a record or an `ApiFailure`; lists are whole or a failure.

    All calls together wait at most 90 seconds for limits and failing servers.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._home = f"/repos/{wire.settings.repository}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._wire.client.close()

    def login(self) -> str | ApiFailure:
        """Whom the token speaks for. GraphQL is asked first: `GET /user` is refused to the tokens of jobs and apps."""
        base = self._wire.settings.base
        graph = f"{base.removesuffix('/v3')}/graphql" if base.endswith("/api/v3") else f"{base}/graphql"
        answer = self._wire.send(Request("POST", graph, {"query": "query { viewer { login } }"}))
        viewer = read(self._wire, "POST /graphql", answer, TypeAdapter(Viewer))
        who = self._one(Account, "GET", "/user") if isinstance(viewer, ApiFailure) else viewer
        return who if isinstance(who, ApiFailure) else who.login

    def pull(self, number: int) -> Pull | ApiFailure:
        """The pull request as it is now."""
        path = f"{self._home}/pulls/{number:d}"
        found = self._one(Pull, "GET", path)
        if isinstance(found, Pull) and found.number != number:
            return self._malformed(f"GET {path}", "another pull request")
        return found

    def permission(self, login: str) -> Permission | ApiFailure:
        """What somebody may do in the repository."""
        if not _is_step(login):
            return self._unasked("no login", login)
        path = f"{self._home}/collaborators/{quote(login, safe='')}/permission"
        found = self._one(Permission, "GET", path)
        if isinstance(found, Permission) and (found.login or login).casefold() != login.casefold():
            return self._malformed(f"GET {path}", "somebody else")
        return found

    def remove_label(self, number: int, name: str) -> Removed | ApiFailure:
        """Take a label off a pull request or an issue."""
        if not _is_step(name):  # an empty name would take off all of them
            return self._unasked("no label", name)
        done = self._delete(f"{self._home}/issues/{number:d}/labels/{quote(name, safe='')}")
        if isinstance(done, ApiFailure) and done.kind == "missing" and "Label does not exist" in done.text:
            return Removed(was_there=False)
        return done

    def statuses(self, sha: str) -> tuple[CommitStatus, ...] | ApiFailure:
        """Every status of a commit, of all contexts and authors, the newest first."""
        if not _SHA.fullmatch(sha):
            return self._unasked("no commit", sha)
        return self._list(CommitStatus, f"{self._home}/commits/{sha}/statuses")

    def create_status(
        self, sha: str, *, state: State, context: str, description: str, target_url: str | None = None
    ) -> CommitStatus | ApiFailure:
        """Put a status on a commit."""
        if not _SHA.fullmatch(sha):
            return self._unasked("no commit", sha)
        body = {"state": state, "context": context, "description": description}
        more = {} if target_url is None else {"target_url": target_url}
        return self._one(CommitStatus, "POST", f"{self._home}/statuses/{sha}", {**body, **more})

    def comments(self, number: int, keep: Callable[[Comment], bool] | None = None) -> tuple[Comment, ...] | ApiFailure:
        """The comments on a pull request or an issue that `keep` wants, the oldest first."""
        return self._list(Comment, f"{self._home}/issues/{number:d}/comments", keep=keep)

    def create_comment(self, number: int, body: str) -> Comment | ApiFailure:
        """Write a comment. It is not sent again when the answer is lost."""
        path = f"{self._home}/issues/{number:d}/comments"
        return self._one(Comment, "POST", path, {"body": body}, twice=False)

    def update_comment(self, comment: int, body: str) -> Comment | ApiFailure:
        """Write a comment anew, by its id."""
        path = f"{self._home}/issues/comments/{comment:d}"
        return self._one(Comment, "PATCH", path, {"body": body})

    def delete_comment(self, comment: int) -> Removed | ApiFailure:
        """Remove a comment, by its id."""
        done = self._delete(f"{self._home}/issues/comments/{comment:d}")
        gone = isinstance(done, ApiFailure) and done.kind == "missing"
        return Removed(was_there=False) if gone else done

    def issues(
        self,
        *,
        state: str = "open",
        labels: Iterable[str] = (),
        keep: Callable[[Issue], bool] | None = None,
    ) -> tuple[Issue, ...] | ApiFailure:
        """The issues with all these labels that `keep` wants, the newest first. Pull requests are among them."""
        names = ",".join(labels)
        query = {"state": state, **({"labels": names} if names else {})}
        return self._list(Issue, f"{self._home}/issues", query, keep)

    def create_issue(self, title: str, body: str, labels: Iterable[str] = ()) -> Issue | ApiFailure:
        """Open an issue. It is not sent again when the answer is lost."""
        content = {"title": title, "body": body, "labels": list(labels)}
        return self._one(Issue, "POST", f"{self._home}/issues", content, twice=False)

    def update_issue(
        self, number: int, *, title: str | None = None, body: str | None = None, state: str | None = None
    ) -> Issue | ApiFailure:
        """Change what is given of an issue."""
        given = {"title": title, "body": body, "state": state}
        content = {name: value for name, value in given.items() if value is not None}
        return self._one(Issue, "PATCH", f"{self._home}/issues/{number:d}", content)

    def artifacts(self, run: int) -> tuple[Artifact, ...] | ApiFailure:
        """The artifacts of a workflow run, of all its attempts, expired ones too."""
        path = f"{self._home}/actions/runs/{run:d}/artifacts"
        return every(self._wire, path, {}, TypeAdapter(Artifacts), lambda page: page.artifacts, None)

    def download(self, artifact: int, limit: int = ARTIFACT_BYTES) -> bytes | ApiFailure:
        """An artifact as a zip file of at most `limit` bytes. What is in it is hostile."""
        url = f"{self._wire.settings.base}{self._home}/actions/artifacts/{artifact:d}/zip"
        answer = self._wire.send(Request("GET", url, limit=limit, abroad=True))
        return answer if isinstance(answer, ApiFailure) else answer.body

    def file(self, path: str, commit: str) -> bytes | ApiFailure:
        """A file at a commit. A folder, a submodule and a file over 1 MiB are failures."""
        if not _SHA.fullmatch(commit) or not all(map(_is_step, path.split("/"))):
            return self._unasked("no file at a commit", f"{commit}:{path}")
        at = f"{self._home}/contents/{quote(path)}"
        found = self._one(Content, "GET", f"{at}?{urlencode({'ref': commit})}")
        if isinstance(found, ApiFailure):
            return found
        try:
            data = base64.b64decode("".join(found.content.split()), validate=True)
        except (binascii.Error, ValueError):
            return self._malformed(f"GET {at}", "content that is not base64")
        if found.path != path or len(data) != found.size:
            return self._malformed(f"GET {at}", "another file, or a part of it")
        return data

    def compare(self, base: str, head: str) -> Comparison | ApiFailure:
        """How two commits differ."""
        if not (_SHA.fullmatch(base) and _SHA.fullmatch(head)):
            return self._unasked("no two commits", f"{base}...{head}")
        return self._one(Comparison, "GET", f"{self._home}/compare/{base}...{head}")

    def _one(
        self, form: type[R], method: str, path: str, body: Mapping[str, object] | None = None, *, twice: bool = True
    ) -> R | ApiFailure:
        request = Request(method, f"{self._wire.settings.base}{path}", body)
        return read(self._wire, f"{method} {path}", self._wire.send(request, twice=twice), TypeAdapter(form))

    def _list(
        self,
        form: type[R],
        path: str,
        query: Mapping[str, str] | None = None,
        keep: Callable[[R], bool] | None = None,
    ) -> tuple[R, ...] | ApiFailure:
        return every(self._wire, path, query or {}, many(form), lambda page: page, keep)

    def _delete(self, path: str) -> Removed | ApiFailure:
        answer = self._wire.send(Request("DELETE", f"{self._wire.settings.base}{path}"))
        return answer if isinstance(answer, ApiFailure) else Removed(was_there=True)

    def _malformed(self, asked: str, found: str) -> ApiFailure:
        return self._wire.safe(ApiFailure("malformed", f"{asked}: GitHub answered with {found}; it was not used"))

    def _unasked(self, what: str, found: str) -> ApiFailure:
        return self._wire.safe(ApiFailure("refused", f"found {what}: {found!r}; GitHub was not asked"))


def _is_step(text: str) -> bool:
    """Whether a text can be one step of a path: servers take some for the folder above, or for none."""
    return text not in ("", ".", "..") and not any(0xD800 <= ord(char) <= 0xDFFF for char in text)
