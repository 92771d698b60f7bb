"""The job's token where a program of the project could read it: a checkout leaves it there unless it is told not to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

#: git's configuration is small; what is longer is none that a checkout wrote.
_MOST = 1024 * 1024
_TODO = "give actions/checkout `persist-credentials: false`, or check out again in a later step that needs it"


def lying_token(workspace: Path, environ: Mapping[str, str], token: str) -> str | None:
    """Why no program of the project may run here, or None. Looks where actions/checkout leaves a token."""
    for place in _places(workspace, environ):
        try:
            with place.open("rb") as file:
                text = file.read(_MOST)
        except OSError:
            continue  # then no program of a lesser user reads it either
        if b"extraheader" in text.lower() or (token and token.encode() in text):
            return f"the checkout left its token in {place.name}, where the bot's own code could read it; {_TODO}"
    return None


def _places(workspace: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    """Its older versions use the repository's own configuration, newer ones a file among the runner's."""
    for folder in (workspace, *workspace.parents):
        yield folder / ".git" / "config"
    temp = environ.get("RUNNER_TEMP")
    if temp:
        yield from sorted(Path(temp).glob("git-credentials-*.config"))
