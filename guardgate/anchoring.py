"""Marks as anchors: what a person said of a reply becomes a label that a judge has to find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from guardgate.decider import turns_of
from guardgate.marks import Mark, Marks, words_sha
from guardgate.normalize import blank, visible
from guardgate.plan import Plan
from guardgate.promote import dumped
from guardgate.record import Attempt
from guardgate.results import Results
from guardgate.summary import redecided


@dataclass(frozen=True, slots=True)
class Export:
    """Entries for `anchors:` in an anchors file, and each mark that gave none, with the reason."""

    anchors: tuple[dict[str, Any], ...]
    left: tuple[str, ...]

    @property
    def text(self) -> str:
        """The entries as an anchors file; what was left out stands in its comments."""
        head = "# Made of marks by `guardgate review`. Read each label before a judge is tested by it.\n"
        head += "".join(f"# left out: {' '.join(visible(one).split())}\n" for one in self.left)
        return head + dumped({"anchors": list(self.anchors)})


def export(results: Results, marks: Marks) -> Export:
    """The marks that decide attempts of this file as anchors: for a held one of each criterion, for a broken one."""
    anchors: list[dict[str, Any]] = []
    left: list[str] = []
    met: set[tuple[str, str]] = set()
    for stored in results.attempts():
        attempt = redecided(results.plan, stored)
        mark = marks.of(results.plan, attempt)
        key = (attempt.case, words_sha(results.plan, attempt)) if mark is not None else ("", "")
        if mark is None or key in met:
            continue
        met.add(key)
        reason = _why_none(results.plan, attempt, mark)
        if reason is None:
            anchors += _anchors(results.plan, attempt, mark)
        else:
            left.append(f"{mark.case}, marked {mark.verdict} by {mark.by}: {reason}")
    return Export(tuple(anchors), (*left, *marks.notes()))


def _criteria(plan: Plan, attempt: Attempt, mark: Mark) -> tuple[str, ...]:
    """What the label can be said of: all that held, or the one that broke."""
    every = tuple(plan.deciders[plan.at(attempt.n).case].floors)
    if mark.verdict == "held" or len(every) == 1:
        return every
    return (mark.criterion,) if mark.criterion in every else ()


def _why_none(plan: Plan, attempt: Attempt, mark: Mark) -> str | None:
    case = plan.cases[plan.at(attempt.n).case].case
    if case.document is not None:
        return "the case has a document, and an anchor has none"
    if not _criteria(plan, attempt, mark):
        return "several criteria, and the mark does not say which one broke"
    if blank(_until(plan, attempt)[1]):
        return "the reply has no words"
    return None


def _until(plan: Plan, attempt: Attempt) -> tuple[tuple[str, ...], str]:
    """The talk up to the reply that a judge quoted, or to the last one."""
    quoted = next((one.turn for one in attempt.findings if one.turn and one.by.startswith(("judge", "panel"))), None)
    turn = quoted if quoted and quoted <= len(attempt.replies) else len(attempt.replies)
    said = attempt.sent or turns_of(plan.cases[plan.at(attempt.n).case].case)
    return said[:turn], attempt.replies[turn - 1].text


def _anchors(plan: Plan, attempt: Attempt, mark: Mark) -> Iterator[dict[str, Any]]:
    # What broke may stand in an earlier reply; that all of it held is said of the whole talk.
    whole = replace(attempt, findings=()) if mark.verdict == "held" else attempt
    turns, reply = _until(plan, whole)
    names = _criteria(plan, attempt, mark)
    for name in names:
        stem = f"marked/{attempt.case[:70].rstrip('._:/-')}-{words_sha(plan, attempt)[:8]}"
        yield {
            "id": stem if len(names) == 1 else f"{stem}/{names.index(name) + 1}",
            "criterion": name,
            "turns": list(turns),
            "reply": reply,
            "label": mark.verdict,
            "why": f"{mark.note} (marked by {mark.by})",
        }
