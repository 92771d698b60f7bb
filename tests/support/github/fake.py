"""The stand-in: what it holds, what it lets through, and what it does with one request."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

from guardgate.github.settings import Settings
from tests.support.github import routes, rules
from tests.support.github.described import Description, shared
from tests.support.github.shapes import sha_of
from tests.support.server import Answer, Seen, Server

REPOSITORY = "acme/bot"
BOT = "github-actions[bot]"
#: Looks like the token of a job and is none.
TOKEN = "ghs_standin0000000000000000000000000000"


@dataclass
class Fault:
    """What happens to the next requests whose `METHOD /path` fits, in place of what they ask for."""

    pattern: re.Pattern[str]
    answer: Answer
    left: int
    done: bool


@dataclass
class GitHub:
    """`with GitHub() as github:` gives `settings` for a client; everything else is for the test to set and to look at.

    prefix: `/api/v3` as on an Enterprise Server. may: what the token may write, and `actions`, which is read. now: the
    time that limits go by, in seconds. listener: as for `Server`. faults: see `fail`. problems: what was asked or
    answered against GitHub's description; the end of the block fails where there are some.
    """

    prefix: str = ""
    repository: str = REPOSITORY
    token: str = TOKEN
    login: str = BOT
    may: set[str] = field(default_factory=lambda: {"issues", "pull-requests", "statuses", "actions"})
    now: Callable[[], float] = lambda: 1_000_000.0
    remaining: int = 1_000
    reset: int = 1_003_600
    tls: ssl.SSLContext | None = None
    listener: socket.socket | None = None
    description: Description | None = field(default_factory=shared)
    pulls: dict[int, dict[str, Any]] = field(default_factory=dict)
    roles: dict[str, tuple[str, str]] = field(default_factory=dict)
    comments: dict[int, dict[str, Any]] = field(default_factory=dict)
    statuses: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    issues: dict[int, dict[str, Any]] = field(default_factory=dict)
    artifacts: dict[int, dict[str, Any]] = field(default_factory=dict)
    files: dict[tuple[str, str], bytes] = field(default_factory=dict)
    changed: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    storage: str = ""
    problems: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    created: list[float] = field(default_factory=list)
    ticks: int = 0

    def __enter__(self) -> Self:
        self.server = Server(self._answer, tls=self.tls, listener=self.listener)
        self.server.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self.server.__exit__(kind, *rest)
        if kind is None:
            assert self.problems == [], self.problems

    @property
    def base(self) -> str:
        return self.server.url + self.prefix

    @property
    def settings(self) -> Settings:
        return Settings(self.base, self.repository, self.token)

    @property
    def seen(self) -> list[Seen]:
        """The requests, in their order."""
        return self.server.seen

    @property
    def asked(self) -> list[str]:
        """The requests as `METHOD /path` below the base."""
        return [f"{one.method} {one.path.removeprefix(self.prefix)}" for one in self.seen]

    def tick(self) -> int:
        """Every creation is a second later than the one before."""
        self.ticks += 1
        return self.ticks

    def fail(self, pattern: str, answer: Answer, times: int = 1, *, done: bool = False) -> None:
        """Answer so where `METHOD /path` fits. done: what was asked is done all the same; only the answer is lost."""
        self.faults.append(Fault(re.compile(pattern), answer, times, done))

    def add_pull(self, number: int = 7, **given: Any) -> dict[str, Any]:
        """An open pull request from the repository itself, with what is given in place of that."""
        plain = {"head": sha_of("head"), "base": sha_of("base"), "head_repo": self.repository, "author": "author"}
        more = {"title": "A change", "state": "open", "draft": False, "labels": []}
        self.pulls[number] = {**plain, **more, **given}
        return self.pulls[number]

    def add_comment(self, number: int, body: str, author: str | None = "somebody") -> int:
        """A comment by somebody; its id."""
        own = 1_000 + self.tick()
        self.comments[own] = {"number": number, "body": body, "author": author, "at": self.ticks}
        return own

    def add_status(self, sha: str, author: str | None = None, **given: Any) -> int:
        """A status by the token's own login, or by somebody else; its id."""
        own = 5_000 + self.tick()
        line = {"id": own, "author": author or self.login, "at": self.ticks, "given": given}
        self.statuses.setdefault(sha, []).append(line)
        return own

    def add_artifact(self, run: int, name: str, data: bytes, **given: Any) -> int:
        """An artifact of a workflow run; its id."""
        own = 9_000 + self.tick()
        plain = {"run": run, "name": name, "data": data, "size": len(data), "expired": False, "head": sha_of("head")}
        self.artifacts[own] = {**plain, **given}
        return own

    def _answer(self, seen: Seen) -> Answer:
        line = f"{seen.method} {seen.path.removeprefix(self.prefix)}"
        fault = next((one for one in self.faults if one.left and one.pattern.search(line)), None)
        if fault is not None:
            fault.left -= 1
            if fault.done:
                self._served(seen, line)
            return fault.answer
        return self._served(seen, line)

    def _served(self, seen: Seen, line: str) -> Answer:
        if not seen.path.startswith(self.prefix):
            return routes.graphql(self, seen) if seen.path == "/api/graphql" else rules.NOT_FOUND
        answer = rules.refusal(self, seen) or routes.answer(self, seen, line)
        answer = replace(answer, headers={**self._limits(), **answer.headers})
        self.problems += rules.faults_of(self, seen)
        if self.description is not None:
            self.problems += self.description.problems(seen, answer, self.prefix)
        return answer

    def _limits(self) -> dict[str, str]:
        self.remaining = max(0, self.remaining - 1)
        said = {"limit": "1000", "remaining": str(self.remaining), "reset": str(self.reset), "resource": "core"}
        return {f"x-ratelimit-{name}": value for name, value in said.items()}
