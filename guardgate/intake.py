"""The one door for every reply, failure and judge answer: bounded, valid text, without secrets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from guardgate.record import Failure, Reply, ToolCall, Usage
from guardgate.redact import MARK, redact, secret_pattern, valid

REPLACED = "secret replaced"
DETAIL_CHARS = 1_000
NAME_CHARS = 300
MAX_DEPTH = 32
MAX_VALUES = 20_000
MAX_INT = 2**63


class Taken(NamedTuple):
    """A reply that came through the door, and what a reader must know about it."""

    reply: Reply
    notes: tuple[str, ...]

    @property
    def too_large(self) -> bool:
        """Whether something of it was cut off here, so that it can break a rule but never hold one."""
        return any(note.startswith("cut to ") for note in self.notes)


@dataclass(frozen=True)
class Intake:
    """The door of one run. `secrets`: values that must never pass; shorter than 8 characters do not count."""

    secrets: tuple[str, ...] = field(default=(), repr=False)
    max_chars: int = 1_000_000

    @cached_property
    def _pattern(self) -> Any | None:
        return secret_pattern(self.secrets)

    def text(self, text: str) -> str:
        """The text with valid characters only, without secrets, cut to the size bound."""
        return _Pass(self._pattern, self.max_chars).text(text)

    def redact(self, text: str) -> str:
        """The text with valid characters only and without secrets, whole; a line of JSON stays one."""
        return _Pass(self._pattern, self.max_chars).clean(text)

    def value(self, value: Any) -> Any:
        """The value as JSON can say it, without secrets, bounded in depth and size."""
        return _Pass(self._pattern, self.max_chars).value(value)

    def reply(self, reply: Reply) -> Taken:
        """The reply as checks, judges and files may see it; `cut` where the door cut it."""
        passing = _Pass(self._pattern, self.max_chars)
        text = passing.text(reply.text)
        tools = tuple(_tool(passing, call) for call in reply.tools[:MAX_VALUES])
        state = passing.value(reply.state)
        model = None if reply.model is None else passing.text(reply.model)[:NAME_CHARS]
        cut = passing.cut or len(reply.tools) > MAX_VALUES
        notes = [REPLACED] if passing.secret else []
        notes += [f"cut to {self.max_chars:,} characters"] if cut else []
        usage = _usage(reply.usage)
        clean = replace(reply, text=text, tools=tools, state=state, model=model, usage=usage, cut=reply.cut or cut)
        return Taken(clean, tuple(notes))

    def failure(self, failure: Failure) -> Failure:
        """The failure with a short clean detail and a clean partial reply."""
        detail = self.text(failure.detail)[:DETAIL_CHARS]
        partial = None if failure.partial is None else self.reply(failure.partial).reply
        return replace(failure, detail=detail, partial=partial)


class _Pass:
    """One passage through the door: the room that is left, and what happened."""

    def __init__(self, pattern: Any | None, max_chars: int) -> None:
        self.cut = self.secret = False
        self._pattern, self._max_chars = pattern, max_chars
        self._room, self._values = max_chars, MAX_VALUES

    def text(self, text: str) -> str:
        """A text of its own: it has the whole bound for itself."""
        clean = self.clean(text)
        self.cut = self.cut or len(clean) > self._max_chars
        return clean[: self._max_chars]

    def value(self, value: Any, depth: int = 0) -> Any:
        """A value; all values of one passage share the bound."""
        self._values -= 1
        if value is None or isinstance(value, bool):
            return value
        if self._values < 0 or self._room <= 0 or depth > MAX_DEPTH:
            self.cut = True
            return "[cut]"
        if isinstance(value, Mapping):
            return self._mapping(value, depth)
        if isinstance(value, list | tuple):
            return [self.value(item, depth + 1) for item in self._some(value)]
        return self._leaf(value)

    def _mapping(self, value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for raw in self._some(value):
            key = self._part(raw if isinstance(raw, str) else str(self._leaf(raw)))
            # Two keys that became one must not hide a value.
            name = f"{key} ({len(out) + 1})" if key in out else key
            out[name] = self.value(value[raw], depth + 1)
        return out

    def _some(self, value: Any) -> list[Any]:
        items = list(islice(value, max(self._values, 0)))
        self.cut = self.cut or len(items) < len(value)
        return items

    def _leaf(self, value: Any) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return self._number(value)
        if isinstance(value, str):
            return self._part(str(value))
        if isinstance(value, bytes | bytearray):
            return self._part(bytes(value).decode("utf-8", "replace"))
        return f"[{type(value).__name__}]"

    def _number(self, value: float) -> Any:
        if isinstance(value, int) and abs(value) >= MAX_INT:
            # Python refuses to write thousands of digits, and JSON readers refuse to read them.
            return self._part(str(int(value))) if value.bit_length() < 4_000 else "[a huge number]"
        if isinstance(value, float) and not math.isfinite(value):
            return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN")
        number = int(value) if isinstance(value, int) else float(value)
        if redact(str(number), self._pattern).found:
            self.secret = True
            return MARK
        return number

    def _part(self, text: str) -> str:
        clean = self.clean(text)
        self.cut = self.cut or len(clean) > self._room
        clean = clean[: max(self._room, 0)]
        self._room -= len(clean)
        return clean

    def clean(self, text: str) -> str:
        """The whole text, valid and without secrets."""
        clean, found = redact(valid(text), self._pattern)
        self.secret = self.secret or found
        return clean


def _tool(passing: _Pass, call: ToolCall) -> ToolCall:
    name = passing.text(call.name)
    return ToolCall(name, passing.value(call.arguments), passing.value(call.result))


def _usage(usage: Usage | None) -> Usage | None:
    if usage is None:
        return None
    usd = usage.usd if usage.usd is not None and math.isfinite(usage.usd) else None
    return Usage(usage.input, usage.output, usd)
