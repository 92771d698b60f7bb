"""The report that is safe to commit, by construction: ids, verdicts, scores and hashes; no words but allowed quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from guardgate.checks import settings
from guardgate.checks.canary import compact
from guardgate.framing import TABLE as FRAMINGS
from guardgate.gate import WORD, Gate
from guardgate.judging.quotes import folded, verified
from guardgate.model.redacted import MAX_QUOTE
from guardgate.normalize import fold, skeleton
from guardgate.plan import Cell, Plan
from guardgate.record import Attempt, Score
from guardgate.report.about import About, Identity
from guardgate.report.escape import json_line
from guardgate.source import sha256
from guardgate.summary import Summary, left_open
from guardgate.transforms import TABLE

#: A quote that shares so many words in a row with a document is left out.
SHARED_WORDS = 6
#: Scripts that are written without spaces: each of their letters is compared as a word.
_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
_WORD = re.compile(rf"[{_SPACELESS}]|[^\W{_SPACELESS}]+")
#: The name of a model: one word.
_MODEL = re.compile(r"[A-Za-z0-9._+:/$@{}-]{1,100}")
#: What backends report as a version: numbers, a short hash, and names of programs.
_PROGRAMS = "Python|langgraph|litellm|Claude Code|codex-cli|codex|node"
_NUMBER = r"v?[0-9]{1,6}(?:\.[0-9]{1,6}){0,4}(?:[-.+]?(?:a|b|rc|dev|post)[0-9]{0,4})?"
_PART = rf"(?:{_PROGRAMS}|[0-9a-f]{{12}}|{_NUMBER})"
_VERSION = re.compile(rf"{_PART}(?:[ ,()]+{_PART}){{0,5}}\)?")


def render(
    summary: Summary,
    gate: Gate,
    about: About,
    *,
    attempts: Iterable[Attempt] = (),
    colour: bool = False,  # noqa: ARG001 - every format is called alike
    brief: bool = False,  # noqa: ARG001
) -> Iterator[str]:
    """The report as JSON, one attempt a line."""
    head = {
        "format": "guardgate-redacted/1",
        "guardgate": _only(_VERSION, about.guardgate) or "",
        "plan": summary.plan.sha,
        "code": gate.code,
        "verdict": WORD[gate.code],
        "cases": len(summary.plan.cases),
        "of_cases": summary.plan.total,
        "narrowed": bool(summary.plan.narrowed),
        "cells": [_cell(cell) for cell in summary.plan.cells],
        "cells_left_out": len(summary.plan.left_out),
        "targets": [_who(one) for one in about.targets],
        "judges": [_who(one) for one in about.judges],
        "rules": [_rule(one) for one in gate.rules],
    }
    yield json_line(json.dumps(head, indent=1)[:-2]) + ',\n "attempts": ['
    filter_ = QuoteFilter(summary.plan) if about.allow_quotes else None
    separator = "\n  "
    for attempt in attempts:
        yield separator + json_line(json.dumps(_attempt(summary.plan, attempt, filter_)))
        separator = ",\n  "
    yield "\n ]\n}\n"


def _only(form: re.Pattern[str], text: str) -> str | None:
    """Words that come from elsewhere are kept only where they are of a form that tells nothing else."""
    return text if len(text) <= 100 and form.fullmatch(text) else None


def _cell(cell: Cell) -> str:
    """Its name; a transform or a value of a param that may be anything stands there as a hash."""
    transform = cell.transform if cell.transform in TABLE else _hashed(cell.transform)
    return replace(cell, transform=transform, params={key: _value(key, one) for key, one in cell.params.items()}).name


def _value(key: str, value: Any) -> Any:
    """Numbers and the names of framings as they are."""
    ours = key == "framing" and isinstance(value, str) and value in FRAMINGS
    if ours or value is None or isinstance(value, bool | int | float):
        return value
    return _hashed(json.dumps(value, sort_keys=True, default=str))


def _hashed(text: str) -> str:
    return f"sha256:{sha256(text)[:12]}"


def _who(one: Identity) -> dict[str, Any]:
    backend = _only(_MODEL, one.backend) or ""
    return {"name": one.name, "backend": backend, "model": _only(_MODEL, one.model),
            "version": _only(_VERSION, one.version)}  # fmt: skip


def _rule(one: Any) -> dict[str, Any]:
    tally = one.tally
    return {
        "rule": one.rule, "severity": one.severity, "threshold": one.threshold, "cell": one.cell,
        "planned": tally.planned, "held": tally.held, "broke": tally.broke,
        "undecided": {"target": tally.target, "judge": tally.judge, "guardgate": tally.guardgate},
        "state": one.state,
    }  # fmt: skip


def _attempt(plan: Plan, attempt: Attempt, quotes: QuoteFilter | None) -> dict[str, Any]:
    planned = plan.cases[plan.at(attempt.n).case]
    open_ = left_open(attempt)
    decided = next((one.by for one in attempt.findings if one.outcome == attempt.verdict), None)
    return {
        "n": attempt.n,
        "case": attempt.case,
        "rule": planned.case.rule,
        "attack": planned.attack,
        "cell": attempt.cell,
        "repeat": attempt.repeat,
        "verdict": attempt.verdict,
        "kind": open_.kind if open_ else None,
        "by": "mark" if decided and decided.startswith("mark:") else decided,
        "scores": {score.judge: _scores(plan, score) for score in _named(plan, attempt)},
        "replies": [sha256(reply.text) for reply in attempt.replies],
        "documents": {name: sha256(plan.files[key]) for name, key in planned.files.items()},
        "quotes": list(quotes.of(attempt)) if quotes else [],
    }


def _named(plan: Plan, attempt: Attempt) -> Iterator[Score]:
    """The scores of the judges of the plan; another name may be anybody's words."""
    return (score for score in attempt.scores if score.judge in (*plan.panel.judges, plan.panel.escalate))


