"""The report as SARIF 2.1.0: a result for each case that broke in a cell, at the line of the case.

What is undecided is no result: it says nothing of a rule. It stands in the notifications of the invocation, which then
counts as not successful.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from guardgate.checks import settings
from guardgate.decider import merged_floors
from guardgate.gate import MEANING, Gate
from guardgate.plan import Plan, PlannedRule
from guardgate.record import Attempt
from guardgate.report.about import About
from guardgate.report.deed import Deed, deed
from guardgate.report.escape import json_line, json_line_of, markdown_inline, sarif
from guardgate.report.exhibit import command
from guardgate.report.judges import blind_to
from guardgate.report.outcome import outcome
from guardgate.report.sentence import number, say
from guardgate.summary import Summary

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"hard": "error", "soft": "warning"}
#: A file with more is refused by GitHub as a whole.
MOST = 25_000
WORDS = 300


def render(
    summary: Summary,
    gate: Gate,
    about: About,
    *,
    attempts: Iterable[Attempt] = (),
    colour: bool = False,  # noqa: ARG001 - every format is called alike
    brief: bool = False,  # noqa: ARG001
) -> Iterator[str]:
    """One run, one result a line. Its results with their `occurrenceCount` are the attempts that broke."""
    head = {
        "tool": {"driver": _driver(summary.plan, about)},
        "automationDetails": {"id": _category(summary.plan, about)},
        "invocations": [_invocation(summary, gate, about)],
        "columnKind": "utf16CodeUnits",
        "properties": outcome(summary, gate, about.results),
    }
    opening = json_line(json.dumps(head, indent=1)[:-2])
    yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{opening},\n "results": ['
    order = {planned.rule.id: at for at, planned in enumerate(summary.plan.rules)}
    separator = "\n  "
    for one in _first_breaks(summary, attempts, about):
        yield separator + json_line_of(_result(one, order[one.rule], summary, about))
        separator = ",\n  "
    yield "\n ]\n}]}\n"


def _first_breaks(summary: Summary, attempts: Iterable[Attempt], about: About) -> Iterator[Deed]:
    """One attempt for each case and cell that broke: repeats of it are one alert that occurred more often."""
    met: set[tuple[str, int]] = set()
    for attempt in attempts:
        key = (attempt.case, attempt.cell)
        if attempt.verdict == "broke" and key not in met and len(met) < MOST:
            met.add(key)
            yield deed(summary.plan, attempt, about)


def _category(plan: Plan, about: About) -> str:
    """GitHub takes one file of each: runs of one name differ by the folders of their projects."""
    return quote(f"guardgate/{about.folder}{plan.name}/", errors="replace")


def _driver(plan: Plan, about: About) -> dict[str, Any]:
    rules = [_rule(planned, plan) for planned in plan.rules]
    return {"name": "guardgate", "version": sarif(about.guardgate) or "unknown", "rules": rules}


def _rule(planned: PlannedRule, plan: Plan) -> dict[str, Any]:
    rule = planned.rule
    text, markdown = _help(planned, plan)
    return {
        "id": rule.id,
        "name": rule.id,
        "shortDescription": {"text": sarif(rule.rule)},
        "fullDescription": {"text": sarif(rule.rule)},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"tags": list(dict.fromkeys(("guardgate", rule.severity, *rule.tags))), "precision": "very-high",
                       "problem.severity": LEVELS[rule.severity]},
    }  # fmt: skip


def _help(planned: PlannedRule, plan: Plan) -> tuple[str, str]:
    """What the rule promises, what it costs to break it, and what decides: as text and as Markdown."""
    rule = planned.rule
    cost = "one break fails the gate" if rule.severity == "hard" else f"at least {rule.threshold:g} of it must hold"
    kinds = list(dict.fromkeys(kind for kind, _, _ in settings(rule.checks)))
    facts = [("Promise", rule.rule), ("Severity", f"{rule.severity}: {cost}"), ("Source", rule.source or ""),
             ("Checks in code", ", ".join(kinds)), ("Stands in", f"{planned.file}:{planned.line}")]  # fmt: skip
    for name, floor in merged_floors(rule.judge, None).items():
        ask = plan.criteria[name].ask if name in plan.criteria else ""
        facts.append((f"A judge scores {name}", f"at least {floor:g}: {ask}"))
    told = [(name, value) for name, value in facts if value]
    end = "A break is an answer that the bot really gave. Read it whole with `guardgate show`, and mend the bot."
    text = "".join(f"{name}: {sarif(value)}\n" for name, value in told)
    return text + sarif(end), "".join(f"- {name}: {markdown_inline(value)}\n" for name, value in told) + f"\n{end}\n"


def _invocation(summary: Summary, gate: Gate, about: About) -> dict[str, Any]:
    return {
        "executionSuccessful": gate.code != 3,
        "exitCode": gate.code,
        "exitCodeDescription": MEANING[gate.code],
        "toolExecutionNotifications": [_notification(text) for text in _untold(summary, about)],
    }


def _notification(text: str) -> dict[str, Any]:
    return {"level": "error", "message": {"text": text}}


def _untold(summary: Summary, about: About) -> Iterator[str]:
    """What this file cannot show as a result."""
    for kind in summary.kinds:
        what = f"{number(kind.count, 'attempt')} undecided: {kind.side}: {kind.kind}: {kind.example[:WORDS]}"
        yield sarif(f"{what}. Whole: {command('report', about.results)}")
    if summary.not_attacked:
        yield sarif(f"not attacked, so not decided: {', '.join(summary.not_attacked)}")
    if not summary.ended:
        yield "the run did not come to its end"
    for one in summary.fitness:
        if not one.fit:
            right = f"right on {one.agreed} of {one.probes} labelled replies{say(blind_to(one), str)}"
            yield sarif(f"not fit to judge: {one.judge}, {right}")
    broken = sum(place.broke > 0 for place in _places(summary))
    if broken > MOST:
        yield f"{broken - MOST:,} more cases broke than this file may hold"


def _places(summary: Summary) -> Iterator[Any]:
    assert summary.grid is not None  # noqa: S101 - a folded summary has one
    cases, cells = range(len(summary.plan.cases)), range(len(summary.plan.cells))
    return (summary.grid.place(case, cell) for cell in cells for case in cases)


def _result(one: Deed, index: int, summary: Summary, about: About) -> dict[str, Any]:
    assert summary.grid is not None  # noqa: S101 - a folded summary has one
    spot = summary.plan.at(one.attempt.n)
    return {
        "ruleId": one.rule,
        "ruleIndex": index,
        "kind": "fail",
        "level": LEVELS[one.severity],
        "message": {"text": _message(one, about)},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": quote(one.file, errors="replace"), "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": one.line},
            },
            "logicalLocations": [{"name": one.attempt.case, "kind": "member"}],
        }],
        "partialFingerprints": _fingerprints(one),
        "occurrenceCount": summary.grid.place(spot.case, spot.cell).broke,
        "properties": {"attempt": one.attempt.n, "attack": one.attack, "cell": one.cell, "by": one.finding.by},
    }  # fmt: skip


def _message(one: Deed, about: About) -> str:
    words = one.finding.words or ""
    said = f"The reply{f' to turn {one.finding.turn}' if one.finding.turn else ''}: {words[:WORDS]}\n" if words else ""
    cell = f", cell {one.cell}" if one.cell else ""
    return sarif(
        f"{one.severity} rule {one.rule} broke: {one.statement}\n"
        f"Case {one.attempt.case}, class {one.attack}{cell}.\n{said}"
        f"Why: {one.finding.by}: {one.finding.why[:WORDS] or 'no reason given'}\n"
        f"Whole: {command('show', about.results, str(one.attempt.n))}"
    )


def _fingerprints(one: Deed) -> dict[str, str]:
    """The same in every run: neither the words of a reply nor a line number, which move, are in them."""
    key = json.dumps([one.rule, one.attempt.case, one.cell])
    value = sha256(key.encode()).hexdigest()
    # The second is the only one that GitHub reads; its form is a hash and a count.
    return {"guardgateCase/v1": value, "primaryLocationLineHash": f"{value[:16]}:1"}
