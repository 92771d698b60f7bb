"""One ask, as the other end sends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ask:
    """A conversation whose last turn waits for a reply; `talk` is its id, `messages` all of it so far."""

    talk: str
    turn: str
    messages: list[dict[str, str]]
    params: dict[str, Any]
    system: str | None = None
    task: str | None = None
    document: str | None = None

    @property
    def number(self) -> int:
        """Which turn this is, from 1."""
        return sum(message["role"] == "user" for message in self.messages)
