"""From the environment of a job to its exit code: prepare, act, and tell it on every path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from guardgate.ci import bots, flow, inputs, outputs, play, summary
from guardgate.ci.commands import Annotation, announced
from guardgate.ci.inputs import Inputs
from guardgate.ci.play import Played
from guardgate.ci.told import Told, blocks, spoken
from guardgate.errors import GuardgateError
from guardgate.github.api import Api, connect
from guardgate.github.failure import ApiFailure
from guardgate.github.settings import settings
from guardgate.intake import Intake

if TYPE_CHECKING:
    from guardgate.cli.printer import Printer


def run(environ: Mapping[str, str], printer: Printer) -> int:
    """Do the job and return the exit code of its step. The outputs say 3 until the end says better."""
    failed = outputs.write(environ, {})
    token = inputs.given(environ)["github-token"]
    printer.clean = Intake((token,)).redact
    workspace = flow.workspace_of(environ)
    try:
        asked = inputs.read(environ)
        done = _acted(asked, environ, workspace, printer)
    except GuardgateError as problem:
        done = Told(3, 3, "", "", str(problem))
    return _tell(done, environ, workspace, printer, failed)


def _acted(asked: Inputs, environ: Mapping[str, str], workspace: Path, printer: Printer) -> Told:
    event = flow.the_event(environ, asked.mode)
    decision = flow.decided(asked, event)
    api = _api(asked, environ, workspace)
    try:
        job = flow.Job(asked, environ, event, decision, workspace, api, printer.out, Intake((asked.token,)))
        return flow.act(job)
    finally:
        if isinstance(api, Api):
            api.close()


def _api(asked: Inputs, environ: Mapping[str, str], workspace: Path) -> Api | ApiFailure:
    bundle = workspace / asked.ca_bundle if asked.ca_bundle else None
    given = settings(environ, asked.token, bundle)
    return given if isinstance(given, ApiFailure) else connect(given)


def _tell(done: Told, environ: Mapping[str, str], workspace: Path, printer: Printer, failed: str | None) -> int:
    """Log, annotations, summary, outputs. Outputs that cannot be written make it 3; nothing else changes the code."""
    found = [note for one in done.checked for note in bots.annotated(one)]
    found += [note for one in done.played for note in play.annotated(one)]
    if done.code == 3 and not any(one.level == "error" for one in found):
        found.insert(0, Annotation("error", "guardgate", done.headline))
    printer.out(announced(found))
    lost = summary.write(environ, printer.clean(summary.bounded(blocks(done))))
    printer.out(spoken(done))
    failed = failed or outputs.write(environ, _outputs(done, workspace))
    for reason in (lost, failed):
        if reason:
            printer.error(f"guardgate: {reason}")
    return 3 if failed else done.exit_code


def _outputs(done: Told, workspace: Path) -> dict[str, str]:
    totals = [one.summary.total for one in done.played if one.summary is not None]
    results = [one.results.path for one in done.played if one.results is not None]
    return {
        "exit-code": str(done.code),
        "verdict": done.word,
        "mode": done.mode,
        "held": str(sum(one.held for one in totals)),
        "broke": str(sum(one.broke for one in totals)),
        "undecided": str(sum(one.undecided for one in totals)),
        "results-path": _paths(workspace, results),
        "report-path": _paths(workspace, _reports(done.played, "md")),
        "redacted-path": _paths(workspace, _reports(done.played, "redacted")),
    }


def _reports(played: Sequence[Played], form: str) -> list[Path]:
    return [one.reports[form] for one in played if form in one.reports]


def _paths(workspace: Path, found: Sequence[Path]) -> str:
    """Paths as outputs give them: seen from the workspace, one a line."""
    return "\n".join(one.relative_to(workspace).as_posix() for one in found)
