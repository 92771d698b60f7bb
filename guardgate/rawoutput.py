"""What a provider or a model writes for programs, not for people, and that reached the user."""

from __future__ import annotations

import re
from typing import Any

from guardgate.normalize import blank

_TOKEN = re.compile(
    r"<\|[a-z0-9_./-]{1,40}\|>|<｜[^｜<>]{1,40}｜>|</?s>|\[/?INST\]|<</?SYS>>|<(?:bos|eos|pad|unk)>|<(?:start|end)_of_turn>"
)
_ROLES = re.compile(r"\b(?:system|user|assistant|model|tool|analysis|final)\b", re.IGNORECASE)
_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning|scratchpad)>")
_THOUGHT_END = ("</think>", "</thinking>", "</thought>", "</reasoning>")
_CALL = re.compile(
    r"\[tool_calls\]|<\|python_tag\|>|<function=|<invoke name="
    r"|<(?P<tag>tool_calls?|function_calls?|tool_use|functioncall)>"
)
_SSE_LINE = re.compile(r"(?:data|event|id|retry):|:")
_SSE_DATA = re.compile(r"^data: *(?:[{\[]|\[DONE\])", re.MULTILINE)
#: JSON that broke off, so that it cannot be read as JSON.
_CUT_JSON = re.compile(
    r'\{\s*"(?:(?:choices|candidates|tool_calls)"\s*:\s*\[\s*\{|function_call"\s*:\s*\{'
    r'|id"\s*:\s*"(?:chatcmpl|cmpl|msg_|resp_|gen-)|object"\s*:\s*"chat\.)'
)
_REPR = re.compile(
    r"(?:ChatCompletion|ModelResponse|AIMessage(?:Chunk)?|ChatGeneration|GenerateContentResponse|Completion)\(\w+="
    r"|content=['\"\[].*\b(?:additional_kwargs|response_metadata)=|<(?:coroutine|generator|async_generator) object "
    r"|\[object (?:Object|Promise)\]\Z",
    re.DOTALL,
)
_TRACES = re.compile(
    r"</?(?:think|thinking|tool_calls?|function_calls?|functioncall|tool_use)>|<\|[a-z0-9_./-]{1,40}\|>|<｜[^｜<>]{1,40}｜>"
    r"|<(?:start|end)_of_turn>|<function=|<invoke name=|\[TOOL_CALLS\]|\[/?INST\]|<</?SYS>>"
    r"|\{\s*\"(?:choices|candidates)\"\s*:|\"(?:tool_calls|function_call|finish_reason|stop_reason)\"\s*:"
    r"|\bchatcmpl-[A-Za-z0-9]{6,}|^data: *\[DONE\]|\b(?:additional_kwargs|response_metadata)=",
    re.MULTILINE,
)
#: Each form of the two has one of these in it; a text with none of them needs no slow search.
_IN_TOKENS = ("<", "[")
_IN_TRACES = (*_IN_TOKENS, "{", "=", "_call", "_reason", "chatcmpl-")


def raw_traces(text: str) -> str | None:
    """The first words of raw provider output anywhere in a reply, or None."""
    match = _TRACES.search(text) if any(map(text.__contains__, _IN_TRACES)) else None
    return match[0] if match else None


def raw_output(text: str, value: Any) -> str:
    """Why the whole reply is raw output, or an empty text. `value`: the reply as JSON, where it is that."""
    if _is_raw_json(value) or _CUT_JSON.match(text):
        return "the whole reply is a provider's JSON"
    if _is_stream(text):
        return "the whole reply is an event stream"
    low = text.lower()
    if _is_thought(low):
        return "the whole reply is a thought, without an answer after it"
    if _is_call_text(low):
        return "the whole reply is a tool call as text"
    if any(map(text.__contains__, _IN_TOKENS)) and _TOKEN.search(text) and blank(_ROLES.sub("", _TOKEN.sub("", text))):
        return "the whole reply is chat template tokens"
    return "the whole reply is a program's object as text" if _REPR.match(text) else ""


def _is_raw_json(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) and _is_envelope(item) for item in value)
    return isinstance(value, dict) and _is_envelope(value)


def _is_envelope(value: dict[str, Any]) -> bool:
    keys = value.keys()
    return (
        value.get("choices") == []
        or _is_list_of(value.get("choices"), "message", "delta", "text", "finish_reason")
        or _is_list_of(value.get("candidates"), "content", "finishReason")
        or keys >= {"object", "choices"}
        or keys >= {"content", "role"}
        or "tool_calls" in keys
        or "function_call" in keys
        or (value.get("object") == "response" and "output" in keys)
        or keys >= {"completion", "stop_reason"}
        or keys >= {"action", "action_input"}
        or (value.get("type") in ("tool_use", "function", "function_call") and bool(keys & {"name", "function"}))
        or _is_call(value)
    )


def _is_list_of(value: Any, *keys: str) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) and item.keys() & {*keys} for item in value)


def _is_call(value: dict[str, Any]) -> bool:
    """A bare tool call: a name, arguments, and hardly anything beside them."""
    names = [value[key] for key in ("name", "tool", "function") if key in value]
    arguments = [value[key] for key in ("arguments", "parameters", "input", "args", "tool_input") if key in value]
    if len(value) > 4 or not names or not arguments or not isinstance(names[0], str):
        return False
    first = arguments[0]
    return isinstance(first, dict) or (isinstance(first, str) and first.lstrip().startswith("{"))


def _is_stream(text: str) -> bool:
    if not _SSE_DATA.search(text):
        return False
    return all(_SSE_LINE.match(line) for line in text.splitlines() if line.strip())


def _is_thought(low: str) -> bool:
    """Thoughts and nothing after the last of them; one that never ends takes the rest of the reply."""
    at = 0
    while match := _THOUGHT.match(low, at):
        end = low.find(f"</{match[1]}>", match.end())
        if end < 0:
            return True
        at = end + len(f"</{match[1]}>")
    if at == 0:  # a template that opens the thought itself leaves only its end in the reply
        return low.endswith(_THOUGHT_END) and "<think" not in low and "<thought" not in low
    return blank(low[at:])


def _is_call_text(low: str) -> bool:
    match = _CALL.match(low)
    if match is None:
        return False
    if match["tag"] is None:
        return True
    closing = f"</{match['tag']}>"
    end = low.rfind(closing)
    return end < 0 or blank(_TOKEN.sub("", low[end + len(closing) :]))
