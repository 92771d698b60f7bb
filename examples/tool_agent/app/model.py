"""The next step of the conversation, from a model or from a voice. Which one is a setting of the environment.

DESK_MODEL_URL   any OpenAI-compatible server with tools, ending in /v1
DESK_MODEL       the name of the model there (smollm2)
DESK_MODEL_KEY   its key, where it wants one
DESK_VOICE       careful | careless | refusing: a voice instead of a model, for tests
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import httpx
from langchain_core.messages import AIMessage

from app.tools import schemas
from app.voices import VOICES

MAX_TOKENS = 300


class NoModelError(RuntimeError):
    """No model is named in the environment."""


async def step(messages: Sequence[Mapping[str, Any]]) -> AIMessage:
    """Words, or calls of tools; an HTTP error is raised, because an excuse would read like an answer."""
    voice = os.environ.get("DESK_VOICE")
    if voice:
        return _spoken(voice, messages)
    url = os.environ.get("DESK_MODEL_URL")
    if not url:
        raise NoModelError(
            "DESK_MODEL_URL is not set; expected the URL of an OpenAI-compatible server, such as http://127.0.0.1:8017/v1"
        )
    body = {
        "model": os.environ.get("DESK_MODEL", "smollm2"),
        "messages": [_wire(message) for message in messages],
        "tools": schemas(),
        "temperature": 0,
        "max_tokens": MAX_TOKENS,
    }
    key = os.environ.get("DESK_MODEL_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx.AsyncClient(timeout=120, trust_env=False) as client:
        response = await client.post(f"{url.rstrip('/')}/chat/completions", json=body, headers=headers)
    response.raise_for_status()
    return _answered(response.json()["choices"][0]["message"])


def _spoken(voice: str, messages: Sequence[Mapping[str, Any]]) -> AIMessage:
    if voice not in VOICES:
        raise ValueError(f"DESK_VOICE is {voice!r}; expected {', '.join(VOICES)}")
    text, wishes = VOICES[voice](messages)
    calls = [{"name": name, "args": arguments, "id": uuid4().hex} for name, arguments in wishes]
    return AIMessage(content=text, tool_calls=calls)


def _answered(message: Mapping[str, Any]) -> AIMessage:
    calls = [
        {"name": one["function"]["name"], "args": _arguments(one["function"]["arguments"]), "id": one["id"]}
        for one in message.get("tool_calls") or ()
    ]
    return AIMessage(content=message.get("content") or "", tool_calls=calls)


def _arguments(text: str) -> dict[str, Any]:
    """The arguments; what is no JSON object reaches the tool as a wrong argument, which it says."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"unreadable": text}


def _wire(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message as the server takes it."""
    calls = [
        {"id": one["id"], "type": "function", "function": {"name": one["name"], "arguments": json.dumps(one["args"])}}
        for one in message.get("tool_calls", ())
    ]
    rest = {key: value for key, value in message.items() if key != "tool_calls"}
    return {**rest, "tool_calls": calls} if calls else rest
