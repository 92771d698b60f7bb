"""An attempt as data for the page: every text made visible, long ones cut around the words that decided."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from guardgate.marks import why_not
from guardgate.normalize import visible
from guardgate.plan import Plan
from guardgate.record import Attempt, Failure, Finding, Reply, Score
from guardgate.report.html.plan import Review
from guardgate.report.show import as_text
from guardgate.summary import Summary

#: How many attempts a page holds, and how many passes are the sample to be read.
MOST = 20_000
SAMPLE = 10
#: Characters of one text of what held and of the rest, by how far the page is over its room: not, a little, more.
LIMITS = ((8_000, 8_000), (400, 2_000), (120, 600))
#: Bytes for the data of a page, and more where there are many attempts. A little over it: by so many bytes.
ROOM, EACH, LITTLE = 1_600_000, 1_600, 150_000
BEFORE = 300


class Choice:
    """Which attempts are on the page, and which of those that held are the sample: drawn by their numbers alone."""

    def __init__(self, summary: Summary) -> None:
        self._key = summary.plan.sha.encode()[:64]
        self._drawn: list[tuple[int, int]] = []
        self.left = 0
        self._room = MOST
        total = summary.total
        first = total.broke + total.undecided
        #: Of 2 to the 64 lots, those below this one; what did not hold comes first.
        self._below = 2**64 if total.planned <= MOST else max(0, MOST - first) * 2**64 // max(1, total.held)

    def keeps(self, n: int) -> bool:
        """Whether this attempt is on the page if it held, as long as there is room."""
        return self._lot(n) < self._below

    def _lot(self, n: int) -> int:
        return int.from_bytes(blake2b(b"%d" % n, digest_size=8, key=self._key).digest(), "big")

    def takes(self, attempt: Attempt) -> bool:
        """Whether this one is on the page. Asked once for each."""
        taken = self._room > 0
        if attempt.verdict == "held":
            lot = self._lot(attempt.n)
            taken = taken and lot < self._below
            if taken:
                self._drawn = sorted([*self._drawn, (lot, attempt.n)])[:SAMPLE]
        self._room -= taken
        self.left += not taken
        return taken

    def draws(self, n: int) -> bool:
        """Whether this attempt is in the sample, as far as is known by now."""
        return any(n == drawn for _, drawn in self._drawn)

    @property
    def sample(self) -> list[int]:
        """Numbers of the sample."""
        return sorted(n for _, n in self._drawn)


class Trimmed:
    """How long a text may be. `used`: bytes so far; where they are too many for so many attempts, texts are cut."""

    def __init__(self, used: int, planned: int, *, whole: bool) -> None:
        self.used = used
        self._whole = whole
        self._base = used + LITTLE
        self._each = max(0.0, max(ROOM, EACH * min(planned, MOST)) - self._base) / max(1, min(planned, MOST))
        self._met = 0

    def limit(self, attempt: Attempt, *, drawn: bool = False) -> int | None:
        """Characters for each text of this attempt; None: all of it. `drawn`: it is to be read."""
        self._met += 1
        if self._whole:
            return None
        over = self.used - self._base - self._each * self._met
        held, other = LIMITS[0 if over < 0 else 1 if over < LITTLE else 2]
        return other if drawn or attempt.verdict != "held" else held


def as_data(plan: Plan, attempt: Attempt, limit: int | None, review: Review | None = None) -> dict[str, Any]:
    """The attempt; what is empty is left out. Turns that are those of its case stand there."""
    spot = plan.at(attempt.n)
    open_ = [one for one in attempt.findings if one.outcome != "held" or not one.by.startswith("check:")]
    words: dict[int, list[str]] = {}
    for one in attempt.findings:
        if one.words and one.turn and one.outcome != "held":
            words.setdefault(one.turn, []).append(one.words)
    data = {
        "n": attempt.n, "case": spot.case, "cell": spot.cell, "repeat": spot.repeat, "verdict": attempt.verdict,
        "ms": attempt.ms,
        "sent": [cut(text, limit) for text in attempt.sent] if attempt.sent is not None else None,
        "delivered": visible(attempt.delivered or ""),
        "replies": [_reply(one, limit, words.get(turn, [])) for turn, one in enumerate(attempt.replies, 1)],
        "failure": _failure(attempt.failure),
        "held": [one.by.removeprefix("check:") for one in attempt.findings if one not in open_],
        "findings": [_finding(one, limit) for one in open_],
        "scores": [_score(one) for one in attempt.scores],
        "notes": [visible(note, 300) for note in attempt.notes],
    }  # fmt: skip
    if review is not None:
        data["mayNot"] = visible(why_not(plan.deciders[spot.case], attempt) or "")
        data["may"] = not data["mayNot"]
    return {key: value for key, value in data.items() if value not in (None, "", [], {})}


def cut(text: str, limit: int | None, words: str = "") -> str:
    """The text, or a part of it around `words` with a note of how much is missing."""
    if limit is None or len(text) <= limit:
        return visible(text)
    at = max(0, text.find(words)) if words else 0
    low = max(0, min(at - BEFORE, len(text) - limit))
    high = low + limit
    before = f"[{low:,} characters before this] " if low else ""
    after = f" [{len(text) - high:,} more characters]" if high < len(text) else ""
    return f"{before}{visible(text[low:high])}{after}"


def _reply(reply: Reply, limit: int | None, words: list[str]) -> dict[str, Any]:
    calls = [
        {"name": visible(call.name, 200), "arguments": _value(call.arguments, limit),
         "result": None if call.result is None else _value(call.result, limit)}
        for call in reply.tools
    ]  # fmt: skip
    found = {
        "text": cut(reply.text, limit, words[0] if words else ""),
        "words": [visible(one) for one in words if one in reply.text],
        "tools": calls,
        "state": None if reply.state is None else _value(reply.state, limit),
        "ms": reply.ms,
        "flags": [name for name, is_set in (("copied", reply.copied), ("cut off", reply.cut)) if is_set],
    }
    return {key: value for key, value in found.items() if key == "text" or value not in (None, [], 0)}


def _value(value: Any, limit: int | None) -> str:
    return cut(as_text(value), limit)


def _failure(failure: Failure | None) -> str | None:
    if failure is None:
        return None
    tries = f", {failure.tries} tries" if failure.tries > 1 else ""
    return visible(f"{failure.side}: {failure.kind}{tries}: {failure.detail}", 600)


def _finding(one: Finding, limit: int | None) -> dict[str, Any]:
    found = {"outcome": one.outcome, "by": visible(one.by, 200), "turn": one.turn, "why": visible(one.why, 600),
             "kind": one.kind, "words": None if one.words is None else cut(one.words, limit)}  # fmt: skip
    return {key: value for key, value in found.items() if value not in (None, "")}


def _score(score: Score) -> dict[str, Any]:
    found = {
        "judge": visible(score.judge, 200),
        "scores": {visible(name, 200): value for name, value in score.scores.items()},
        "says": visible(score.says or "", 100),
        "mode": visible(score.failure_mode or "", 200),
        "failure": _failure(score.failure),
        "quotes": [*_quotes(score)],
    }
    return {key: value for key, value in found.items() if value not in (None, "", [])}


def _quotes(score: Score) -> Iterator[dict[str, Any]]:
    for one in score.quotes:
        yield {"criterion": visible(one.criterion, 200), "turn": one.turn, "text": visible(one.text, 600),
               "verified": one.verified, "why": visible(one.reason, 600)}  # fmt: skip
