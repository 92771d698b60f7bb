"""What a comparison of two projects finds: records that say nothing by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: hard: a hard rule is weaker, or less is tried on it. look: changed, and only a person can say whether it is weaker.
#: other: weaker, but no single hard rule is. note: nothing is weaker; the reader should know it all the same.
Weight = Literal["hard", "look", "other", "note"]
#: From the worst on.
WEIGHTS: tuple[Weight, ...] = ("hard", "look", "other", "note")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is weaker, before it has a place. `weight`: where it is not the one of its kind.

    `part`: what of the rule, case or run; `before`, `after`: its value, empty where there is none.
    """

    kind: str
    part: str = ""
    before: str = ""
    after: str = ""
    weight: Weight | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something stands: in the file of the head, or of the base where it was deleted."""

    on: str
    name: str
    file: str
    line: int
    side: Literal["base", "head"] = "head"


@dataclass(frozen=True, slots=True)
class Softening:
    """One thing that became weaker, or that nobody but a person can judge.

    `kind`: a row of the table. `on`: rule, case, run, target and so on; `name`: its name. `part`: what of it.
    `before`, `after`: its value, empty where there is none. `side`: whose file `file` and `line` (from 1) speak of.
    """

    kind: str
    weight: Weight
    on: str
    name: str
    part: str
    before: str
    after: str
    file: str
    line: int
    side: Literal["base", "head"]


@dataclass(frozen=True, slots=True)
class Compared:
    """All that became weaker, the worst first. `others`: rules and cases that are new, or changed and not weaker."""

    softenings: tuple[Softening, ...]
    others: int = 0

    @property
    def code(self) -> int:
        """2: a hard rule became weaker. 1: something else did, or must be looked at. 0: nothing."""
        weights = {one.weight for one in self.softenings}
        return 2 if "hard" in weights else 1 if weights & {"look", "other"} else 0
