"""What can go wrong, as values and as one small tree of exceptions.

GuardgateError          anything that ends a command with code 3
+-- Invalid             files with problems, all of them at once
+-- Refused             a request that makes no sense: unknown name, nothing selected, other plan
+-- Unavailable         a target or judge that the run names does not answer
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

Severity = Literal["error", "warning", "note"]
Step = str | int


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of one file: where, what was found, what was expected, what to do.

    `path` leads to the value inside the file; `line` and `col` (from 1) are composed from it later.
    """

    file: str
    path: tuple[Step, ...]
    found: str
    expected: str
    todo: str
    code: str
    severity: Severity = "error"
    line: int = 0
    col: int = 0
    at_key: bool = False

    @property
    def message(self) -> str:
        """The four parts after the place, as one line."""
        return f"found {self.found}; expected {self.expected}; {self.todo}"

    def at(self, line: int, col: int) -> Problem:
        """The same problem with its place filled in."""
        return replace(self, line=line, col=col)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.col}: {self.severity}: {self.message} [{self.code}]"


class GuardgateError(Exception):
    """Anything that ends a command with code 3."""


class Invalid(GuardgateError):
    """Files with problems; `problems` holds all of them, sorted by place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Refused(GuardgateError):
    """A request that cannot be carried out, with what was found, expected and to do."""

    def __init__(self, where: str, found: str, expected: str, todo: str) -> None:
        self.where, self.found, self.expected, self.todo = where, found, expected, todo
        super().__init__(f"{where}: found {found}; expected {expected}; {todo}")


class Unavailable(GuardgateError):
    """A named target or judge that does not answer, with the reason and what to do."""

    def __init__(self, name: str, reason: str, todo: str) -> None:
        self.name, self.reason, self.todo = name, reason, todo
        super().__init__(f"{name} is unavailable: {reason}; {todo}")


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """`"did you mean 'x'? "` for the nearest known word, or an empty text."""
    near = get_close_matches(word, known, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}? " if near else ""


def one_of(known: Iterable[str], limit: int = 12) -> str:
    """Names as a readable list, cut after `limit`."""
    names = [repr(name) for name in known]
    if not names:
        return "one that is defined (none is)"
    if len(names) == 1:
        return names[0]
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return "one of " + ", ".join(names[:limit]) + more
