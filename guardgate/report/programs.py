"""The report for programs: one small JSON object, whose form is schemas/report.schema.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from guardgate.gate import Gate
from guardgate.record import Attempt
from guardgate.report.about import About, Identity
from guardgate.report.deed import Deed, deed
from guardgate.report.escape import json_line, json_line_of
from guardgate.report.outcome import counts, outcome
from guardgate.summary import Summary
from guardgate.unplayed import planned

FORMAT = "guardgate-report/1"
#: How many characters of a reply's words, and of a reason.
CUT = 500


def render(
    summary: Summary,
    gate: Gate,
    about: About,
    *,
    attempts: Iterable[Attempt] = (),
    colour: bool = False,  # noqa: ARG001 - every format is called alike
    brief: bool = False,  # noqa: ARG001
) -> Iterator[str]:
    """The report, one attempt that did not hold a line."""
    yield json_line(json.dumps(_head(summary, gate, about), indent=1)[:-2]) + ',\n "not_held": ['
    separator = "\n  "
    for attempt in planned(summary.plan, attempts, summary.end):
        if attempt.verdict != "held":
            yield separator + json_line_of(_not_held(deed(summary.plan, attempt, about)))
            separator = ",\n  "
    yield "\n ]\n}\n"


def _head(summary: Summary, gate: Gate, about: About) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "guardgate": about.guardgate,
        "run": summary.plan.name,
        "plan": summary.plan.sha,
        "commit": about.commit,
        "started": about.started,
        "seconds": about.seconds,
        **outcome(summary, gate, about.results),
        "cells": [cell.name for cell in summary.plan.cells],
        "targets": [_who(one) for one in about.targets],
        "judges": [_who(one) for one in about.judges],
        "rules": [
            {"rule": one.rule, "statement": summary.plan.rule_index[one.rule].rule.rule, "severity": one.severity,
             "threshold": one.threshold, "cell": one.cell, "attempts": one.tally.planned, **counts(one.tally),
             "state": one.state}
            for one in gate.rules
        ],
        "classes": [
            {"attack": attack, "cell": cell, "attempts": tally.planned, **counts(tally)}
            for (attack, cell), tally in sorted(summary.classes.items())
        ],
        "kinds": [asdict(kind) for kind in summary.kinds],
        "cost": asdict(summary.facts),
    }  # fmt: skip


def _who(one: Identity) -> dict[str, Any]:
    return {"name": one.name, "backend": one.backend, "model": one.model or None, "version": one.version or None}


def _not_held(one: Deed) -> dict[str, Any]:
    attempt, finding = one.attempt, one.finding
    return {
        "n": attempt.n, "case": attempt.case, "rule": one.rule, "severity": one.severity, "attack": one.attack,
        "file": one.file, "line": one.line, "cell": attempt.cell, "repeat": attempt.repeat,
        "verdict": attempt.verdict, "by": finding.by, "kind": finding.kind, "turn": finding.turn,
        "words": None if finding.words is None else finding.words[:CUT], "why": finding.why[:CUT],
    }  # fmt: skip
