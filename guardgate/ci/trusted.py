"""`config-from: base`: commands, variables and endpoints are those of the base branch, not the pull request's."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from guardgate import git
from guardgate.ci.bots import Bot
from guardgate.ci.inputs import Inputs
from guardgate.errors import Refused
from guardgate.github.api import Api
from guardgate.github.event import PULL_REQUEST, Event
from guardgate.github.failure import ApiFailure


def source(event: Event, workspace: Path) -> str | None:
    """The commit whose settings and marks count; None for the one that is checked out. Raises Refused.

    Of a pull request and a merge queue it is the base. Of a dispatch it is the commit that it was started on: it may
    have checked out somebody else's.
    """
    needed = event.name in (*PULL_REQUEST, "merge_group")
    if needed and event.base is None:
        raise Refused(
            "the event", "no commit of the base branch", "the one that GitHub sends", "run it from a workflow"
        )
    return event.base if needed or event.base != git.head_commit(workspace) else None


@contextmanager
def trusted(inputs: Inputs, event: Event, api: Api | ApiFailure, bots: Sequence[Bot]) -> Iterator[Mapping[str, Path]]:
    """The project file of the base commit for each bot, in a folder that is gone afterwards; none for `head`.

    Raises Refused where GitHub does not give the file.
    """
    commit = source(event, bots[0].workspace) if inputs.config_from == "base" and bots else None
    if commit is None:
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="guardgate-base-") as folder:
        yield {bot.name: _fetched(api, commit, bot, Path(folder) / f"{number}.yaml")
               for number, bot in enumerate(bots)}  # fmt: skip


def _fetched(api: Api | ApiFailure, commit: str, bot: Bot, place: Path) -> Path:
    name = bot.file.relative_to(bot.workspace).as_posix()
    found = api if isinstance(api, ApiFailure) else api.file(name, commit)
    if isinstance(found, ApiFailure):
        raise Refused(
            "input config-from", f"no {name} on the base branch ({found.text})", "one that GitHub gives out",
            "merge the project file first, and give the job `contents: read`",
        )  # fmt: skip
    place.write_bytes(found)
    return place
