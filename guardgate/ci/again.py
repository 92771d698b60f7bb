"""A night that did not complete is not paid twice: a re-run goes on where the results of its first attempt stop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from guardgate.ci.artifacts import artifacts
from guardgate.ci.bots import Bot
from guardgate.errors import GuardgateError
from guardgate.github.api import Api
from guardgate.github.event import Event
from guardgate.github.failure import ApiFailure
from guardgate.recount import summary_of
from guardgate.results import open_results

#: Events whose workflow nobody but those who may write can change: results of others would be copied else.
EVENTS = ("schedule", "workflow_dispatch", "repository_dispatch")
INCOMPLETE = 3


@dataclass(frozen=True, slots=True)
class Earlier:
    """The results to go on from, or a note on why there are none; neither where nothing is to be looked for."""

    results: Path | None = None
    note: str = ""


def earlier(event: Event, api: Api | ApiFailure, bot: Bot, environ: Mapping[str, str], folder: Path) -> Earlier:
    """The newest results of this bot in the run's own artifacts that gave 3. Decided ones are never gone on from."""
    run = environ.get("GITHUB_RUN_ID", "")
    if not event.rerun or event.name not in EVENTS or not (run.isascii() and run.isdigit()):
        return Earlier()
    found = api if isinstance(api, ApiFailure) else artifacts(api, int(run))
    if isinstance(found, ApiFailure):
        return Earlier(note=f"everything is played again: the first attempt's results could not be had: {found.text}")
    for number, packed in enumerate(found):
        room = folder / str(number)
        room.mkdir()
        usable = list(_incomplete(packed.unpack(lambda name: name == f"{bot.stem}.jsonl", room)))
        if usable:
            return Earlier(max(usable, key=lambda one: one[0])[1])
    return Earlier(note="everything is played again: no artifact of this run holds results that gave 3")


def _incomplete(paths: Iterator[Path]) -> Iterator[tuple[str, Path]]:
    """Results that can be read and give 3, with their beginning."""
    for path in paths:
        try:
            results = open_results(path)
            _, gated = summary_of(results)
        except GuardgateError:
            continue
        if gated.code == INCOMPLETE:
            yield str(results.head.get("started")), path
