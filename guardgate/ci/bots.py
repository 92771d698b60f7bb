"""The bots of a workspace: the project files that an input names, and the files of each, without a model."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from guardgate.ci.commands import Annotation, Level
from guardgate.cli.common import checked
from guardgate.errors import Problem, Refused
from guardgate.gate import WORD
from guardgate.load import PROJECT_FILE
from guardgate.source import sha256

_LEVELS: dict[str, Level] = {"error": "error", "warning": "warning", "note": "notice"}
VALID = "valid"
MOST = 100


@dataclass(frozen=True, slots=True)
class Bot:
    """One project. `name`: its folder or file seen from the workspace, with /."""

    workspace: Path
    file: Path

    @property
    def name(self) -> str:
        """How reports call it."""
        folder = self.file.name == PROJECT_FILE
        return (self.file.parent if folder else self.file).relative_to(self.workspace).as_posix()

    @property
    def folder(self) -> str:
        """The folder of its files, seen from the workspace; empty for the workspace itself."""
        name = self.file.parent.relative_to(self.workspace).as_posix()
        return "" if name == "." else f"{name}/"

    @property
    def stem(self) -> str:
        """A part of a file name that only this bot of the workspace has."""
        plain = "".join(char if char.isalnum() else "-" for char in self.name)[:80]
        mark = "" if plain == self.name else f"-{sha256(self.name)[:8]}"  # `a/b` and `a-b` would have the same
        return "bot" if self.name == "." else f"{plain}{mark}"


def bots(workspace: Path, pattern: str) -> tuple[Bot, ...]:
    """The projects that the input names, in a stable order. Raises Refused where there is none."""
    parts = PurePosixPath(pattern).parts
    if PurePosixPath(pattern).is_absolute() or ".." in parts or "\0" in pattern:
        raise _none(pattern, "which leads out of the workspace")
    root = workspace.resolve()
    try:
        found = sorted(root.glob(pattern)) if any(char in pattern for char in "*?[") else [root / pattern]
    except ValueError:  # such as ** beside other characters
        found = []
    files = [one / PROJECT_FILE if one.is_dir() else one for one in found]
    real = dict.fromkeys(one for one in files if one.is_file())
    if any(_linked(one, root) for one in real):  # two names of one project would be one bot less
        raise _none(pattern, "which leads elsewhere by a link")
    if not real:
        raise _none(pattern, f"where there is no {PROJECT_FILE}")
    if len(real) > MOST:
        raise _none(pattern, f"which finds {len(real)} projects; the most are {MOST}")
    return tuple(Bot(root, one) for one in real)


def _linked(file: Path, root: Path) -> bool:
    return os.path.normcase(file.resolve()) != os.path.normcase(os.path.join(root, file.relative_to(root)))


def _none(pattern: str, found: str) -> Refused:
    todo = "correct the input; it is seen from the root of the repository, which must be checked out before"
    return Refused("input project", f"{pattern!r}, {found}", "a project file or its folder in the workspace", todo)


@dataclass(frozen=True, slots=True)
class Checked:
    """What `check` says of one bot."""

    bot: Bot
    problems: tuple[Problem, ...]
    loaded: bool
    cases: int = 0
    rules: int = 0
    strict: bool = False

    @property
    def code(self) -> int:
        """3 where anything is wrong, else 0; warnings are shown and, unless `strict`, no more."""
        bad = {"error", "warning"} if self.strict else {"error"}
        return 3 if not self.loaded or any(one.severity in bad for one in self.problems) else 0

    @property
    def word(self) -> str:
        """The code in a word."""
        return WORD[3] if self.code else VALID


def check(bot: Bot, settings: Path | None, strict: bool = False) -> Checked:
    """Validate the files of a bot. No code of it runs. `strict`: warnings are errors."""
    loaded, problems = checked(bot.file, None, settings)
    known = loaded is not None
    cases, rules = (len(loaded.cases), len(loaded.rules)) if loaded is not None else (0, 0)
    return Checked(bot, tuple(problems), known, cases, rules, strict)


def annotated(one: Checked) -> list[Annotation]:
    """Each problem at its own line, errors first."""
    order = {"error": 0, "warning": 1, "note": 2}
    ranked = sorted(one.problems, key=lambda problem: order[problem.severity])
    return [
        Annotation(
            _LEVELS[problem.severity],
            f"guardgate {problem.code}",
            f"found {problem.found}\nexpected {problem.expected}\ndo: {problem.todo}",
            f"{one.bot.folder}{problem.file}",
            problem.line,
            problem.col,
        )
        for problem in ranked
    ]
