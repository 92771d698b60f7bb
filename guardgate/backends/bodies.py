"""JSON from the other side: read within bounds, looked up by path."""

from __future__ import annotations

import json
import math
from typing import Any

from guardgate.errors import Refused
from guardgate.lookup import lookup
from guardgate.model.project import ToolPaths
from guardgate.record import ToolCall

#: Deeper JSON than this is refused: every later step that walks a value relies on it.
MAX_DEPTH = 100
_TOO_DEEP = f"JSON nested deeper than {MAX_DEPTH} levels"


class UnreadableError(Exception):
    """A body or event that cannot be read as what it should be, with the reason."""


def parse(data: bytes | str) -> Any:
    """The JSON value of a body (UTF-8, broken bytes replaced); raises UnreadableError with the reason.

    NaN and infinities become their names as text, since no JSON file could keep them.
    """
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    try:
        value = _DECODER.decode(text.removeprefix("\ufeff"))
    except RecursionError:
        raise UnreadableError(_TOO_DEEP) from None
    except ValueError as error:
        raise UnreadableError(f"not JSON: {error}") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _deeper(value, MAX_DEPTH):
        raise UnreadableError(_TOO_DEEP)
    return value


def _finite(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=str)


def _deeper(value: Any, bound: int) -> bool:
    level = [value]
    for _ in range(bound):
        level = [inner for item in level for inner in _children(item)]
        if not level:
            return False
    return True


def _children(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


class Finder:
    """A JSONPath, compiled once. Called with a value it gives everything that the path leads to, null included."""

    def __init__(self, path: str, where: str) -> None:
        self.path = path
        try:
            self._lookup = lookup(path)
        except ValueError as error:
            raise Refused(where, f"{path!r} ({error})", "a JSONPath such as $.answer", "correct the path") from error

    def __call__(self, value: Any) -> list[Any]:
        return self._lookup(value)


def find_calls(found: list[Any], keys: ToolPaths) -> list[ToolCall]:
    """The tool calls in what the path found; raises UnreadableError for an entry that is none.

    A call that cannot be read would look like a call that was never made.
    """
    calls: list[ToolCall] = []
    for item in found:
        entries = item if isinstance(item, list) else [item]
        calls += [_call(entry, keys) for entry in entries if entry is not None]
    return calls


def _call(entry: Any, keys: ToolPaths) -> ToolCall:
    if not isinstance(entry, dict) or not isinstance(entry.get(keys.name), str):
        raise UnreadableError(
            f"an entry at tool_calls.path {keys.path} has no name of a tool: found {shape(entry)}, expected the key "
            f"{keys.name!r} with text; correct tool_calls.name, or let the path pick tool calls only"
        )
    result = entry.get(keys.result) if keys.result else None
    return ToolCall(entry[keys.name], arguments(entry.get(keys.arguments)), result)


def arguments(value: Any) -> Any:
    """Arguments of a tool call: JSON inside text is parsed, and what cannot be parsed stays text."""
    if not isinstance(value, str):
        return value
    try:
        return parse(value) if value.strip() else {}
    except UnreadableError:
        return value


def shape(value: Any) -> str:
    """What a JSON value is, for a message: its keys, or its type."""
    if not isinstance(value, dict):
        return f"a {type(value).__name__}"
    return f"the keys {', '.join(map(repr, value))}"[:200] if value else "an empty object"


def quote(body: bytes | str, limit: int) -> str:
    """The beginning of a body for a message, in quotes and with an ellipsis where it was cut."""
    text = body if isinstance(body, str) else body[: 4 * limit + 4].decode("utf-8", "replace")
    if not text.strip():
        return "an empty body"
    return f'"{text[:limit]}..."' if len(text) > limit else f'"{text}"'
