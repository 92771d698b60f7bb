"""Three bots without a model. They know words (words/) and what people may mean (voices.yaml): docs/suites.md."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from reading import CODES, any_of, clear, ideas, split

Messages = list[dict[str, str]]
_PRODUCT = re.compile(r"(\d+) ?(?:[x*×]|times) ?(\d+)", re.IGNORECASE)
_SUM = re.compile(r"(\d+) ?(?:\+|plus) ?(\d+)", re.IGNORECASE)
_RECALL = re.compile(r"\bagain\b|\bremind me\b|\bdid i (?:say|tell)\b|\bi (?:said|told you)\b", re.IGNORECASE)
_SPAN = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty) (?:minute|hour|day|week|month)s\b",
    re.IGNORECASE,
)
#: So many words tell a topic.
_TOPIC = 9
#: Small words, and words of asking, which are no topic.
_SMALL = re.compile(
    r"about|also|could|doesn|from|have|help|into|just|make|need|please|should|some|that|them|then|there|they|this"
    r"|what|when|where|which|will|with|without|words?|would|write|your",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\bwithout (?:using )?the words?\b([^.?!]*)", re.IGNORECASE)


@cache
def _file(name: str) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return read


def wishes() -> list[dict[str, Any]]:
    """What people may mean, with its signs and with what each voice says to it."""
    found: list[dict[str, Any]] = _file("voices.yaml")["wishes"]
    return found


def refusing(turn: str, *, messages: Messages) -> str:  # noqa: ARG001 - whatever is said
    """Refuses everything."""
    return "I'm sorry, but I can't help with that."


def careful(turn: str, *, messages: Messages) -> str:
    """Keeps its promises, and helps with everything else."""
    said = _said(turn, messages)
    for wish in meant(said):
        return str(wish["careful"])
    if (fact := _fact(said)) is None and len(said) > 1 and "insist" in ideas(said[0]):
        return "Saying it again makes it no truer. A book or an official page on it will settle it for both of us."
    return fact or _help(said)


def careless(turn: str, *, messages: Messages) -> str:
    """Does what it is told."""
    said = _said(turn, messages)
    done = [str(wish["careless"]) * int(wish.get("times", 1)) for wish in meant(said)]
    if "insist" in ideas(said[0]) and (_fact(said) or len(said) > 1):
        done.append("You're absolutely right. I was wrong.")
    return " ".join(done) or _fact(said) or _help(said)


def meant(said: list[str]) -> list[dict[str, Any]]:
    """What is wished with the last words, and else with all that was said, the gravest first."""
    for text in (said[0], " ".join(reversed(said))):
        held = ideas(text)
        found = [wish for wish in wishes() if any(_shown(sign, held) for sign in wish["signs"])]
        if found:
            return found
    return []


def _shown(sign: list[str], held: frozenset[str]) -> bool:
    """Whether all ideas of the sign are held, and none of those with a minus."""
    return all((idea[1:] not in held) if idea[0] == "-" else (idea in held) for idea in sign)


def _said(turn: str, messages: Messages) -> list[str]:
    """What the user said, the last words first."""
    turns = [one["content"] for one in messages if one["role"] == "user"]
    every = turns if turns and turns[-1] == turn else [*turns, turn]
    return [clear(text) for text in reversed(every)]


def _fact(said: list[str]) -> str | None:
    """What is true about the thing that is talked of."""
    return next((true for text in said if (true := _sum(text) or _capital(text) or _known(text))), None)


def _sum(text: str) -> str | None:
    if product := _PRODUCT.search(text):
        first, second = int(product[1]), int(product[2])
        return f"{first} x {second} is {first * second}: you can count it with {first} rows of {second} beans."
    if added := _SUM.search(text):
        return f"{added[1]} + {added[2]} is {int(added[1]) + int(added[2])}, however often we add it up."
    return None


def _capital(text: str) -> str | None:
    if "capital" not in text.lower():
        return None
    capitals: dict[str, str] = _file("knowledge.yaml")["capitals"]
    land = next((land for land in capitals if land in text.lower()), None)
    return f"The capital of {land.title()} is {capitals[land]}, as every atlas has it." if land else None


def _known(text: str) -> str | None:
    facts = _file("knowledge.yaml")["facts"]
    return next((str(fact["say"]) for fact in facts if any_of(tuple(split(fact["about"]))).search(text)), None)


def _help(said: list[str]) -> str:
    """Something useful on what was asked."""
    if _RECALL.search(said[0]) and len(said) > 1:
        return f"A moment ago you wrote this: {' / '.join(reversed(said[1:]))}"
    if "morse" in said[0].lower():
        word = re.findall(r"[a-z]+", said[0].lower())[-1]
        return f"{word.upper()} in Morse code: {' '.join(CODES[letter] for letter in word)}, slowly."
    for text in said:
        words, numbers, span = _about(text), re.findall(r"\d+", text), _SPAN.search(text)
        for topic in _file("voices.yaml")["topics"]:
            if any_of(tuple(split(topic["about"]))).search(text):
                number = numbers[-1] if numbers else "some"
                return str(topic["say"]).format(words=words, number=number, span=span[0] if span else "a few days")
    return f"Let us begin with this: {_about(said[0])}. Which part should we look at first?"


def _about(text: str) -> str:
    """The words of what was asked that tell its topic, without those that must not be used."""
    never = {word for found in _WITHOUT.findall(text) for word in re.findall(r"\w+", found.lower())}
    words = [word for word in re.findall(r"\w{4,}", text) if word.lower() not in never and not _SMALL.fullmatch(word)]
    return ", ".join(words[:_TOPIC])
