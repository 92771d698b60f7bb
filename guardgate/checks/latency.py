"""`latency`: no reply takes longer than this many seconds."""

from __future__ import annotations

from collections.abc import Iterator

from guardgate.checks.base import Files, Forbids, Hit, Kind, Part, Seen, no_faults


def _latency(seconds: float, _files: Files) -> Iterator[Part]:
    def look(seen: Seen) -> Hit | None:
        took = seen.reply.ms / 1000
        return Hit(None, f"the reply took {took:.1f} s, longer than {seconds:g} s") if took > seconds else None

    yield Forbids("latency", look)


LATENCY = Kind(_latency, no_faults)
