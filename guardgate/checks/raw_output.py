"""`no_raw_output`: what a provider sends to programs must not reach the user."""

from __future__ import annotations

from collections.abc import Iterator

from guardgate.checks.base import Files, Forbids, Hit, Kind, Part, Seen, no_faults
from guardgate.unusable import raw_traces


def _no_raw_output(_on: bool, _files: Files) -> Iterator[Part]:
    def look(seen: Seen) -> Hit | None:
        words = raw_traces(seen.reply.text)
        return Hit(words, "the reply holds raw provider output") if words else None

    yield Forbids("no_raw_output", look)


NO_RAW_OUTPUT = Kind(_no_raw_output, no_faults)
