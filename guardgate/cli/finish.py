"""The end of `run` and the whole of `gate`: from a results file to what is printed and to the exit code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from guardgate.cli.printer import Printer
from guardgate.gate import gate
from guardgate.marks import Marks
from guardgate.plan import Plan
from guardgate.recount import summary_of
from guardgate.report import render
from guardgate.report.escape import json_line
from guardgate.report.outcome import outcome
from guardgate.results import open_results
from guardgate.summary import Folding


def finish(
    printer: Printer, path: Path, *, as_json: bool, brief: bool = False, plan: Plan | None = None,
    marks: Marks | None = None, folded: Folding | None = None, more: Mapping[str, object] | None = None,
) -> int:  # fmt: skip
    """Print the verdict of a results file and return its code.

    `folded`: its attempts, counted while they were written; the file is then not read and decided once more.
    `more`: further keys of the JSON object.
    """
    results = open_results(path, None if folded is None else folded.plan)
    if folded is None:
        summary, gated = summary_of(results, plan, marks)
    else:
        end = results.end()
        summary = replace(folded.done(end, results.fitness), ended=end is not None)
        gated = gate(summary)
    if as_json:
        found = outcome(summary, gated, str(path)) | dict(more or {})
        printer.out(json_line(json.dumps(found)) + "\n")
        return gated.code
    printer.out(render("terminal", summary, gated, results.head, str(path), colour=printer.colour, brief=brief))
    return gated.code
