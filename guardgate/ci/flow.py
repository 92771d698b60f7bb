"""The one way through a job: inputs, event, mode, files, live run, status, and what the reader is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from guardgate import git
from guardgate.ci import bots, publication, standing
from guardgate.ci.admission import Admitted, admit
from guardgate.ci.bots import Bot, Checked
from guardgate.ci.certificates import certified
from guardgate.ci.child import hand_back
from guardgate.ci.inputs import Inputs
from guardgate.ci.lying import lying_token
from guardgate.ci.play import Played
from guardgate.ci.softened import softened
from guardgate.ci.stage import Stage, staged
from guardgate.ci.told import Told, step_exit
from guardgate.ci.trusted import trusted
from guardgate.errors import Refused
from guardgate.github.api import Api
from guardgate.github.event import PULL_REQUEST, Event, event
from guardgate.github.failure import ApiFailure
from guardgate.github.mode import Decision, decide
from guardgate.intake import Intake
from guardgate.report.words import coverage

MAX_EVENT = 25 * 1024 * 1024
#: Events on which `fail-on: never` may let everything pass: nobody merges by them.
NIGHT = ("schedule", "workflow_dispatch", "repository_dispatch")


@dataclass(frozen=True)
class Job:
    """What the whole job knows. `say` prints what is already harmless; `clean` knows the secrets."""

    inputs: Inputs
    environ: Mapping[str, str]
    event: Event
    decision: Decision
    workspace: Path
    api: Api | ApiFailure
    say: Callable[[str], None]
    clean: Intake


def workspace_of(environ: Mapping[str, str]) -> Path:
    """The folder that the workflow works in."""
    return Path(environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()


def the_event(environ: Mapping[str, str], mode: str) -> Event:
    """What started the job. Outside of GitHub there is none, and the mode must be said. Raises Refused."""
    path = environ.get("GITHUB_EVENT_PATH")
    if not path:
        if mode == "auto":
            raise Refused("input mode", "'auto', and no event of GitHub", "check or live", "say which, outside GitHub")
        return Event("", repository=environ.get("GITHUB_REPOSITORY", ""))
    return event(environ, _payload(Path(path)))


def _payload(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            return json.loads(file.read(MAX_EVENT))  # what is longer is cut, and no JSON any more
    except (OSError, ValueError, RecursionError) as error:
        raise Refused(
            "GITHUB_EVENT_PATH", f"a file that cannot be read ({error})", "the event as JSON", "run it from a workflow"
        ) from error


def decided(inputs: Inputs, found: Event) -> Decision:
    """What to do. Raises Refused where the inputs forbid it."""
    if inputs.fail_on == "never" and found.name not in NIGHT:
        raise Refused(
            "input fail-on", f"'never' on the event {found.name!r}", "it on a schedule or a dispatch only",
            "use hard or soft where a merge depends on it",
        )  # fmt: skip
    if not found.name and inputs.mode in ("check", "live"):
        return Decision("check" if inputs.mode == "check" else "live", f"`mode: {inputs.mode}`, outside of GitHub")
    return decide(found, inputs.mode, inputs.live_label)


def act(job: Job) -> Told:
    """Do what the decision says. Whatever is not proved is 3."""
    if job.decision.mode == "refused":
        return told(job, 3, "", job.decision.why)
    found = bots.bots(job.workspace, job.inputs.project)
    done = _done(job, found)
    if job.inputs.mode == "check":  # it asks GitHub nothing
        return _left(job, done)
    weaker = softened(job.event, job.api, found, job.inputs.project)
    return _left(job, replace(done, softened=weaker.softenings, notes=(*weaker.notes, *done.notes)))


def _done(job: Job, found: tuple[Bot, ...]) -> Told:
    """The files, and what the decision says."""
    with trusted(job.inputs, job.event, job.api, found) as settings:
        checked = tuple(bots.check(bot, settings.get(bot.name), job.inputs.strict) for bot in found)
        code = max(one.code for one in checked)
        if job.decision.mode == "check":
            return _only_checked(job, checked, code)
        if code:
            return told(job, code, "live", "the files do not pass the check, so nothing was played", checked=checked)
        return _live(job, checked, settings)


def _left(job: Job, done: Told) -> Told:
    """The facts of a pull request's run, for a job that may write where this one may not."""
    if job.event.number is None or job.event.head is None or job.event.name not in PULL_REQUEST:
        return done
    place = job.workspace / job.inputs.results_dir
    if not place.resolve().is_relative_to(job.workspace):
        return done
    lost = publication.write(place, job.event.number, job.event.head, done.checked, done.played, done.softened)
    hand_back(place, job.workspace)
    return replace(done, notes=(*done.notes, lost)) if lost else done


