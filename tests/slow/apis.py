"""A stand-in for two APIs on one loopback socket: Anthropic's /v1/messages and OpenAI's /v1/responses, streamed.

It plays the scene whose name the last words of the user are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tests.backends.scenes import SCENES, Step
from tests.support.server import Answer, Seen

_STREAM = {"Content-Type": "text/event-stream"}
Event = dict[str, Any]


def reaction(seen: Seen) -> Answer:
    """The answer to one request."""
    if seen.method != "POST":
        return Answer()
    body = seen.json
    if seen.path.endswith("/messages"):
        return _answer(_step_of_messages(body), body["model"], _anthropic)
    if seen.path.endswith("/responses"):
        return _answer(_step_of_input(body), body["model"], _openai)
    return Answer({"error": {"message": "no such path"}}, 404)


def texts(body: Mapping[str, Any]) -> list[str]:
    """The user's words in a request of either kind, in order, without what the program adds."""
    if "messages" in body:
        contents = [message["content"] for message in body["messages"] if message["role"] == "user"]
        parts = [content if isinstance(content, list) else [{"text": content}] for content in contents]
        words = [part.get("text") for content in parts for part in content]
        return [text for text in words if text and not text.startswith("<system-reminder>")]
    users = [item for item in body["input"] if item.get("role") == "user"]
    return ["".join(part["text"] for part in item["content"]) for item in users]


def system_of(body: Mapping[str, Any]) -> str:
    """The system prompt in a request of either kind: the last part that the program sends as one."""
    if "messages" in body:
        return str(body["system"][-1]["text"])
    return "".join(
        part["text"] for item in body["input"] if item.get("role") == "developer" for part in item["content"]
    )


def _step_of_messages(body: Event) -> Step:
    results = 0
    for message in reversed(body["messages"]):
        content = message["content"]
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        name = next((part["text"] for part in parts if part.get("text") in SCENES), None)
        if name is not None:
            return _at(name, results)
        results += any(part.get("type") == "tool_result" for part in parts)
    return _at("say hello", 0)


def _step_of_input(body: Event) -> Step:
    results = 0
    for item in reversed(body["input"]):
        if item.get("role") == "user" and item["content"][0]["text"] in SCENES:
            return _at(item["content"][0]["text"], results)
        results += item["type"].endswith("_output")
    return _at("say hello", 0)


def _at(name: str, number: int) -> Step:
    steps = SCENES[name].steps
    return steps[min(number, len(steps) - 1)]


def _answer(step: Step, model: str, events: Any) -> Answer:
    if step.then in ("drop", "hang"):
        return Answer(drop=step.then == "drop", hang=step.then == "hang")
    if step.status != 200:
        error = {"type": "some_error", "message": step.message}
        return Answer({"type": "error", "error": error}, step.status)
    stream = list(events(step, model))
    if step.then == "cut":
        return Answer(headers=_STREAM, chunks=(_sse(stream[:3]),), then="cut")
    return Answer(_sse(stream), headers=_STREAM)


def _sse(events: Iterable[Event]) -> bytes:
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def _anthropic(step: Step, model: str) -> Iterable[Event]:
    usage = {"input_tokens": 25, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [], "usage": usage}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}}
    if step.error is not None:
        yield {"type": "error", "error": {"type": f"{step.error[0]}_error", "message": step.error[1]}}
        return
    blocks = [({"type": "text", "text": ""}, {"type": "text_delta", "text": step.text})] if step.text else []
    if step.tool is not None:
        name, given = step.tool
        block: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}
        blocks.append((block, {"type": "input_json_delta", "partial_json": json.dumps(given)}))
    for index, (block, delta) in enumerate(blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    reasons = {"filter": "refusal", "length": "max_tokens", None: "tool_use" if step.tool else "end_turn"}
    end = {"stop_reason": reasons[step.stop], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 7}}
    yield {"type": "message_stop"}


def _openai(step: Step, model: str) -> Iterable[Event]:
    yield {"type": "response.created", "response": {"id": "resp_1"}}
    if step.error is not None:
        codes = {
            "overloaded": "server_is_overloaded",
            "rate_limit": "rate_limit_exceeded",
            "quota": "insufficient_quota",
            "context": "context_length_exceeded",
        }
        error = {"code": codes[step.error[0]], "message": step.error[1]}
        yield {"type": "response.failed", "response": {"id": "resp_1", "status": "failed", "error": error}}
        return
    if step.then == "cut":
        yield {"type": "response.output_text.delta", "delta": step.text}
        return
    if step.text:
        content = [{"type": "output_text", "text": step.text}]
        item: Event = {"type": "message", "role": "assistant", "id": "msg_1", "content": content}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    if step.tool is not None:
        name, given = step.tool
        named = {"id": "fc_1", "call_id": "call_1", "name": name}
        if isinstance(given, str):
            item = {"type": "custom_tool_call", **named, "input": given}
        else:
            item = {"type": "function_call", **named, "arguments": json.dumps(given)}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    if step.stop is not None:
        reason = {"filter": "content_filter", "length": "max_output_tokens"}[step.stop]
        response = {"id": "resp_1", "status": "incomplete", "incomplete_details": {"reason": reason}, "usage": None}
        yield {"type": "response.incomplete", "response": response}
        return
    usage = {
        "input_tokens": 30, "input_tokens_details": {"cached_tokens": 2}, "output_tokens": 9,
        "output_tokens_details": {"reasoning_tokens": 1}, "total_tokens": 39,
    }  # fmt: skip
    yield {"type": "response.completed", "response": {"id": "resp_1", "model": model, "usage": usage}}
