"""What several commands share: the project option, reading with problems, opening results."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from guardgate.constraints import MARKS
from guardgate.errors import Invalid, Problem, Refused
from guardgate.lint import lint
from guardgate.load import PROJECT_FILE, load
from guardgate.loaded import Loaded
from guardgate.results import Results, open_results
from guardgate.shipped import located
from guardgate.source import Document, Reason, parse, place, read_text

PROJECT = click.option(
    "--project", "project", type=click.Path(path_type=Path), default=Path(), show_default="this folder",
    help=f"Project file, or the folder with {PROJECT_FILE}.",
)  # fmt: skip
CONSTRAINTS = click.option(
    "--constraints", "constraints", help="Rules from this file instead; - reads them from stdin."
)
SETTINGS = click.option(
    "--config-from", "settings", type=click.Path(path_type=Path),
    help="Targets and judges from this project file instead.",
)  # fmt: skip


def find_project(path: Path) -> Path:
    """The project file. Raises Refused where there is none."""
    file = path / PROJECT_FILE if path.is_dir() else path
    if not file.is_file():
        raise Refused(
            str(file), "no such file", "a project file", "change into the project's folder, name it with --project, "
            "or write one with `guardgate init`",
        )  # fmt: skip
    return file


def checked(
    path: Path, constraints: str | None = None, settings: Path | None = None
) -> tuple[Loaded | None, list[Problem]]:
    """The project and every problem of every file, with places."""
    file = find_project(path)
    root = file.resolve().parent
    given = None if constraints is None else _given(root, constraints)
    read = parse(given.text, given.name, MARKS) if given else None
    trusted = None if settings is None else find_project(settings)
    loaded, problems = load(file, read if isinstance(read, Document) else None, trusted)
    problems += read if isinstance(read, list) else []
    if loaded is not None:
        problems += lint(loaded, os.environ)
    return loaded, place(problems, lambda name: given.text if given and name == given.name else _text(root, name))


def placed(file: Path, problems: list[Problem]) -> list[Problem]:
    """Problems of a project's files, with line and column."""
    root = file.resolve().parent
    return place(problems, lambda name: _text(root, name))


def _text(root: Path, name: str) -> str | None:
    text = read_text(located(root, name))
    return None if isinstance(text, Reason) else text


class _Given(NamedTuple):
    """Rules that were handed over beside the project: how messages call them, and what they say."""

    name: str
    text: str


def _given(root: Path, constraints: str) -> _Given:
    if constraints == "-":
        if sys.stdin is None:
            raise _unreadable(constraints, "standard input closed", "pipe them in")
        try:
            return _Given("-", sys.stdin.buffer.read().decode("utf-8"))
        except UnicodeDecodeError:
            raise _unreadable(constraints, "bytes that are not UTF-8", "write them as UTF-8") from None
    real = Path(constraints).resolve()
    name = real.relative_to(root).as_posix() if real.is_relative_to(root) else constraints
    text = read_text(real)
    if isinstance(text, Reason):
        raise _unreadable(constraints, f"a file that {text}", "name another file, or - for standard input")
    return _Given(name, text)


def _unreadable(constraints: str, found: str, todo: str) -> Refused:
    return Refused(f"--constraints {constraints}", found, "the rules there, as YAML or JSON", todo)


def usable(path: Path, constraints: str | None = None, settings: Path | None = None) -> Loaded:
    """The project, without any error. Raises Invalid with all of them otherwise."""
    loaded, problems = checked(path, constraints, settings)
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors or loaded is None:
        raise Invalid(errors)
    return loaded


def results(path: str) -> Results:
    """A results file."""
    return open_results(Path(path))


def newest(paths: Sequence[str]) -> str:
    """The named file; the newest of guardgate-results/ where none is named. Raises Refused where there is none."""
    if paths:
        return paths[0]
    found = sorted(Path("guardgate-results").glob("*.jsonl"), key=lambda one: one.stat().st_mtime)
    if not found:
        raise Refused("guardgate-results", "no results file", "a file to read", "name one, or `guardgate run` first")
    return str(found[-1])
