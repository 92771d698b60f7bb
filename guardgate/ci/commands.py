"""What the log of a workflow takes for commands: annotations of ours, and none of anybody else's."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from guardgate.report.escape import terminal_line, workflow_data, workflow_property

Level = Literal["error", "warning", "notice"]
#: A runner shows so many of each level a step, and so many characters of each.
EACH, LENGTH = 10, 4000


@dataclass(frozen=True, slots=True)
class Annotation:
    """A message at a line of a file (both may be missing), seen from the workspace."""

    level: Level
    title: str
    message: str
    file: str = ""
    line: int = 0
    col: int = 0


def announced(found: Sequence[Annotation]) -> Iterator[str]:
    """Workflow commands, the first ten of each level; those left out are counted in the log, never silent.

    The most important come first in `found`.
    """
    for level in ("error", "warning", "notice"):
        mine = [one for one in found if one.level == level]
        yield from (_command(one) for one in mine[:EACH])
        if len(mine) > EACH:
            yield f"and {len(mine) - EACH} more of level {level}: the step summary and the report have them\n"


def _command(one: Annotation) -> str:
    named = {"title": one.title, "file": one.file, "line": one.line, "col": one.col}
    properties = ",".join(f"{name}={workflow_property(str(value))}" for name, value in named.items() if value)
    message = one.message if len(one.message) <= LENGTH else one.message[:LENGTH] + " [...]"
    return f"::{one.level} {properties}::{workflow_data(message)}\n"


@contextmanager
def deaf(out: Callable[[str], None]) -> Iterator[None]:
    """While a program speaks, the runner takes no line for a command, of either stream, until our own word ends it."""
    word = secrets.token_hex(16)
    out(f"::stop-commands::{word}\n")
    try:
        yield
    finally:
        sys.stderr.flush()
        out(f"::{word}::\n")


def foreign(lines: Iterable[str]) -> Iterator[str]:
    """Lines of a program of the project, made harmless and marked as its own."""
    for line in lines:
        yield f"  | {terminal_line(line.rstrip())}\n"
