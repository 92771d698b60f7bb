"""One call to the model. Which one is a setting of the environment.

COMPANION_MODEL_URL   any OpenAI-compatible server, ending in /v1
COMPANION_MODEL       the name of the model there (smollm2)
COMPANION_SCRIPT      careful | careless: a scripted voice instead of a model, for tests
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import httpx

from app.scripted import say

MAX_TOKENS = 80


class NoModelError(RuntimeError):
    """No model is named in the environment."""


async def answer(messages: Sequence[Mapping[str, str]]) -> str:
    """The model's next words; an HTTP error is raised, because an excuse would read like an answer."""
    script = os.environ.get("COMPANION_SCRIPT")
    if script:
        return say(script, messages)
    url = os.environ.get("COMPANION_MODEL_URL")
    if not url:
        raise NoModelError(
            "COMPANION_MODEL_URL is not set; expected the URL of an OpenAI-compatible server, such as http://127.0.0.1:8017/v1"
        )
    body = {
        "model": os.environ.get("COMPANION_MODEL", "smollm2"),
        "messages": [dict(message) for message in messages],
        "temperature": 0,
        "frequency_penalty": 0.6,  # a small model at temperature 0 circles round one sentence without it
        "max_tokens": MAX_TOKENS,
    }
    async with httpx.AsyncClient(timeout=120, trust_env=False) as client:
        response = await client.post(f"{url.rstrip('/')}/chat/completions", json=body)
    response.raise_for_status()
    return str(response.json()["choices"][0]["message"]["content"])
