"""What a 2xx body is read into: one JSON value, or a stream of them, folded into a reply."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from guardgate.backends.bodies import UnreadableError, parse, quote
from guardgate.backends.complaints import Complaint, complaint_of, error_in
from guardgate.backends.outcomes import of_error
from guardgate.backends.streams import Cutter, Event
from guardgate.record import Failure, Reply, Retry

QUOTED = 200
_HEAD = 4096


class Fold(Protocol):
    """JSON values in, a reply out."""

    def take(self, value: Any) -> Complaint | None:
        """Add one value; an error inside it is given back. Raises UnreadableError for what cannot be read."""

    def reply(self, cut: bool) -> Reply:
        """What has been received so far."""

    def outcome(self) -> Reply | Failure:
        """The result when everything has arrived."""

    def missing(self) -> str | None:
        """Why one whole body is no reply, if nothing in it was one."""


class Reading(Protocol):
    """Takes the bytes of a body. `feed` is true when no further byte is needed."""

    def feed(self, data: bytes) -> bool:
        """Take some bytes."""

    def finish(self) -> Reply | Failure:
        """The result when the body has come to its proper end, or `feed` wanted no more."""

    def broken(self, failure: Failure) -> Failure:
        """The failure when the body broke off, with what had been received."""


class Whole:
    """A body that is one JSON value. Its content type does not matter."""

    def __init__(self, fold: Fold, repeat: Retry) -> None:
        self._fold, self._repeat = fold, repeat
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> bool:
        """Keep the bytes; all of them are needed."""
        self._parts.append(data)
        return False

    def finish(self) -> Reply | Failure:
        """The reply in the body."""
        body = b"".join(self._parts)
        try:
            value = parse(body)
        except UnreadableError as error:
            return Failure("malformed", f"the body is {error}: {quote(body, QUOTED)}")
        try:
            complaint = self._fold.take(value)
        except UnreadableError as error:
            return Failure("malformed", f"{error}: {quote(body, QUOTED)}", partial=self._fold.reply(cut=True))
        if complaint:
            said = self._fold.reply(cut=True)
            return of_error(complaint, self._repeat, said if said.text or said.tools else None)
        missing = self._fold.missing()
        if missing:
            return Failure("malformed", f"{missing}: {quote(body, QUOTED)}", partial=self._fold.reply(cut=True))
        return self._fold.outcome()

    def broken(self, failure: Failure) -> Failure:
        """Half a JSON value says nothing."""
        return failure


class Streamed:
    """A body that is a stream of JSON events up to its end marker, without which there is no reply.

    `end` is the data of the last event, or a JSON object whose keys and values the last event has, or
    `event: NAME`.
    """

    def __init__(self, cutter: Cutter, end: str, fold: Fold, repeat: Retry) -> None:
        self._cutter, self._end, self._fold, self._repeat = cutter, end, fold, repeat
        self._end_keys = _object(end)
        self._head = b""
        self._events = 0
        self._ended = False
        self._failure: Failure | None = None

    def feed(self, data: bytes) -> bool:
        """Take the events that these bytes complete; true at the end marker or an error."""
        if not self._events and len(self._head) < _HEAD:
            self._head += data[:_HEAD]
        return self._take(self._cutter.feed(data))

    def finish(self) -> Reply | Failure:
        """The reply if the end marker was seen, else the failure, with what was received."""
        if not self._ended and not self._failure:
            self._take(self._cutter.finish())
        if self._failure:
            return self.broken(self._failure)
        return self._fold.outcome() if self._ended else self._without_end()

    def broken(self, failure: Failure) -> Failure:
        """The failure with the text and calls so far."""
        kind = "cut_stream" if failure.kind == "connection" else failure.kind
        return replace(failure, kind=kind, partial=self._fold.reply(cut=True))

    def _take(self, events: list[Event]) -> bool:
        for event in events:
            self._events += 1
            try:
                self._ended = self._one(event)
            except UnreadableError as error:
                self._failure = Failure("malformed", str(error))
            if self._ended or self._failure:
                return True
        return False

    def _one(self, event: Event) -> bool:
        if event.data == self._end:
            return True
        value = self._value(event) if event.data.strip() else None
        complaint = self._fold.take(value) if value is not None else None
        if event.name == "error" and not complaint:
            said = complaint_of(value)
            complaint = said if said.message else Complaint(event.data)
        if complaint:
            self._failure = of_error(complaint, self._repeat)
        named = f"event: {event.name}" == self._end
        return named or (self._end_keys is not None and _has(value, self._end_keys))

    def _value(self, event: Event) -> Any:
        try:
            return parse(event.data)
        except UnreadableError as error:
            if event.name == "error":
                return None
            raise UnreadableError(f"an event of the stream is {error}: {quote(event.data, QUOTED)}") from None

    def _without_end(self) -> Failure:
        if not self._events:
            error = _error_of(self._head)
            if error:
                return of_error(error, self._repeat)
        start = "" if self._events else f"; the body begins with {quote(self._head, QUOTED)}"
        detail = f"the stream stopped after {self._events} events without its end, {self._end!r}{start}"
        return self.broken(Failure("cut_stream", detail, self._repeat))


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = parse(text)
    except UnreadableError:
        return None
    return value if isinstance(value, dict) and value else None


def _has(value: Any, keys: dict[str, Any]) -> bool:
    return isinstance(value, dict) and all(key in value and value[key] == keys[key] for key in keys)


def _error_of(body: bytes) -> Complaint | None:
    try:
        return error_in(parse(body))
    except UnreadableError:
        return None