def told(job: Job, code: int, mode: str, reason: str = "", **more: Any) -> Told:
    """The end of the job in a record."""
    return Told(code, step_exit(code, job.inputs.fail_on), mode, job.decision.why, reason, **more)


def _only_checked(job: Job, checked: tuple[Checked, ...], code: int) -> Told:
    """The files, and the live status of the commit: no other label, edit or re-run clears a red gate."""
    if job.decision.mode != "check" or job.inputs.mode == "check" or job.event.head is None:
        return told(job, code, "check", checked=checked)
    found = standing.of_commit(job.api, job.event, job.inputs)
    reason = "" if code else found.reason
    more = {"notes": found.notes, "commit": job.event.head, "settled": found.decided and not code}
    return told(job, max(code, found.code), "check", reason, checked=checked, **more)


def _live(job: Job, checked: tuple[Checked, ...], settings: Mapping[str, Path]) -> Told:
    lying = lying_token(job.workspace, job.environ, job.inputs.token)
    if lying is not None:
        return told(job, 3, "live", lying, checked=checked)
    checkout = git.head_commit(job.workspace)
    if job.event.name:
        admitted = admit(job.event, job.inputs.live_label, checkout, job.api)
    else:
        admitted = Admitted(checkout or "")
    if isinstance(admitted, str):
        return told(job, 3, "live", admitted, checked=checked)
    url = job.event.url
    before = standing.begin(job.api, admitted.commit, job.inputs, url) if job.event.name else standing.Before()
    if before.lost:
        return told(job, 3, "live", before.lost, checked=checked)
    with certified(job.environ, job.workspace, job.inputs.ca_bundle) as environ:
        on = Stage(job.inputs, environ, job.event, job.workspace, job.api, job.say, job.clean)
        played = tuple(_all(on, checked, settings))
    after = standing.end(job.api, admitted.commit, before, played, job.inputs)
    notes = (*_replaced(job.inputs), *admitted.notes, *before.notes, *after.notes,
             *(note for one in played for note in one.notes))  # fmt: skip
    covers = "; ".join(dict.fromkeys(coverage(one.summary) for one in played if one.summary is not None))
    more = {"checked": checked, "played": played, "notes": notes, "commit": admitted.commit, "status": after.status}
    if after.open_ and job.inputs.require_live:
        part = "every attack that was played held, and `require-live` asks for a live run that decides"
        return told(job, 3, "live", part, covers=covers, **more)
    return told(job, after.code, "live", after.reason, covers=covers, **more)


def _replaced(inputs: Inputs) -> Iterator[str]:
    """What the workflow plays in place of what the run says: green is green for that alone."""
    given = {"target": inputs.targets, "judge": inputs.judges, "repeats": (inputs.repeats,) if inputs.repeats else ()}
    told = "; ".join(f"{name}: {', '.join(values)}" for name, values in given.items() if values)
    if told:
        yield f"inputs of the workflow replaced what the run says ({told})"


def _all(on: Stage, checked: tuple[Checked, ...], settings: Mapping[str, Path]) -> Iterator[Played]:
    """The run of each bot; once the job was cancelled, none is begun."""
    interrupted: str | None = None
    for one in checked:
        if interrupted:
            yield Played(one.bot, 3, f"not begun: the job was interrupted by {interrupted}", interrupted)
            continue
        played = staged(on, one.bot, settings.get(one.bot.name))
        interrupted = played.interrupted
        yield played
