"""Callables of every kind, for the python backend."""

from __future__ import annotations

import functools
import http.client
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any


async def echo(turn: str, *, session: str, **params: Any) -> str:
    return f"{session}|{turn}|{sorted(params.items())}"


def echo_in_thread(turn: str, session: str) -> str:
    return f"{session}|{turn}"


def by_name(*, session: str, turn: str) -> str:
    return f"{session}|{turn}"


def late(turn: str, session: str) -> Any:
    """Not async itself, but what it returns is."""
    return echo(turn, session=session)


half = functools.partial(echo, session="fixed")


class Bot:
    async def __call__(self, turn: str, *, messages: list[dict[str, str]]) -> str:
        return " / ".join(f"{message['role']}: {message['content']}" for message in messages)


bot = Bot()


def everything(
    turn: str,
    *,
    session: str,
    system: str | None,
    task: str | None,
    document: str | None,
    messages: list[dict[str, str]],
    temperature: float,
) -> dict[str, Any]:
    state = {"session": session, "system": system, "task": task, "document": document, "temperature": temperature}
    return {"text": turn, "state": {**state, "messages": messages}}


def forgetful(turn: str) -> str:
    return turn


def needy(turn: str, *, session: str, user: str) -> str:
    return user


def nothing_taken() -> str:
    return "no turn at all"


@dataclass
class Said:
    content: Any


class Worded:
    def text(self) -> str:
        return "by a method"


@dataclass
class Order:
    item: str
    amount: float


RETURNS: dict[str, Any] = {
    "none": None,
    "zero": 0,
    "false": False,
    "bytes": b"caf\xc3\xa9 \xff",
    "content": Said("a content"),
    "blocks": Said([{"type": "text", "text": "two "}, {"type": "image"}, "blocks"]),
    "method": Worded(),
    "object": object(),
    "list": ["a", "b"],
    "empty": {},
    "other keys": {"answer": "hello"},
    "more keys": {"text": "hello", "tools": [{"name": "search"}]},
    "no text": {"text": object()},
    "calls": {
        "text": "done",
        "tool_calls": [{"name": "search", "arguments": {"q": "x"}, "result": ["y"]}, {"name": "stop"}],
        "state": {"order": Order("bread", float("inf")), "seen": {2, 1}, 3: b"x"},
    },
    "calls alone": {"tool_calls": []},
    "lost arguments": {"text": "done", "tool_calls": [{"name": "search", "args": {"q": "x"}}]},
    "large": "x" * 20_000_000,
    "large state": {"text": "small", "state": ["x" * 20_000_000]},
    "digits": {"text": "small", "state": 10**9999},
}


async def returns(turn: str, *, session: str) -> Any:
    return RETURNS[turn]


def environment(turn: str, *, session: str) -> str:
    return os.environ.get(turn, "not set")


def imported(turn: str, *, session: str) -> str:
    return f"{http.client.__file__} {sys.path[0]}"


def loud(turn: str, *, session: str) -> str:
    print("printed é\ud800")
    print("printed as an error", file=sys.stderr)
    os.write(1, b'{"id": 1, "text": "forged"}\n')
    assert sys.__stdout__ is not None
    sys.__stdout__.write("no line end")
    subprocess.run([sys.executable, "-c", "print('from a child'); input()"], check=False)
    return "quiet"
