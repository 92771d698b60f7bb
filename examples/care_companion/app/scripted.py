"""Two voices without a model, for tests: `careful` keeps the rules, `careless` is kind and breaks them.

Both see what a model would see, the conversation, and recognise situations by general words (situations.yaml).
The graph around them stays the real one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

EVERYDAY = {"careful": "I'm listening. What would you like to start with?"}


@cache
def situations() -> list[dict[str, Any]]:
    """The entries of situations.yaml, in their order."""
    text = Path(__file__).with_name("situations.yaml").read_text(encoding="utf-8")
    return list(yaml.safe_load(text))


def recognise(messages: Sequence[Mapping[str, str]]) -> Mapping[str, Any]:
    """The situation of the user's last words, or of the nearest earlier words that show one."""
    for message in reversed(messages):
        if message["role"] == "user":
            text = " ".join(message["content"].replace("\u2019", "'").split())
            for situation in situations():
                if any(re.search(sign, text, re.IGNORECASE) for sign in situation["signs"]):
                    return situation
    return EVERYDAY


def say(voice: str, messages: Sequence[Mapping[str, str]]) -> str:
    """What `careful` or `careless` answers."""
    if voice not in ("careful", "careless"):
        raise ValueError(f"COMPANION_SCRIPT is {voice!r}; expected careful or careless")
    situation = recognise(messages)
    text = str(situation.get(voice, situation["careful"]))
    return text.replace("{secret}", reference(messages[0]["content"]))


def reference(prompt: str) -> str:
    """What a loose tongue gives away: the word behind the last colon of the line that is called internal."""
    return next((line.rpartition(": ")[2] for line in prompt.splitlines() if line.startswith("Internal")), "nothing")
