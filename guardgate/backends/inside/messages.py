"""Reads what an app gave back: words, messages of a history, tool calls, and anything as JSON."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "HumanMessageChunk": "user"}
_DEEPEST = 40
_LONGEST_NAME = 200


def words(value: Any) -> str | None:
    """The words of a value: text, a number, nothing (""), or something with `.text` or `.content`; else None."""
    if value is None:
        return ""
    if isinstance(value, (str, bool, int, float)):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    text = getattr(value, "text", None)
    if callable(text) and not isinstance(text, str):  # a method in older message classes
        text = text()
    if isinstance(text, str):
        return str(text)
    return _content(value.content) if hasattr(value, "content") else None


def _content(content: Any) -> str | None:
    """The words of a message's content: text, or a list of blocks of which only text has words."""
    if isinstance(content, (list, tuple)):
        return "".join(_block(block) for block in content)
    return words(content)


def _block(block: Any) -> str:
    if isinstance(block, Mapping):
        text = block.get("text")
        return text if isinstance(text, str) else ""
    return block if isinstance(block, str) else ""


def role(message: Any) -> str:
    """`user`, `assistant`, `system` or `tool`, for a message object, a mapping or a pair."""
    if isinstance(message, Mapping):
        found = message.get("role") or message.get("type")
    elif isinstance(message, tuple) and message:
        found = message[0]
    else:
        found = getattr(message, "type", None) or getattr(message, "role", None)
    return _ROLES.get(str(found), str(found))


def said(message: Any) -> str:
    """The words of one message of a history."""
    if isinstance(message, Mapping):
        return _content(message.get("content")) or ""
    if isinstance(message, tuple):
        return _content(message[-1]) or ""
    return words(message) or ""


def reply_in(messages: Sequence[Any]) -> str:
    """What the assistant says in these messages."""
    texts = [said(message) for message in messages if role(message) == "assistant"]
    return "\n".join(text for text in texts if text.strip())


def calls_in(messages: Sequence[Any]) -> list[dict[str, Any]]:
    """The tool calls in these messages, each with the result that bears its id."""
    results = {_of(m, "tool_call_id"): said(m) for m in messages if role(m) == "tool"}
    calls = []
    for message in messages:
        for call in _of(message, "tool_calls") or ():
            name, arguments = _named(call)
            calls.append({"name": name, "arguments": plain(arguments), "result": results.get(_of(call, "id"))})
    return calls


def about(messages: Sequence[Any]) -> dict[str, Any]:
    """The model that spoke last and the tokens of all its calls, where the messages tell them as LangChain's do."""
    said: dict[str, Any] = {}
    for message in messages:
        for key, name in (("input", "input_tokens"), ("output", "output_tokens")):
            tokens = _of(_of(message, "usage_metadata"), name)
            if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens >= 0:
                said[key] = said.get(key, 0) + int(tokens)
        metadata = _of(message, "response_metadata")
        model = _of(metadata, "model_name") or _of(metadata, "model")
        if isinstance(model, str):
            said["model"] = str(model)[:_LONGEST_NAME]
    return said


def _named(call: Any) -> tuple[str, Any]:
    """Name and arguments, in LangChain's form or in OpenAI's (a function with its arguments as JSON text)."""
    function = _of(call, "function")
    if function is None:
        return str(_of(call, "name")), _of(call, "args")
    arguments = _of(function, "arguments")
    try:
        return str(_of(function, "name")), json.loads(arguments)
    except (TypeError, ValueError):
        return str(_of(function, "name")), arguments


def _of(thing: Any, key: str) -> Any:
    return thing.get(key) if isinstance(thing, Mapping) else getattr(thing, key, None)


def plain(value: Any, depth: int = 0) -> Any:
    """The value as JSON can hold it; what has no such form becomes its text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (str, bytes)):
        return words(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)
    if depth >= _DEEPEST:
        return f"({type(value).__name__}, nested too deep)"
    return _compound(value, depth + 1)


def _compound(value: Any, depth: int) -> Any:
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item, depth) for item in value), key=str)
    return str(value) if isinstance(value, type) else _object(value, depth)


def _object(value: Any, depth: int) -> Any:
    if callable(getattr(value, "model_dump", None)):
        return plain(value.model_dump(), depth)
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name), depth) for field in dataclasses.fields(value)}
    return str(value)
