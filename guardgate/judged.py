"""What judges did over a whole run: asked, overridden, open by kind, and how far two of them agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from operator import add

from guardgate.record import Attempt


@dataclass(frozen=True, slots=True)
class JudgeFacts:
    """One judge: attempts scored, calls made for them, answers overridden by its own scores, votes by outcome."""

    judge: str
    scored: int = 0
    asks: int = 0
    overridden: int = 0
    held: int = 0
    broke: int = 0
    undecided: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Concordance:
    """Two judges over the attempts that both decided: both held, both broke, and the two ways to differ."""

    one: str
    other: str
    both_held: int = 0
    both_broke: int = 0
    one_broke: int = 0
    other_broke: int = 0

    @property
    def decided(self) -> int:
        """Attempts that both decided."""
        return self.both_held + self.both_broke + self.one_broke + self.other_broke


class Judged:
    """Folds attempts; its size depends on the judges, not on the attempts."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[str, int]] = {}
        self._kinds: dict[str, dict[str, int]] = {}
        self._pairs: dict[tuple[str, str], list[int]] = {}

    def add(self, attempt: Attempt) -> None:
        """Count the scores of one attempt by the votes that its findings record."""
        votes = _votes(attempt)
        for score in attempt.scores:
            row = self._rows.setdefault(score.judge, dict.fromkeys(("scored", "asks", "overridden", *_OUTCOMES), 0))
            row["scored"] += 1
            row["asks"] += score.asks
            row["overridden"] += any(note.startswith(f"override: {score.judge} ") for note in attempt.notes)
            outcome, kind = votes.get(score.judge, ("undecided", None))
            row[outcome] += 1
            if kind is not None:
                kinds = self._kinds.setdefault(score.judge, {})
                kinds[kind] = kinds.get(kind, 0) + 1
        for one, other in combinations(sorted(votes), 2):
            pair = (votes[one][0], votes[other][0])
            if "undecided" not in pair:
                self._pairs.setdefault((one, other), [0, 0, 0, 0])[_PAIR[pair]] += 1

    def merge(self, later: Judged) -> None:
        """Add what was folded from other attempts."""
        for own, other in ((self._rows, later._rows), (self._kinds, later._kinds)):
            for judge, counts in other.items():
                row = own.setdefault(judge, {})
                for key, count in counts.items():
                    row[key] = row.get(key, 0) + count
        for pair, numbers in later._pairs.items():
            have = self._pairs.setdefault(pair, [0, 0, 0, 0])
            have[:] = map(add, have, numbers)

    def facts(self) -> tuple[JudgeFacts, ...]:
        """One entry a judge."""
        return tuple(
            JudgeFacts(name, **row, kinds=self._kinds.get(name, {})) for name, row in sorted(self._rows.items())
        )

    def concordance(self) -> tuple[Concordance, ...]:
        """One entry a pair of judges."""
        return tuple(Concordance(*names, *counts) for names, counts in sorted(self._pairs.items()))


_OUTCOMES = ("held", "broke", "undecided")
_PAIR = {("held", "held"): 0, ("broke", "broke"): 1, ("broke", "held"): 2, ("held", "broke"): 3}


def _votes(attempt: Attempt) -> dict[str, tuple[str, str | None]]:
    """Judge -> (outcome, kind), from the findings that carry votes, also where a person overruled them."""
    found: dict[str, tuple[str, str | None]] = {}
    for finding in attempt.findings:
        by, _, name = finding.by.removeprefix("overruled:").partition(":")
        if name and (by == "vote" or (by == "judge" and name not in found)):
            found[name] = (finding.outcome, finding.kind)
    return found
