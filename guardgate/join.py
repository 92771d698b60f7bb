"""Joins the shards of one plan into one results file. Overlaps, gaps and other plans are refused by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from guardgate.changes import changes
from guardgate.codec import plan_head
from guardgate.errors import Refused
from guardgate.narrowing import SHARD
from guardgate.plan import Shard
from guardgate.recording import described
from guardgate.results import Results, Writer


def join(shards: Sequence[Results], out: Path) -> Path:
    """Write the joined file, attempt by attempt. Raises Refused, and leaves no file then."""
    ordered = _checked(shards)
    first = ordered[0]
    narrowed = tuple(one for one in first.plan.narrowed if not one.startswith(f"{SHARD} "))
    whole = replace(first.plan, shard=None, narrowed=narrowed)
    head = {key: value for key, value in first.head.items() if key not in ("shard", "narrowed")}
    with Writer(out, _as_it_is) as writer, _nothing_left(out):
        writer.line({**head, **plan_head(whole), "joined": len(ordered)})
        writer.lines(described(whole))
        for shard in ordered:
            for line in shard.raw("anchor", "fitness"):
                writer.line(line)
        for shard in ordered:
            for line in shard.raw("attempt"):
                writer.line(line)
        writer.line(_end([shard.end() or {} for shard in ordered]))
    return out


@contextmanager
def _nothing_left(out: Path) -> Iterator[None]:
    """A part that turns out to be damaged leaves no half of a joined file."""
    try:
        yield
    except BaseException:
        out.unlink(missing_ok=True)
        raise


def _as_it_is(text: str) -> str:
    """What stands in a results file went through the intake when it was written."""
    return text


def _checked(shards: Sequence[Results]) -> list[Results]:
    """The shards in order, if they are all the parts of one plan."""
    first = shards[0]
    for other in shards[1:]:
        changed = changes(first.plan, other.plan, first.head, other.head)
        if changed:
            raise Refused(
                str(other.path), f"another plan: {'; '.join(changed)}", f"the plan of {first.path}",
                "join shards of one plan: same files, same options, same version, same commit",
            )  # fmt: skip
    parts = [(_shard(one), one) for one in shards]
    counts = {shard.count for shard, _ in parts}
    if len(counts) > 1:
        numbers = " and ".join(str(count) for count in sorted(counts))
        raise Refused("the shards", f"parts of {numbers}", "parts of one number", "run them again with one --shard i/n")
    return _each_once(parts, counts.pop())


def _shard(one: Results) -> Shard:
    if one.plan.shard is None:
        expected = "files of `guardgate run --shard i/n`"
        raise Refused(str(one.path), "a file that is no shard", expected, "leave it out")
    return one.plan.shard


def _each_once(parts: Sequence[tuple[Shard, Results]], count: int) -> list[Results]:
    by_index: dict[int, Results] = {}
    for shard, one in parts:
        if shard.index in by_index:
            found = f"shard {shard} a second time (also {by_index[shard.index].path})"
            raise Refused(str(one.path), found, "each once", "leave one out")
        by_index[shard.index] = one
    gaps = [str(index) for index in range(1, count + 1) if index not in by_index]
    if gaps:
        found = f"no shard {', '.join(gaps)} of {count}"
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
