"""Where the files that ship with guardgate are: in the wheel inside the package, in a checkout beside it."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
#: What the names of files of shipped suites begin with, in project files and in messages.
PREFIX = "guardgate:"


def shipped(folder: str) -> Path:
    """The folder with shipped files of this name, such as `schemas`."""
    inside = _PACKAGE / "_shipped" / folder
    return inside if inside.is_dir() else _PACKAGE.parent / folder


def shipped_suites() -> tuple[str, ...]:
    """The names of the suites that ship."""
    return tuple(sorted(one.parent.name for one in shipped("suites").glob("*/constraints.yaml")))


def located(root: Path, file: str) -> Path:
    """The real place of a file as messages call it: below the project's root, or of a shipped suite."""
    suite, _, rest = file.removeprefix(PREFIX).partition("/")
    return top_of(root, file) / rest if file.startswith(PREFIX) and suite in shipped_suites() else root / file


def top_of(root: Path, file: str) -> Path:
    """The folder that the names in a file may not lead out of: the project's root, or that of a shipped suite."""
    suite = file.removeprefix(PREFIX).partition("/")[0]
    return shipped("suites") / suite if file.startswith(PREFIX) and suite in shipped_suites() else root
