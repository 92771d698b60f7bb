"""Marks that count in the action: those of the base branch, never those that a pull request brings for itself."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from guardgate.ci.bots import Bot
from guardgate.ci.trusted import source
from guardgate.errors import GuardgateError
from guardgate.github.api import Api
from guardgate.github.event import Event
from guardgate.github.failure import ApiFailure
from guardgate.marks import MARKS_FILE, Mark, read


@dataclass(frozen=True, slots=True)
class Signed:
    """The marks, or a note on why there are none though there may be some."""

    marks: tuple[Mark, ...] = ()
    note: str = ""


def signed(event: Event, api: Api | ApiFailure, bot: Bot) -> Signed:
    """The marks beside the project file: of the commit that is trusted, never of a pull request. Raises Refused."""
    local = bot.file.parent / MARKS_FILE
    commit = source(event, bot.workspace)
    if commit is None:
        return _read(local) if local.is_file() and local.resolve().is_relative_to(bot.workspace) else Signed()
    name = local.relative_to(bot.workspace).as_posix()
    if isinstance(api, ApiFailure):
        return Signed(note=f"marks were not read: {name} of the base branch cannot be asked for")
    found = api.file(name, commit)
    if isinstance(found, ApiFailure):
        missing = found.kind == "missing"
        return Signed() if missing else Signed(note=f"marks were not read: {name} of the base branch: {found.text}")
    with tempfile.TemporaryDirectory(prefix="guardgate-marks-") as folder:
        place = Path(folder) / MARKS_FILE
        place.write_bytes(found)
        return _read(place)


def _read(place: Path) -> Signed:
    """A file that holds one line that is no mark counts for nothing: nobody knows what was meant."""
    try:
        return Signed(read(place))
    except (GuardgateError, OSError) as problem:
        return Signed(note=f"marks were not read: {str(problem).replace(str(place), MARKS_FILE)}")
