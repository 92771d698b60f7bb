"""What a pull request's run leaves for a later job that may write: facts, never a verdict that is believed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from guardgate.ci.bots import MOST, Bot, Checked
from guardgate.ci.play import Played
from guardgate.errors import Problem
from guardgate.load import PROJECT_FILE
from guardgate.model.base import Model, Seq, Whole
from guardgate.softening import KINDS, Softening

FILE = "publication.json"
#: So many problems of a bot and softenings are told; the file is never larger than this, in bytes.
PROBLEMS, SOFTENINGS, BYTES = 50, 100, 4 * 1024 * 1024
_ORDER = {"error": 0, "warning": 1, "note": 2}
_Line = Annotated[str, Field(max_length=2_000)]
_Name = Annotated[str, Field(max_length=200, pattern=r"^[^/\\\x00][^\\\x00]*$")]


class Told(Model):
    """One problem of one file."""

    file: _Line = Field(description="The file, seen from its project.")
    line: Whole = Field(description="Line, from 1.")
    col: Whole = Field(description="Column, from 1.")
    severity: Literal["error", "warning", "note"] = Field(description="How grave it is.")
    code: _Line = Field(description="The kind of the problem.")
    found: _Line = Field(description="What was found.")
    expected: _Line = Field(description="What was expected.")
    todo: _Line = Field(description="What to do.")


class OneBot(Model):
    """One project."""

    name: _Name = Field(description="Its folder or file, seen from the workspace.")
    loaded: bool = Field(description="Whether its files could be read.")
    cases: Whole = Field(description="How many cases it has.")
    rules: Whole = Field(description="How many rules it has.")
    problems: Annotated[Seq[Told], Field(max_length=PROBLEMS)] = Field((), description="What is wrong with its files.")
    results: Annotated[str, Field(max_length=200, pattern=r"^[A-Za-z0-9._-]+$")] | None = Field(
        None, description="The last name of its results file, where it was played."
    )


class Softer(Model):
    """One thing that the pull request makes weaker."""

    kind: _Line = Field(description="A row of the table of what counts as weaker.")
    weight: Literal["hard", "look", "other", "note"] = Field(description="How grave it is.")
    on: _Line = Field(description="Rule, case, run, target and so on.")
    name: _Line = Field(description="Its name.")
    part: _Line = Field(description="What of it.")
    before: _Line = Field(description="Its value before.")
    after: _Line = Field(description="Its value now.")
    file: _Line = Field(description="The file, seen from the workspace.")
    line: Whole = Field(description="Line, from 1.")
    side: Literal["base", "head"] = Field(description="Whose file it is.")


class Publication(Model):
    """What a run of a pull request found."""

    format: Literal[1] = Field(description="Version of this format.")
    number: Annotated[int, Field(gt=0)] = Field(description="Number of the pull request.")
    head: Annotated[str, Field(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")] = Field(description="Its commit.")
    bots: Annotated[Seq[OneBot], Field(min_length=1, max_length=MOST)] = Field(description="What was checked.")
    softened: Annotated[Seq[Softer], Field(max_length=SOFTENINGS)] = Field(
        (), description="What became weaker, the worst first."
    )


def write(
    place: Path, number: int, head: str, checked: Sequence[Checked], played: Sequence[Played],
    softened: Sequence[Softening] = (),
) -> str | None:  # fmt: skip
    """Leave the facts in a folder; the reason where that failed. What the pull request put there is never followed."""
    files = {one.bot.name: one.results.path.name for one in played if one.results is not None}
    bots = tuple(_bot(one, files.get(one.bot.name)) for one in checked)
    softer = tuple(Softer.model_validate(_shortened(asdict(one))) for one in softened[:SOFTENINGS])
    told = Publication(format=1, number=number, head=head, bots=bots, softened=softer)
    text = told.model_dump_json(indent=1)
    if len(text.encode()) > BYTES:
        return f"{FILE} was not written: it would have more than {BYTES:,} bytes"
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=place, delete=False) as file:
            file.write(text)
        os.chmod(file.name, 0o644)
        os.replace(file.name, place / FILE)
    except OSError as error:
        return f"{FILE} could not be written: {error.strerror}"
    return None


def _shortened(values: dict[str, Any]) -> dict[str, Any]:
    return {key: _short(value) if isinstance(value, str) else value for key, value in values.items()}


def _bot(one: Checked, results: str | None) -> OneBot:
    problems = tuple(
        Told(
            file=_short(problem.file), line=max(problem.line, 0), col=max(problem.col, 0), severity=problem.severity,
            code=_short(problem.code), found=_short(problem.found), expected=_short(problem.expected),
            todo=_short(problem.todo),
        )
        for problem in sorted(one.problems, key=lambda problem: _ORDER[problem.severity])[:PROBLEMS]
    )  # fmt: skip
    name = one.bot.name[:200]
    return OneBot(name=name, loaded=one.loaded, cases=one.cases, rules=one.rules, problems=problems, results=results)


def _short(text: str) -> str:
    return text.encode("utf-8", "replace").decode()[:2_000]


def read(path: Path) -> Publication | str:
    """The facts that a run left, or why they are not used. Nothing in them is believed beyond its form."""
    try:
        return Publication.model_validate_json(path.read_bytes())
    except (OSError, ValidationError, ValueError, RecursionError) as error:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        return f"{FILE} of the run is not what guardgate writes: {first[:200]}"


def checked(one: OneBot, workspace: Path, strict: bool = False) -> Checked:
    """What `check` would have told, made of the facts again."""
    problems = tuple(
        Problem(told.file, (), told.found, told.expected, told.todo, told.code, told.severity, told.line, told.col)
        for told in one.problems
    )
    folder = workspace / one.name if one.name != "." else workspace
    return Checked(Bot(workspace, folder / PROJECT_FILE), problems, one.loaded, one.cases, one.rules, strict)


def softenings(facts: Publication) -> tuple[Softening, ...]:
    """What became weaker, as far as this guardgate knows its kind."""
    return tuple(Softening(**one.model_dump()) for one in facts.softened if one.kind in KINDS)


def schema() -> str:
    """The JSON Schema of the file."""
    return json.dumps(Publication.model_json_schema(), indent=2)
