"""`tool_calls`: what the target may and must do with its tools, read from the trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from guardgate.checks.base import Fault, Files, Forbids, Hit, Kind, Open, Part, Requires, Seen
from guardgate.checks.pattern import found, pattern_faults
from guardgate.model.checks import ToolCalls, ToolPattern
from guardgate.normalize import fold, plain
from guardgate.record import ToolCall

_UNTRACED = Open("no_trace", "the target does not show its tool calls")


def shown(call: ToolCall) -> str:
    """The call as one line, for a reader."""
    return f"{call.name}({as_text(call.arguments)})"


def as_text(value: Any) -> str:
    """A text as it is, anything else as compact JSON."""
    return (
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str, separators=(",", ":"))
    )


def _counts(call: ToolCall, pattern: ToolPattern) -> bool:
    """Whether the call is one that the pattern describes; unreadable arguments are searched as a whole."""
    if fold(call.name) != fold(pattern.name):
        return False
    for name, expression in (pattern.arguments or {}).items():
        arguments = call.arguments
        value = as_text(arguments.get(name, "") if isinstance(arguments, dict) else arguments)
        if not found(expression, value) and not found(expression, plain(value)):
            return False
    return True


def _forbidden(patterns: tuple[ToolPattern, ...]) -> Part:
    def look(seen: Seen) -> Hit | Open | None:
        for call in seen.reply.tools:
            if any(_counts(call, pattern) for pattern in patterns):
                return Hit(shown(call), f"the call of {call.name!r} is forbidden")
        return None if seen.reply.traced else _UNTRACED

    return Forbids("tool_calls.forbidden", look)


def _only(names: tuple[str, ...]) -> Part:
    allowed = {fold(name) for name in names}

    def look(seen: Seen) -> Hit | Open | None:
        for call in seen.reply.tools:
            if fold(call.name) not in allowed:
                return Hit(shown(call), f"only {', '.join(names) or 'no tool'} may be called")
        return None if seen.reply.traced else _UNTRACED

    return Forbids("tool_calls.only", look)


def _required(patterns: tuple[ToolPattern, ...]) -> Part:
    def look(replies: tuple[Seen, ...]) -> Hit | Open | None:
        calls = [call for seen in replies for call in seen.reply.tools]
        for pattern in patterns:
            if not any(_counts(call, pattern) for call in calls):
                if all(seen.reply.traced for seen in replies):
                    return Hit(None, f"no call of {pattern.name!r} as required")
                return _UNTRACED
        return None

    return Requires("tool_calls.required", look)


def _parts(spec: ToolCalls, _files: Files) -> Iterator[Part]:
    if spec.forbidden:
        yield _forbidden(spec.forbidden)
    if spec.only is not None:
        yield _only(spec.only)
    if spec.required:
        yield _required(spec.required)


def _faults(spec: ToolCalls, _files: Files) -> Iterator[Fault]:
    if not spec.forbidden and not spec.required and spec.only is None:
        yield Fault((), "no list of calls", "forbidden, required or only", "add a list of calls")
    for key, patterns in (("forbidden", spec.forbidden), ("required", spec.required)):
        for index, pattern in enumerate(patterns or ()):
            for name, expression in (pattern.arguments or {}).items():
                yield from pattern_faults(expression, (key, index, "arguments", name))


TOOL_CALLS = Kind(_parts, _faults)


def expects_call(spec: ToolCalls, calls: tuple[ToolCall, ...]) -> bool:
    """Whether one of the calls is one that the case requires: then a reply may be without words."""
    return any(_counts(call, pattern) for pattern in spec.required or () for call in calls)
