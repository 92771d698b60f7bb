"""What the command lines of agents write, one JSON object a line, and what was heard in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from guardgate.backends.bodies import UnreadableError, parse
from guardgate.backends.complaints import Complaint
from guardgate.record import Failure, Reply


@dataclass(frozen=True, slots=True)
class Heard:
    """What one turn brought: all that was said and called, in `reply`.

    `done`: the program says that the turn is complete. `trouble`: why it is no answer all the same. `session`: where
    the conversation goes on; `spent`: tokens (input, output) that this session has counted so far.
    """

    reply: Reply
    done: bool = False
    trouble: Complaint | Failure | None = None
    session: str | None = None
    spent: tuple[int, int] = (0, 0)

    @property
    def partial(self) -> Reply | None:
        """What was received of a turn that came to no good end."""
        return replace(self.reply, cut=True) if self.reply.text or self.reply.tools else None


def events(text: str) -> tuple[list[dict[str, Any]], str | None]:
    """The JSON objects of an output, one a line, and the first line that is none."""
    found: list[dict[str, Any]] = []
    noise = None
    for line in text.split("\n"):  # not splitlines: a reply may hold U+2028 as it is
        if not line.strip():
            continue
        try:
            value = parse(line)
        except UnreadableError:
            value = None
        if isinstance(value, dict):
            found.append(value)
        else:
            noise = noise or line
    return found, noise


def inner(value: Any, *path: str) -> dict[str, Any]:
    """The object at the end of a path of keys; an empty one where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; nothing where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Text, or an empty one for anything else."""
    return value if isinstance(value, str) else ""


def count(value: Any) -> int:
    """A count of tokens; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def joined(texts: list[str]) -> str:
    """The messages of one turn as one reply: an agent may say something before it calls a tool."""
    return "\n\n".join(text for text in texts if text.strip())
