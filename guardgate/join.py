"""Joins the shards of one plan into one results file. Overlaps, gaps and other plans are refused by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from guardgate.changes import changes
from guardgate.codec import plan_head
from guardgate.errors import Refused
from guardgate.planning import SHARD
from guardgate.recording import begin
from guardgate.results import Results, Writer


def join(shards: Sequence[Results], out: Path) -> Path:
    """Write the joined file, attempt by attempt. Raises Refused before anything is written."""
    ordered = _checked(shards)
    first = ordered[0]
    narrowed = tuple(one for one in first.plan.narrowed if not one.startswith(f"{SHARD} "))
    whole = replace(first.plan, shard=None, narrowed=narrowed)
    head = {key: value for key, value in first.head.items() if key not in ("shard", "narrowed")}
    with Writer(out, _as_it_is) as writer:
        begin(writer, whole, {**head, **plan_head(whole), "joined": len(ordered)})
        for shard in ordered:
            for line in shard.raw("anchor", "fitness"):
                writer.line(line)
        for shard in ordered:
            for line in shard.raw("attempt"):
                writer.line(line)
        writer.line(_end([shard.end() or {} for shard in ordered]))
    return out


def _as_it_is(text: str) -> str:
    """What stands in a results file went through the intake when it was written."""
    return text


def _checked(shards: Sequence[Results]) -> list[Results]:
    first = shards[0]
    for other in shards[1:]:
        changed = changes(first.plan, other.plan, first.head, other.head)
        if changed:
            raise Refused(
                str(other.path), f"another plan: {'; '.join(changed)}", f"the plan of {first.path}",
                "join shards of one plan: same files, same options, same version, same commit",
            )  # fmt: skip
    by_index: dict[int, Results] = {}
    counts: set[int] = set()
    for one in shards:
        shard = one.plan.shard
        if shard is None:
            expected = "files of `guardgate run --shard i/n`"
            raise Refused(str(one.path), "a file that is no shard", expected, "leave it out")
        counts.add(shard.count)
        other = by_index.setdefault(shard.index, one)
        if other is not one:
            raise Refused(
                str(one.path), f"shard {shard} a second time (also {other.path})", "each once", "leave one out"
            )
    if len(counts) > 1:
        numbers = " and ".join(str(count) for count in sorted(counts))
        raise Refused("the shards", f"parts of {numbers}", "parts of one number", "run them again with one --shard i/n")
    gaps = [str(index) for index in range(1, max(counts) + 1) if index not in by_index]
    if gaps:
        found = f"no shard {', '.join(gaps)} of {max(counts)}"
        raise Refused("the shards", found, "every shard", "name its file too, or run it")
    return [by_index[index] for index in sorted(by_index)]


def _end(ends: Sequence[dict[str, Any] | Any]) -> dict[str, Any]:
    """The shards' ends as one: the first reason counts, and a shard without an end is one."""
    lost = [end for end in ends if not end]
    reasons = [(end["reason"], end.get("kind")) for end in ends if end.get("reason")]
    if lost:
        reasons.insert(0, ("a shard did not come to its end", "cancelled"))
    reason, kind = reasons[0] if reasons else (None, None)
    stopped: dict[str, Any] = {}
    for end in ends:
        stopped |= end.get("stopped") or {}
    return {
        "t": "end",
        "ended": max((str(end.get("ended", "")) for end in ends), default="") or datetime.now(UTC).isoformat(),
        "reason": reason,
        "kind": kind,
        "stopped": stopped,
        "calls": sum(int(end.get("calls") or 0) for end in ends),
    }
