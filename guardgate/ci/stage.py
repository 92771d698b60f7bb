"""One live run on its stage: the app installed, the first attempt's results fetched, played, reported, handed back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from guardgate.ci import play
from guardgate.ci.again import earlier
from guardgate.ci.bots import Bot
from guardgate.ci.child import hand_back
from guardgate.ci.commands import deaf, foreign
from guardgate.ci.compared import beside_baseline
from guardgate.ci.inputs import Inputs
from guardgate.ci.play import Place, Played
from guardgate.ci.setup import Failed, Installed, install, remove
from guardgate.ci.signed import signed
from guardgate.errors import Refused
from guardgate.github.api import Api
from guardgate.github.event import Event
from guardgate.github.failure import ApiFailure
from guardgate.intake import Intake


@dataclass(frozen=True)
class Stage:
    """What every run of a job shares. `say` prints what is already harmless; `clean` knows the secrets."""

    inputs: Inputs
    environ: Mapping[str, str]
    event: Event
    workspace: Path
    api: Api | ApiFailure
    say: Callable[[str], None]
    clean: Intake


def staged(on: Stage, bot: Bot, settings: Path | None) -> Played:
    """Install the app where the workflow says how, play or go on, and write the reports."""
    results = _folder(on)
    found = signed(on.event, on.api, bot)
    place = Place(on.workspace, results, on.environ, settings, marks=found.marks)
    made: Installed | Failed | None = None
    try:
        with deaf(on.say):
            if on.inputs.setup:
                made = install(on.inputs.setup, on.workspace, bot.name, on.environ, _foreign(on))
                if isinstance(made, Failed):
                    return Played(bot, 3, on.clean.redact(made.reason), made.interrupted)
                place = replace(place, python=made.python)
            played = beside_baseline(_resumed(on, bot, place), on.inputs, on.workspace)
        played = replace(played, reports=play.reported(played, place, on.clean))
        return _without_marks(played, found.note) if found.note else played
    finally:
        if isinstance(made, Installed):
            remove(made)
        hand_back(results, on.workspace)


def _without_marks(played: Played, note: str) -> Played:
    """A mark may say that something broke: without them no run is known to hold."""
    noted = replace(played, notes=(*played.notes, note))
    return replace(noted, code=3, reason=note) if played.code in (0, 1) else noted


def _resumed(on: Stage, bot: Bot, place: Place) -> Played:
    """Go on from the first attempt of a re-run where that fits; else play everything, and say why."""
    with tempfile.TemporaryDirectory(prefix="guardgate-earlier-") as folder:
        found = earlier(on.event, on.api, bot, on.environ, Path(folder))
        if found.results is None:
            played = play.play(bot, on.inputs, place, _own(on))
            return replace(played, notes=(found.note,)) if found.note else played
        played = play.play(bot, on.inputs, replace(place, resume=found.results), _own(on))
    if played.results is not None or played.interrupted:
        return played
    again = play.play(bot, on.inputs, place, _own(on))
    return replace(again, notes=(f"everything is played again: {played.reason}",))


def _folder(on: Stage) -> Path:
    """A folder of this run's own: nothing that was there before is taken for its result. Raises Refused."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-%fZ")
    place = on.workspace / on.inputs.results_dir
    if not place.resolve().is_relative_to(on.workspace):
        raise Refused("input results-dir", "a link that leads out of the workspace", "a folder in it", "name another")
    try:
        made = place / stamp
        made.mkdir(parents=True)
    except OSError as error:
        raise Refused(
            "input results-dir", f"{place}, where nothing can be made ({error.strerror})", "a folder with room",
            "name another folder in the workspace",
        ) from error  # fmt: skip
    return made


def _foreign(on: Stage) -> Callable[[str], None]:
    return lambda line: on.say("".join(foreign([on.clean.redact(line)])))


def _own(on: Stage) -> Callable[[str], None]:
    """Lines of guardgate itself, which it has escaped; secrets once more."""
    return lambda line: on.say(on.clean.redact(line))
