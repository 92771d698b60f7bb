"""Problems of files, as `check` prints them: for people, for programs, and as annotations on GitHub."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from guardgate.errors import Problem, Refused, one_of
from guardgate.report.escape import defused, json_line, terminal, workflow_data, workflow_property
from guardgate.report.paint import Paint, painter
from guardgate.report.sentence import number

_MOODS = {"error": "bad", "warning": "open", "note": ""}
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(problems: Sequence[Problem], form: str, colour: bool = False) -> Iterator[str]:
    """The problems as `text`, `json` or `github`. Raises Refused for another format."""
    if form not in FORMATS:
        raise Refused("the format", repr(form), one_of(FORMATS), "name a format of the list")
    return FORMATS[form](problems, painter(colour))


def count(problems: Sequence[Problem]) -> str:
    """`2 errors, 1 warning in 3 files`."""
    by = {name: sum(problem.severity == name for problem in problems) for name in ("error", "warning", "note")}
    named = [number(by["error"], "error"), number(by["warning"], "warning")]
    named += [number(by["note"], "note")] if by["note"] else []
    files = {problem.file for problem in problems}
    return ", ".join(named) + (f" in {number(len(files), 'file')}" if files else "")


def _text(problems: Sequence[Problem], paint: Paint) -> Iterator[str]:
    for problem in problems:
        place = f"{terminal(problem.file)}:{problem.line}:{problem.col}: "
        word = paint(problem.severity, _MOODS[problem.severity])
        found = f"found {terminal(problem.found)} [{terminal(problem.code)}]"
        yield defused(place) + f"{word}: " + defused(found) + "\n"
        yield f"    expected {terminal(problem.expected)}\n    do: {terminal(problem.todo)}\n"
    yield count(problems) + "\n"


def _json(problems: Sequence[Problem], _paint: Paint) -> Iterator[str]:
    value = {
        "problems": [_as_json(problem) for problem in problems],
        "errors": sum(problem.severity == "error" for problem in problems),
        "warnings": sum(problem.severity == "warning" for problem in problems),
    }
    yield json_line(json.dumps(value, indent=2)) + "\n"


def _as_json(problem: Problem) -> dict[str, object]:
    return {
        "file": problem.file,
        "line": problem.line,
        "col": problem.col,
        "severity": problem.severity,
        "code": problem.code,
        "found": problem.found,
        "expected": problem.expected,
        "todo": problem.todo,
    }


def _github(problems: Sequence[Problem], _paint: Paint) -> Iterator[str]:
    """Workflow commands. A runner shows the first ten of a severity as annotations, and all of them in its log."""
    for problem in problems:
        properties = {
            "file": problem.file,
            "line": problem.line,
            "col": problem.col,
            "title": f"guardgate {problem.code}",
        }
        named = ",".join(f"{name}={workflow_property(str(value))}" for name, value in properties.items() if value)
        message = f"found {problem.found}\nexpected {problem.expected}\ndo: {problem.todo}"
        yield f"::{_COMMANDS[problem.severity]} {named}::{workflow_data(message)}\n"
    yield count(problems) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[Problem], Paint], Iterator[str]]] = MappingProxyType(
    {"text": _text, "json": _json, "github": _github}
)
