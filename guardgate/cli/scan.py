"""`guardgate scan`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from guardgate.cli.printer import printer
from guardgate.report.findings import Findings, render
from guardgate.scan import SEVERITIES, Finding, Severity, at_least
from guardgate.scanning import Result, Scanned, Skipped, Unread, scan_paths
from guardgate.suppress import Suppressions, load


@click.command("scan")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False))
@click.option("--fail-on", type=click.Choice(SEVERITIES), default="medium", show_default=True,
              help="The lowest severity that gives 2.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", show_default=True,
              help="How findings are printed.")  # fmt: skip
@click.option("--suppress", type=click.Path(path_type=Path), help="Let the findings of this file stand; each needs a "
              "reason.")  # fmt: skip
@click.pass_context
def command(
    context: click.Context, paths: tuple[Path, ...], fail_on: Severity, form: str, suppress: Path | None
) -> int:
    """Look for injection patterns in the files and folders PATHS, - for the standard input: no model, no network.

    Exits 0: no finding at or over --fail-on. 2: at least one. 3: something could not be read, or there was nothing to
    read. 1 does not occur.
    """
    out = printer(context)
    results = list(scan_paths(paths))
    found = _sorted_out(results, load(suppress) if suppress is not None else Suppressions(()))
    out.out(render(found, form, out.colour))
    if found.unread or not found.files:
        if not found.files:
            out.error("guardgate: nothing was read, so nothing is said about these paths")
        return 3
    return 2 if any(at_least(finding.severity, fail_on) for finding in found.open) else 0


def _sorted_out(results: Sequence[Result], suppressions: Suppressions) -> Findings:
    counted: list[Finding] = []
    suppressed: list[tuple[Finding, str]] = []
    for result in results:
        for finding in () if isinstance(result, Skipped) else result.findings:
            reason = suppressions.reason(finding)
            if reason is None:
                counted.append(finding)
            else:
                suppressed.append((finding, reason))
    return Findings(
        files=sum(isinstance(result, Scanned) for result in results),
        open=counted,
        suppressed=suppressed,
        unread=[(result.path, result.reason) for result in results if isinstance(result, Unread)],
        skipped=[(result.path, result.reason) for result in results if isinstance(result, Skipped)],
        unused=[(one.path, one.family, one.words) for one in suppressions.unused()],
    )
