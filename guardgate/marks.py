"""Marks: a person's signed opinion on an attempt. One line each, in a file that teams keep with their rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

from guardgate.decider import Decider
from guardgate.errors import Refused
from guardgate.record import Attempt, Finding
from guardgate.source import fingerprint

MARKS_FILE = "guardgate-marks.jsonl"
_KEYS = ("case", "replies", "verdict", "by", "note", "at")


@dataclass(frozen=True, slots=True)
class Mark:
    """Who says what of which words, and why. `replies`: hash of the replies, so that a mark never moves to others."""

    case: str
    replies: str
    verdict: Literal["held", "broke"]
    by: str
    note: str
    at: str


def replies_sha(attempt: Attempt) -> str:
    """The hash of what a mark speaks of: the words and tool calls received, not their timing."""
    return fingerprint(
        [[reply.text, [[call.name, call.arguments] for call in reply.tools], reply.state] for reply in attempt.replies]
    )


def why_not(decider: Decider, attempt: Attempt) -> str | None:
    """Why a mark cannot decide this attempt, or None: code that broke and a transcript with a hole stand."""
    if not decider.floors:
        return "no criterion of this case is left to a judge: code decides it"
    for finding in attempt.findings:
        if finding.by.startswith("check:") and finding.outcome != "held":
            return f"{finding.by} is code, and says {finding.outcome}"
        if finding.by.startswith(("transcript:", "guardgate")):
            return f"the transcript is not whole ({finding.why})"
    return None


def finding(mark: Mark) -> Finding:
    """What a report shows of a mark."""
    return Finding(f"mark:{mark.by}", mark.verdict, None, None, mark.note)


def line(mark: Mark) -> str:
    """The mark as a line of a marks file."""
    return json.dumps({"t": "mark", **asdict(mark)}, ensure_ascii=False) + "\n"


def read(path: Path) -> tuple[Mark, ...]:
    """Every mark of a file, in order. Raises Refused with the line of the first that is none."""
    if not path.is_file():
        raise Refused(str(path), "no such file", "a marks file", "name a file that `guardgate mark` wrote")
    found = []
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if raw.strip():
            found.append(_mark(raw, f"{path}:{number}"))
    return tuple(found)


def _mark(raw: str, where: str) -> Mark:
    try:
        value: Any = json.loads(raw)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, Mapping) or not all(isinstance(value.get(key), str) for key in _KEYS):
        raise Refused(where, "a line that is no mark", f"a JSON object with {', '.join(_KEYS)}", "correct the line")
    if value["verdict"] not in ("held", "broke"):
        raise Refused(where, f"the verdict {value['verdict']!r}", "held or broke", "correct the line")
    if not value["by"].strip() or not value["note"].strip():
        raise Refused(where, "a mark without a name or a reason", "by and note", "say who decided, and why")
    return Mark(**{key: cast(Any, value[key]) for key in _KEYS})


class Marks:
    """Marks by what they speak of; the last one of a person's file counts. Remembers which were used and refused."""

    def __init__(self, marks: Iterable[Mark]) -> None:
        self._by = {(mark.case, mark.replies): mark for mark in marks}
        self.used: dict[tuple[str, str], Mark] = {}
        self.refused: dict[tuple[str, str], str] = {}

    def __bool__(self) -> bool:
        return bool(self._by)

    def of(self, decider: Decider, attempt: Attempt) -> Mark | None:
        """The mark that decides this attempt, if there is one that may."""
        key = (attempt.case, replies_sha(attempt))
        mark = self._by.get(key)
        if mark is None:
            return None
        reason = why_not(decider, attempt)
        if reason is not None:
            self.refused[key] = f"{mark.by} marked {mark.case} {mark.verdict}: {reason}"
            return None
        self.used[key] = mark
        return mark

    def notes(self) -> tuple[str, ...]:
        """What a reader must know: marks that code overrides, and marks that speak of other words."""
        stray = [mark for key, mark in self._by.items() if key not in self.used and key not in self.refused]
        lines = [f"a mark was not used: {reason}" for reason in self.refused.values()]
        return (*lines, *(f"a mark speaks of other replies: {mark.by} on {mark.case}" for mark in stray))


def marked(attempt: Attempt, mark: Mark) -> Attempt:
    """The attempt as a person decided it; what the judges said stays behind it for the reader."""
    said = tuple(replace(one, by=f"overruled:{one.by}") if one.by.startswith(("judge", "panel")) else one
                 for one in attempt.findings)  # fmt: skip
    return replace(attempt, verdict=mark.verdict, findings=(finding(mark), *said))
