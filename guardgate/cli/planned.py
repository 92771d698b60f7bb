"""What `guardgate run --plan` prints: what would be played, cell by cell, and what it would cost. Nothing is called."""

from __future__ import annotations

import json
import os
from typing import Any

from guardgate.cli.printer import Printer
from guardgate.estimate import CellCost, Expected, expected, too_small
from guardgate.loaded import Loaded
from guardgate.model.project import Run
from guardgate.plan import Plan
from guardgate.planning import asked
from guardgate.report.escape import json_line, terminal
from guardgate.transforms import TABLE

NOTE = (
    "Tokens and cost are estimates: what is sent at four characters a token, 200 tokens for each answer. Retries, "
    "re-asks and escalation come on top.\n"
)


def show(out: Printer, planned: Plan, loaded: Loaded, settings: Run, as_json: bool) -> int:
    """Print the plan, as lines or as one JSON object."""
    found = expected(loaded, planned, os.environ)
    told = facts(planned, loaded, settings, found)
    if as_json:
        out.out(json_line(json.dumps({**told, "by_cell": [_cell(one) for one in found.cells]})) + "\n")
        return 0
    for key, value in told.items():
        text = (", ".join(value) or "none") if isinstance(value, list) else str(value)
        if key == "usd_estimated":
            text = "unknown" if found.usd is None else f"at least {text}" if found.unpriced else text
        out.out(f"{key.replace('_', ' '):18} {terminal(text)}\n")
    if len(found.cells) > 1:
        out.out("cell by cell, without judges:\n")
        for number, one in enumerate(found.cells):
            out.out(f"  c{number} {_line(one)}\n")
    out.out(NOTE)
    return 0


def facts(planned: Plan, loaded: Loaded, settings: Run, found: Expected) -> dict[str, Any]:
    """The plan in numbers and names."""
    total = found.total
    seeded = any(cell.transform in TABLE and TABLE[cell.transform].seeded for cell in planned.cells)
    return {
        "run": planned.name,
        "cases": len(planned.cases),
        "of_cases": planned.total,
        "rules_attempted": len({planned.cases[spot.case].case.rule for spot in planned.spots()}),
        "of_rules": len(loaded.rules),
        "narrowed": list(planned.narrowed),
        "cells": [cell.name for cell in planned.cells],
        "cells_left_out": [f"{cell} ({reason})" for cell, reason in planned.left_out],
        **({"seed": planned.seed} if seeded else {}),
        "repeats": planned.repeats,
        "attempts": len(planned.numbers),
        "calls_to_targets": sum(one.calls for one in found.targets.values()),
        "calls_to_judges": sum(one.calls for one in found.judges.values()),
        "of_them_anchors": found.anchors * len(found.judges),
        "preflight_calls": len({cell.target for cell in planned.cells}) + len(asked(planned.panel)),
        "tokens_estimated": total.input + total.output,
        "usd_estimated": None if found.usd is None else round(found.usd, 4),
        "price_unknown": list(found.unpriced),
        "limits_too_small": list(too_small(found, settings.limits)),
        "plan": planned.sha,
    }


def _cell(one: CellCost) -> dict[str, Any]:
    return {
        "cell": one.name, "attempts": one.attempts, "calls": one.asked.calls,
        "tokens_estimated": one.asked.input + one.asked.output,
        "usd_estimated": None if one.usd is None else round(one.usd, 4),
    }  # fmt: skip


def _line(one: CellCost) -> str:
    money = "price unknown" if one.usd is None else f"{one.usd:.4f} US dollars"
    tokens = one.asked.input + one.asked.output
    return f"{terminal(one.name)}: {one.attempts:,} attempts, {one.asked.calls:,} calls, {tokens:,} tokens, {money}"
