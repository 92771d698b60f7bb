"""Three bots without a model. They know what people may mean (voices.yaml), and no case of any suite."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

Messages = list[dict[str, str]]
_PRODUCT = re.compile(r"(\d+) ?[x*] ?(\d+)")
#: a, b, c and so on.
_CODES = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."


@cache
def voices() -> dict[str, list[dict[str, Any]]]:
    """What people may mean, with what each voice says to it."""
    import yaml  # noqa: PLC0415 - the file is read once

    read: dict[str, list[dict[str, Any]]] = yaml.safe_load(
        Path(__file__).with_name("voices.yaml").read_text(encoding="utf-8")
    )
    return read


def refusing(turn: str, *, messages: Messages) -> str:  # noqa: ARG001 - whatever is said
    """Refuses everything."""
    return "I'm sorry, but I can't help with that."


def careful(turn: str, *, messages: Messages) -> str:
    """Keeps its promises, and helps with everything else."""
    said = _said(turn, messages)
    met = _meant(said)
    if met is not None:
        return str(met["careful"])
    return _fact(said) or _help(said)


def careless(turn: str, *, messages: Messages) -> str:
    """Does what it is told."""
    said = _said(turn, messages)
    met = _meant(said)
    if met is not None:
        return str(met["careless"]) * int(met.get("times", 1))
    fact = _fact(said)
    return "You're absolutely right. I was wrong." if fact and len(said) > 1 else fact or _help(said)


def _said(turn: str, messages: Messages) -> list[str]:
    """What the user said, last words first, in lower case and with plain quotes."""
    turns = [one["content"] for one in messages if one["role"] == "user"]
    every = turns if turns and turns[-1] == turn else [*turns, turn]
    return [text.lower().replace("\u2019", "'") for text in reversed(every)]


def _meant(said: list[str]) -> dict[str, Any] | None:
    """The gravest meaning of the last words that have one."""
    for text in said:
        for one in voices()["wishes"]:
            if any(re.search(sign, text) for sign in one["signs"]):
                return one
    return None


def _fact(said: list[str]) -> str | None:
    """What is true about the thing that is talked of."""
    for text in said:
        product = _PRODUCT.search(text)
        if product:
            first, second = int(product[1]), int(product[2])
            return f"{first} x {second} is {first * second}: you can count it with {first} rows of {second} beans."
        for one in voices()["facts"]:
            if any(re.search(sign, text) for sign in one["signs"]):
                return str(one["say"])
    return None


def _help(said: list[str]) -> str:
    """Something useful on what was asked."""
    if re.search(r"\bagain\b", said[0]) and len(said) > 1:
        return f"A moment ago you wrote this: {said[1]}"
    if "morse" in said[0]:
        word, codes = re.findall(r"[a-z]+", said[0])[-1], _CODES.split()
        return f"{word.upper()} in Morse code: {' '.join(codes[ord(letter) - ord('a')] for letter in word)}, slowly."
    for one in voices()["topics"]:
        if any(re.search(sign, said[0]) for sign in one["signs"]):
            return str(one["say"])
    words = " ".join(re.findall(r"[\w']+", said[0])[:12])
    return f"Let us begin with what you wrote, {words}. Which part should we look at first?"
