"""From the environment of a job to its exit code: prepare, act, and tell it on every path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from guardgate.ci import bots, flow, inputs, outputs, play, softened, summary
from guardgate.ci.commands import Annotation, announced
from guardgate.ci.inputs import Inputs
from guardgate.ci.play import Played
from guardgate.ci.post import Place, post
from guardgate.ci.publish import Refusal, publish
from guardgate.ci.told import Told, blocks, spoken
from guardgate.errors import GuardgateError
from guardgate.github.api import Api, connect
from guardgate.github.failure import ApiFailure
from guardgate.github.settings import settings
from guardgate.github.sticky import Posted
from guardgate.intake import Intake

if TYPE_CHECKING:
    from guardgate.cli.printer import Printer


def run(environ: Mapping[str, str], printer: Printer) -> int:
    """Do the job and return the exit code of its step. The outputs say 3 until the end says better."""
    failed = outputs.write(environ, {})
    token = inputs.given(environ)["github-token"]
    printer.clean = Intake((token,)).redact
    workspace = flow.workspace_of(environ)
    teller = Teller(environ, workspace, printer)
    try:
        asked = inputs.read(environ)
        done, posted = _acted(asked, teller)
    except GuardgateError as problem:
        done, posted = Told(3, 3, "", "", str(problem)), Posted("")
    lost = teller.tell(done, posted)
    return 3 if failed or lost else done.exit_code


def _acted(asked: Inputs, teller: Teller) -> tuple[Told, Posted]:
    """Do the job and say it on GitHub. A job that was cancelled writes its files first: there may be no time later."""
    event = flow.the_event(teller.environ, asked.mode)
    decision = flow.decided(asked, event)
    api = _api(asked, teller.environ, teller.workspace)
    job = flow.Job(asked, teller.environ, event, decision, teller.workspace, api, teller.printer.out,
                   Intake((asked.token,)))  # fmt: skip
    try:
        try:
            if decision.mode == "publish":
                return _published(job)
            done = flow.act(job)
        except GuardgateError as problem:
            done = flow.told(job, 3, decision.mode if decision.mode != "refused" else "", str(problem))
        if any(one.interrupted for one in done.played):
            teller.files(done, Posted(""))
        return done, post(done, Place(api, event, asked))
    finally:
        if isinstance(api, Api):
            api.close()


def _published(job: flow.Job) -> tuple[Told, Posted]:
    """Another run's facts, said here. The step fails only where they could not be said."""
    done = publish(job.event, job.inputs, job.api)
    if isinstance(done, Refusal):
        return flow.told(job, 3, "publish", done.reason), Posted("")
    said, posted = done
    if not posted.url:
        return replace(said, exit_code=3), posted
    return said, posted


def _api(asked: Inputs, environ: Mapping[str, str], workspace: Path) -> Api | ApiFailure:
    bundle = workspace / asked.ca_bundle if asked.ca_bundle else None
    given = settings(environ, asked.token, bundle)
    return given if isinstance(given, ApiFailure) else connect(given)


@dataclass
class Teller:
    """Log, annotations, summary and outputs of one job. `written`: the summary is there already."""

    environ: Mapping[str, str]
    workspace: Path
    printer: Printer
    written: bool = False

    def tell(self, done: Told, posted: Posted) -> bool:
        """Everything; whether the outputs were lost, which makes it 3. Nothing else changes the code."""
        done = replace(done, notes=(*posted.notes, *done.notes))
        found = [note for one in done.checked for note in bots.annotated(one)]
        found += [note for one in done.played for note in play.annotated(one)]
        found += softened.annotated(done.softened)
        if done.code == 3 and not any(one.level == "error" for one in found):
            found.insert(0, Annotation("error", "guardgate", done.headline))
        found += [Annotation("notice", "guardgate", note) for note in posted.notes]
        self.printer.out(announced(found))
        lost = self.files(done, posted)
        self.printer.out(spoken(done))
        return lost

    def files(self, done: Told, posted: Posted) -> bool:
        """Summary and outputs; whether the outputs were lost."""
        page = "" if self.written else self.printer.clean(summary.bounded(blocks(done)))
        reasons = (
            summary.write(self.environ, page),
            outputs.write(self.environ, _outputs(done, posted, self.workspace)),
        )
        self.written = True
        for reason in reasons:
            if reason:
                self.printer.error(f"guardgate: {reason}")
        return reasons[1] is not None


#: The reports whose outputs have their names.
_FORMS = ("redacted", "html", "sarif", "junit", "json")


def _outputs(done: Told, posted: Posted, workspace: Path) -> dict[str, str]:
    totals = [one.summary.total for one in done.played if one.summary is not None]
    results = [one.results.path for one in done.played if one.results is not None]
    return {
        "exit-code": str(done.code),
        "verdict": done.word,
        "mode": "publish" if done.hint else done.mode,
        "held": str(sum(one.held for one in totals)),
        "broke": str(sum(one.broke for one in totals)),
        "undecided": str(sum(one.undecided for one in totals)),
        "results-path": _paths(workspace, results),
        "report-path": _paths(workspace, _reports(done.played, "md")),
        "comment-url": posted.url,
        **{f"{form}-path": _paths(workspace, _reports(done.played, form)) for form in _FORMS},
    }


def _reports(played: Sequence[Played], form: str) -> list[Path]:
    return [one.reports[form] for one in played if form in one.reports]


def _paths(workspace: Path, found: Sequence[Path]) -> str:
    """Paths as outputs give them: seen from the workspace, one a line."""
    return "\n".join(one.relative_to(workspace).as_posix() for one in found)
