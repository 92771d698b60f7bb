"""Marks: a person's signed opinion on an attempt. One line each, in a file that teams keep with their rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

from guardgate.decider import Decider, turns_of
from guardgate.errors import Refused, one_of
from guardgate.normalize import blank
from guardgate.plan import Plan
from guardgate.record import Attempt, Finding
from guardgate.redact import valid
from guardgate.source import fingerprint, sha256

MARKS_FILE = "guardgate-marks.jsonl"
_KEYS = ("case", "sha", "verdict", "by", "note", "at")


@dataclass(frozen=True, slots=True)
class Mark:
    """Who says what of which words, and why. `sha`: hash of those words, so that a mark never moves to others.

    `criterion`: the one that broke, where the person said so; an anchor speaks of one.
    """

    case: str
    sha: str
    verdict: Literal["held", "broke"]
    by: str
    note: str
    at: str
    criterion: str = ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a person says of an attempt, before it is signed."""

    verdict: Literal["held", "broke"]
    by: str
    note: str
    criterion: str = ""


def sign(plan: Plan, attempt: Attempt, opinion: Opinion, at: str) -> Mark:
    """The mark of a person on an attempt that was decided by its words. Raises Refused where it may not be."""
    if unsigned(opinion.by, opinion.note):
        raise Refused("mark", "an empty name or note", "who decides and why", "say both")
    decider = plan.deciders[plan.at(attempt.n).case]
    reason = why_not(decider, attempt)
    if reason is not None:
        raise Refused(
            f"attempt {attempt.n}", f"nothing that a mark may decide: {reason}",
            "an attempt that a judge decided or left open", "mend the check, or play the case again",
        )  # fmt: skip
    if opinion.criterion and opinion.criterion not in decider.floors:
        raise Refused(
            f"attempt {attempt.n}", f"the criterion {opinion.criterion!r}", one_of(decider.floors), "name one of them"
        )
    by, note = opinion.by.strip(), opinion.note.strip()
    return Mark(attempt.case, words_sha(plan, attempt), opinion.verdict, by, note, at, opinion.criterion)


def words_sha(plan: Plan, attempt: Attempt) -> str:
    """The hash of what a mark speaks of: rule, criteria, files, what the user said, what was received; no timing."""
    spot = plan.at(attempt.n)
    planned = plan.cases[spot.case]
    case = planned.case
    files = {name: sha256(plan.files[key]) for name, key in planned.files.items()}
    criteria = {name: one.model_dump(mode="json") for name, one in plan.deciders[spot.case].criteria.items()}
    received = [
        [reply.text, [[call.name, call.arguments] for call in reply.tools], reply.state] for reply in attempt.replies
    ]
    return fingerprint([plan.rule_index[case.rule].sha, criteria, files, attempt.sent or turns_of(case), received])


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


def append(path: Path, mark: Mark) -> None:
    """Add the mark as a line of its own. Raises OSError where it cannot be written."""
    said = {key: value for key, value in asdict(mark).items() if key != "criterion" or value}
    text = json.dumps({"t": "mark", **said}, ensure_ascii=False) + "\n"
    whole = not path.exists() or path.read_bytes()[-1:] in (b"", b"\n")
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(valid(text if whole else "\n" + text))


def read(path: Path) -> tuple[Mark, ...]:
    """Every mark of a file, in order. Raises Refused with the line of the first that is none."""
    if not path.is_file():
        raise Refused(str(path), "no such file", "a marks file", "name a file that `guardgate mark` wrote")
    lines = enumerate(path.read_bytes().split(b"\n"), start=1)
    return tuple(_mark(raw, f"{path}:{number}") for number, raw in lines if raw.strip())


def unsigned(by: str, note: str) -> bool:
    """Whether a reader sees no name, or no reason."""
    return blank(by) or blank(note)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no key says two things."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _mark(raw: bytes, where: str) -> Mark:
    try:
        value: Any = json.loads(raw.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, Mapping) or not all(isinstance(value.get(key), str) for key in _KEYS):
        raise Refused(where, "a line that is no mark", f"a JSON object with {', '.join(_KEYS)}", "correct the line")
    if value["verdict"] not in ("held", "broke"):
        raise Refused(where, f"the verdict {value['verdict']!r}", "held or broke", "correct the line")
    if unsigned(value["by"], value["note"]):
        raise Refused(where, "a mark without a name or a reason", "by and note", "say who decided, and why")
    if not isinstance(value.get("criterion", ""), str):
        raise Refused(where, "a criterion that is no text", "the name of a criterion", "correct the line")
    return Mark(**{key: cast(Any, value[key]) for key in _KEYS}, criterion=value.get("criterion", ""))


class Marks:
    """Marks by what they speak of; the last one of a file counts. Remembers which were used, refused, contradicted."""

    def __init__(self, marks: Iterable[Mark]) -> None:
        self._by: dict[tuple[str, str], Mark] = {}
        self._split: dict[tuple[str, str], dict[str, Mark]] = {}
        for mark in marks:
            key = (mark.case, mark.sha)
            self._by[key] = mark
            self._split.setdefault(key, {})[mark.by] = mark
        self.used: dict[tuple[str, str], Mark] = {}
        self.refused: dict[tuple[str, str], str] = {}

    def __bool__(self) -> bool:
        return bool(self._by)

    def of(self, plan: Plan, attempt: Attempt) -> Mark | None:
        """The mark that decides this attempt, if there is one that may."""
        key = (attempt.case, words_sha(plan, attempt))
        mark = self._by.get(key)
        if mark is None:
            return None
        reason = why_not(plan.deciders[plan.at(attempt.n).case], attempt)
        if reason is not None:
            self.refused[key] = f"{mark.by} marked {mark.case} {mark.verdict}: {reason}"
            return None
        self.used[key] = mark
        return mark

    def notes(self) -> tuple[str, ...]:
        """What a reader must know: marks that code overrides, and marks that speak of other words."""
        stray = [mark for key, mark in self._by.items() if key not in self.used and key not in self.refused]
        lines = [f"a mark was not used: {reason}" for reason in self.refused.values()]
        lines += [line for key in self.used for line in self._contradicted(key)]
        return (*lines, *(f"a mark speaks of other words: {mark.by} on {mark.case}" for mark in stray))

    def _contradicted(self, key: tuple[str, str]) -> Iterator[str]:
        """Other people who said otherwise of the same words, and did not take it back."""
        last = self._by[key]
        for mark in self._split[key].values():
            if mark.verdict != last.verdict:
                yield f"marks contradict each other: {mark.by} marked {mark.case} {mark.verdict} before ({mark.note})"


def marked(attempt: Attempt, mark: Mark) -> Attempt:
    """The attempt as a person decided it; what the judges said stays behind it for the reader."""
    said = tuple(replace(one, by=f"overruled:{one.by}") if one.by.startswith(("judge", "panel")) else one
                 for one in attempt.findings)  # fmt: skip
    return replace(attempt, verdict=mark.verdict, findings=(finding(mark), *said))
