"""A small valid project, and cases that are laid over it."""

from __future__ import annotations

import shutil
from pathlib import Path

from guardgate.cli.common import checked
from guardgate.errors import Problem

CASES = Path(__file__).parents[1] / "cases"
BASE = CASES / "base"


def named(kind: str) -> list[Path]:
    """The cases in a folder: each sub-folder, and each single YAML file."""
    return sorted(path for path in (CASES / kind).iterdir() if path.is_dir() or path.suffix == ".yaml")


def laid_over(case: Path, folder: Path) -> Path:
    """The base project in `folder`, with the case's files in place of its own."""
    shutil.copytree(BASE, folder, dirs_exist_ok=True)
    if case.is_dir():
        shutil.copytree(case, folder, dirs_exist_ok=True)
        return folder
    data = case.read_bytes()
    first = data.split(b"\n", 1)[0].decode()
    assert first.startswith("# file: "), f"{case.name}: the first line names the file that it replaces"
    target = folder / first.removeprefix("# file: ").strip()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return folder


def problems(project: Path) -> list[Problem]:
    """What `check` finds in a project."""
    return checked(project)[1]


def lines(project: Path) -> list[str]:
    """What `check` finds in a project, as it is printed."""
    return [str(problem) for problem in problems(project)]
