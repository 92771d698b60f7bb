"""Streams cut into events, as the bytes come in: Server-Sent Events and JSON lines.

An event counts only when it is complete. What stands in the last, unfinished one is never handed out,
except one JSON object without its newline: that is complete by itself.
"""

from __future__ import annotations

import json
from typing import Literal, NamedTuple, Protocol

_BOM = b"\xef\xbb\xbf"


class Event(NamedTuple):
    """One event of a stream. `name` is empty unless the server gave one."""

    data: str
    name: str = ""


class Cutter(Protocol):
    """Bytes in, complete events out. Where the bytes are split makes no difference."""

    def feed(self, data: bytes) -> list[Event]:
        """The events that these bytes complete."""

    def finish(self) -> list[Event]:
        """The events that the proper end of the body completes."""


def cutter(form: Literal["sse", "lines"]) -> Cutter:
    """A new cutter for one body."""
    return Sse() if form == "sse" else Lines()


class Sse:
    """Server-Sent Events as the HTML standard has them; an event that has only a name counts too."""

    def __init__(self) -> None:
        self._lines = _LineCutter()
        self._data: list[str] = []
        self._name = ""

    def feed(self, data: bytes) -> list[Event]:
        """The events that these bytes complete."""
        events = []
        for line in self._lines.feed(data):
            if line:
                self._field(line)
            elif self._data or self._name:
                events.append(Event("\n".join(self._data), self._name))
                self._data, self._name = [], ""
        return events

    def finish(self) -> list[Event]:
        """Nothing: an event without its blank line is not complete."""
        return []

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        elif name == "event":
            self._name = value.removeprefix(" ")


class Lines:
    """One event a line; blank lines are skipped."""

    def __init__(self) -> None:
        self._lines = _LineCutter()

    def feed(self, data: bytes) -> list[Event]:
        """The events that these bytes complete."""
        return [Event(line.strip()) for line in self._lines.feed(data) if line.strip()]

    def finish(self) -> list[Event]:
        """The last line without its newline, if it is one complete JSON object."""
        rest = self._lines.rest().strip()
        return [Event(rest)] if _is_object(rest) else []


class _LineCutter:
    """Lines without their end (LF, CR or CRLF), decoded as UTF-8; a byte order mark at the start is dropped."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._after_cr = False
        self._first = True

    def feed(self, data: bytes) -> list[str]:
        if self._after_cr and data:
            data, self._after_cr = data.removeprefix(b"\n"), False
        if not data:
            return []
        self._parts.append(data)
        if b"\n" not in data and b"\r" not in data:
            return []
        self._after_cr = data.endswith(b"\r")
        whole = b"".join(self._parts)
        # bytes.splitlines knows LF, CR and CRLF only, unlike str.splitlines
        lines = whole.splitlines()
        self._parts = [] if whole.endswith((b"\n", b"\r")) else [lines.pop()]
        return [self._text(line) for line in lines]

    def rest(self) -> str:
        return self._text(b"".join(self._parts))

    def _text(self, line: bytes) -> str:
        if self._first:
            line, self._first = line.removeprefix(_BOM), False
        return line.decode("utf-8", "replace")


def _is_object(text: str) -> bool:
    if not text.startswith("{"):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
