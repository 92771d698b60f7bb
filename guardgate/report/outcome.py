"""The verdict and the counts for programs: `gate --json`, and every format that a program reads, say the same."""

from __future__ import annotations

from typing import Any

from guardgate.gate import MEANING, WORD, Gate
from guardgate.plan import Cell
from guardgate.record import Attempt
from guardgate.report.sweep import of_cell
from guardgate.summary import Summary, Tally


def counts(tally: Tally) -> dict[str, Any]:
    """The three counts, with the undecided ones by whose they are."""
    return {"held": tally.held, "broke": tally.broke,
            "undecided": {"target": tally.target, "judge": tally.judge, "guardgate": tally.guardgate}}  # fmt: skip


def outcome(summary: Summary, gate: Gate, results: str) -> dict[str, Any]:
    """The verdict as a small object."""
    return {
        "code": gate.code,
        "verdict": WORD[gate.code],
        "meaning": MEANING[gate.code],
        "attempts": summary.total.planned,
        **counts(summary.total),
        "hard_broke": list(gate.hard_broke),
        "below": list(gate.having("below")),
        "incomplete": list(gate.having("incomplete")),
        "not_attacked": list(summary.not_attacked),
        "narrowed": list(summary.plan.narrowed),
        "by_cell": [_cell(summary, gate, cell) for cell in summary.plan.cells],
        "cells_left_out": [{"cell": cell, "reason": reason} for cell, reason in summary.plan.left_out],
        "skipped": [target for target, _ in summary.plan.skipped],
        "marked": [_marked(one) for one in summary.marked],
        "remarks": list(summary.remarks),
        "results": results,
    }


def _cell(summary: Summary, gate: Gate, cell: Cell) -> dict[str, Any]:
    """One cell by itself. `code`: None where it has no attempt."""
    tally = of_cell(summary, cell.index)
    return {"cell": cell.name, "code": gate.of_cell(cell.index), "attempts": tally.planned, **counts(tally)}


def _marked(attempt: Attempt) -> dict[str, Any]:
    """Who decided an attempt by hand, and why."""
    mark = attempt.findings[0]
    by = mark.by.removeprefix("mark:")
    return {"attempt": attempt.n, "case": attempt.case, "verdict": attempt.verdict, "by": by, "note": mark.why}