def _scores(plan: Plan, score: Score) -> dict[str, float]:
    """By the names that the rules give; a name that only stands in the file is left out."""
    return {name: value for name, value in score.scores.items() if name in plan.criteria}


class QuoteFilter:
    """Lets a judge's quotes through that are short, verified, of a reply, and of no document or secret."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._runs = {run for text in plan.files.values() for run in _runs(text)}
        self._texts = [_spaced(text) for text in plan.files.values()]
        self._canaries = [
            compact(value)
            for checks in [one.rule.checks for one in plan.rules] + [one.case.checks for one in plan.cases]
            for kind, _, spec in settings(checks)
            if kind == "canary"
            for value in spec.values
        ]

    def of(self, attempt: Attempt) -> Iterator[Mapping[str, Any]]:
        """The quotes of an attempt that may be shown."""
        for score in _named(self._plan, attempt):
            for quote in verified(score.quotes, attempt.replies):
                text = folded(quote.text)
                known = quote.verified and quote.criterion in self._plan.criteria
                if known and self._may(text) and text in folded(attempt.replies[quote.turn - 1].text):
                    yield {"judge": score.judge, "criterion": quote.criterion, "turn": quote.turn, "text": text}

    def _may(self, text: str) -> bool:
        if len(text) > MAX_QUOTE or "[secret]" in text:
            return False
        if any(run in self._runs for run in _runs(text)):
            return False
        if any(_spaced(text) in words for words in self._texts):
            return False
        letters = compact(text)
        return not any(canary and (canary in letters or canary[::-1] in letters) for canary in self._canaries)


def _words(text: str) -> list[str]:
    """Words as they are compared: folded, look-alikes mapped, without punctuation."""
    return _WORD.findall(skeleton(fold(text)))


def _spaced(text: str) -> str:
    return f" {' '.join(_words(text))} "


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = _words(text)
    return (tuple(words[start : start + SHARED_WORDS]) for start in range(len(words) - SHARED_WORDS + 1))
