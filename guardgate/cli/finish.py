"""The end of `run` and the whole of `gate`: from a results file to what is printed and to the exit code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from guardgate.cli.printer import Printer
from guardgate.gate import MEANING, WORD, Gate, gate
from guardgate.marks import Marks
from guardgate.plan import Plan
from guardgate.record import Attempt
from guardgate.recount import summary_of
from guardgate.report import render
from guardgate.report.escape import json_line
from guardgate.results import open_results
from guardgate.summary import Folding, Summary


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
        found = verdict_json(summary, gated, path) | dict(more or {})
        printer.out(json_line(json.dumps(found)) + "\n")
        return gated.code
    printer.out(render("terminal", summary, gated, results.head, str(path), colour=printer.colour, brief=brief))
    return gated.code


def verdict_json(summary: Summary, gated: Gate, path: Path) -> dict[str, object]:
    """The verdict as a small object for programs."""
    total = summary.total
    return {
        "code": gated.code,
        "verdict": WORD[gated.code],
        "meaning": MEANING[gated.code],
        "attempts": total.planned,
        "held": total.held,
        "broke": total.broke,
        "undecided": {"target": total.target, "judge": total.judge, "guardgate": total.guardgate},
        "hard_broke": list(gated.hard_broke),
        "below": list(gated.having("below")),
        "incomplete": list(gated.having("incomplete")),
        "not_attacked": list(summary.not_attacked),
        "narrowed": list(summary.plan.narrowed),
        "skipped": [target for target, _ in summary.plan.skipped],
        "marked": [_marked(one) for one in summary.marked],
        "remarks": list(summary.remarks),
        "results": str(path),
    }


def _marked(attempt: Attempt) -> dict[str, object]:
    """Who decided an attempt by hand, and why."""
    mark = attempt.findings[0]
    by = mark.by.removeprefix("mark:")
    return {"attempt": attempt.n, "case": attempt.case, "verdict": attempt.verdict, "by": by, "note": mark.why}
