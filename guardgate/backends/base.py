"""The one protocol that serves targets and judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from guardgate.record import Failure, Reply, Talk

#: A reply larger than this is not read to its end: `too_large`.
MAX_REPLY_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a backend may know of the run: project folder, limit in flight, seconds a call, environment."""

    root: Path
    concurrency: int = 8
    call_seconds: float = 60.0
    environ: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Available:
    """A backend that can be asked, with the version and the note on what it is that will be recorded."""

    version: str | None = None
    note: str = ""


class Backend(Protocol):
    """A way to get a reply to a conversation. No method raises for what the other side does."""

    async def available(self) -> Available | Failure:
        """Whether it can be asked at all; cheap, and without a model call."""

    async def reply(self, talk: Talk) -> Reply | Failure:
        """The reply to the last turn, before `talk.deadline`."""

    async def forget(self, talk_id: str) -> None:
        """Drop what is kept for one conversation."""

    async def close(self) -> None:
        """End every process and connection that it opened."""
