"""The `http` backend: any endpoint, described by a request template and paths into the reply."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from guardgate.backends import template
from guardgate.backends.base import Available, Surroundings
from guardgate.backends.bodies import Finder, find_calls, shape
from guardgate.backends.client import Client
from guardgate.backends.complaints import Complaint, complaint_at, error_beside, error_in
from guardgate.backends.reading import Reading, Streamed, Whole
from guardgate.backends.streams import cutter
from guardgate.model.base import Params
from guardgate.model.project import HttpTarget
from guardgate.record import Failure, Reply, Retry, Talk, ToolCall

#: One for all requests: making one takes as long as writing a short body.
_ENCODER = json.JSONEncoder(separators=(",", ":"))


class Http:
    """A target behind an HTTP endpoint."""

    def __init__(self, name: str, settings: HttpTarget, around: Surroundings) -> None:
        self.name = name
        self._settings = settings
        self._paths = _Paths(name, settings)
        places = template.placeholders(settings.request)
        self._own_places = places - template.BUILT_IN
        self._stateless = "messages" in places and "session" not in places
        self._client = Client(settings.url, settings.method, settings.headers, around)
        self._sessions: dict[str, str | int] = {}

    @property
    def not_before(self) -> float:
        """When the server last said that there are calls left again (monotonic)."""
        return self._client.not_before

    async def available(self) -> Available | Failure:
        """Whether something listens at the address, and every param has its place in the request."""
        return self._lost_params(self._settings.params) or await self._client.probe()

    async def reply(self, talk: Talk) -> Reply | Failure:
        """The reply to the last turn."""
        params = {**self._settings.params, **talk.params}
        session = self._session_of(talk)
        if isinstance(session, Failure):
            return session
        problem = self._lost_params(params) or self._unfilled(params)
        if problem:
            return problem
        body = template.fill(self._settings.request, {**params, **_built_in(talk, session)})
        repeat: Retry = "resend" if self._stateless else "restart"
        answer = _Answer(self._paths)
        outcome = await self._call(body, self._reading(answer, repeat), repeat, talk.deadline)
        if isinstance(outcome, Reply):
            return self._keep_session(talk, answer.session, outcome)
        if outcome.kind == "not_found" and talk.replies and not self._stateless:
            # the address worked for the turn before: it is the session that is gone, not the target
            return Failure("not_found", outcome.detail, "restart")
        return outcome

    async def forget(self, talk_id: str) -> None:
        """Drop the session that the server made for this conversation."""
        self._sessions.pop(talk_id, None)

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def _call(self, body: dict[str, Any], into: Reading, repeat: Retry, deadline: float) -> Reply | Failure:
        if self._settings.method == "GET":
            # an address cannot carry lone surrogates; JSON can
            texts = {key: template.as_text(value).encode("utf-8", "replace") for key, value in body.items()}
            query = {key: text.decode() for key, text in texts.items()}
            return await self._client.call(None, into, repeat, deadline, query)
        data = _ENCODER.encode(body).encode()
        return await self._client.call(data, into, repeat, deadline)

    def _reading(self, answer: _Answer, repeat: Retry) -> Reading:
        stream = self._settings.stream
        if stream is None:
            return Whole(answer, repeat)
        return Streamed(cutter(stream.format), stream.end, answer, repeat)

    def _lost_params(self, params: Params) -> Failure | None:
        unused = template.unused(self._settings.request, params) if params else set()
        if not unused:
            return None
        detail = f"`request` of the target never mentions {_places(unused)}, so these params would be lost"
        return Failure("unavailable", f"{detail}; add them to `request`, or drop them", fatal=True)

    def _unfilled(self, params: Params) -> Failure | None:
        unknown = self._own_places - params.keys()
        if not unknown:
            return None
        detail = f"`request` of the target has {_places(unknown)}, and no param of that name"
        return Failure("unavailable", f"{detail}; add it to `params`, or correct the name", fatal=True)

    def _session_of(self, talk: Talk) -> str | int | Failure | None:
        if self._paths.session is None:
            return talk.id
        if not talk.replies:
            self._sessions.pop(talk.id, None)
            return None
        if talk.id not in self._sessions:
            return Failure("forgotten", "the server's session of the turn before is not known here", "restart")
        return self._sessions[talk.id]

    def _keep_session(self, talk: Talk, session: str | int | None, reply: Reply) -> Reply | Failure:
        path = self._paths.session
        if path is None:
            return reply
        if session is not None:
            self._sessions[talk.id] = session
        elif talk.id not in self._sessions:
            detail = f"the first reply has no session id at {path.path}; correct `session` of the target"
            return Failure("malformed", detail, partial=replace(reply, cut=True))
        return reply


def _places(names: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))


def _is_session(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def _built_in(talk: Talk, session: str | int | None) -> dict[str, Any]:
    return {
        "turn": talk.turn,
        "messages": template.conversation(talk),
        "session": session,
        "system": talk.system,
        "task": talk.task,
        "document": talk.document,
    }


class _Paths:
    """Where the parts of a reply stand, compiled once."""

    def __init__(self, name: str, settings: HttpTarget) -> None:
        where = f"targets.{name}"
        calls = settings.tool_calls
        self.reply = Finder(settings.reply, f"{where}.reply")
        self.session = Finder(settings.session, f"{where}.session") if settings.session else None
        self.state = Finder(settings.state, f"{where}.state") if settings.state else None
        self.error = Finder(settings.error, f"{where}.error") if settings.error else None
        self.calls = Finder(calls.path, f"{where}.tool_calls.path") if calls else None
        self.call_keys = calls


class _Answer:
    """What one body, or the events of one stream, have brought so far."""

    def __init__(self, paths: _Paths) -> None:
        self._paths = paths
        self._texts: list[str] = []
        self._tools: list[ToolCall] = []
        self._state: Any = None
        self._last: Any = None
        self._found = False
        self.session: str | int | None = None

    def take(self, value: Any) -> Complaint | None:
        """Add what the paths find; an error in place of the text is given back."""
        paths = self._paths
        texts = paths.reply(value)
        self._texts += map(template.as_text, texts)
        self._found = self._found or bool(texts)
        self._last = value
        if paths.state:
            self._state = next(iter(paths.state(value)), self._state)
        if paths.session:
            self.session = next(filter(_is_session, paths.session(value)), self.session)
        if paths.calls and paths.call_keys:
            self._tools += find_calls(paths.calls(value), paths.call_keys)
        named = complaint_at(paths.error(value)) if paths.error else None
        if named or not texts:
            return named or error_in(value)
        return error_beside(value) if paths.error is None else None

    def reply(self, cut: bool) -> Reply:
        """What has been received so far."""
        traced = self._paths.calls is not None
        return Reply("".join(self._texts), tuple(self._tools), self._state, cut=cut, traced=traced)

    def outcome(self) -> Reply | Failure:
        """The reply, which is empty when a stream brought no text."""
        return self.reply(cut=False)

    def missing(self) -> str | None:
        """What one whole body must have."""
        if self._found:
            return None
        return f"nothing at {self._paths.reply.path}: found {shape(self._last)}; correct `reply` of the target"
