"""Records to the lines of a results file, and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from guardgate.judging.panel import Panel
from guardgate.model.constraints import Criterion, Rule
from guardgate.model.suite import Case
from guardgate.plan import Cell, Plan, PlannedCase, PlannedRule, Shard
from guardgate.record import Attempt, Failure, Finding, Outcome, Quote, Reply, Score, ToolCall, Usage

T = TypeVar("T")


def usage_to(usage: Usage | None) -> dict[str, Any] | None:
    """Usage as JSON."""
    return None if usage is None else {"input": usage.input, "output": usage.output, "usd": usage.usd}


def _usage_from(data: Mapping[str, Any] | None) -> Usage | None:
    if data is None:
        return None
    return Usage(_maybe(data["input"], _whole), _maybe(data["output"], _whole), _maybe(data["usd"], _number))


def reply_to(reply: Reply) -> dict[str, Any]:
    """A reply as JSON."""
    return {
        "text": reply.text,
        "tools": [{"name": c.name, "arguments": c.arguments, "result": c.result} for c in reply.tools],
        "state": reply.state,
        "ms": reply.ms,
        "usage": usage_to(reply.usage),
        "model": reply.model,
        "copied": reply.copied,
        "cut": reply.cut,
        "traced": reply.traced,
    }


def _reply_from(data: Mapping[str, Any]) -> Reply:
    tools = tuple(ToolCall(_text(call["name"]), call["arguments"], call["result"]) for call in _list(data["tools"]))
    return Reply(
        _text(data["text"]), tools, data["state"], _whole(data["ms"]), _usage_from(data["usage"]),
        _maybe(data["model"], _text),
        _flag(data["copied"]), _flag(data["cut"]), _flag(data["traced"]),
    )  # fmt: skip


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text expected, found {type(value).__name__}")
    return value


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"a whole number expected, found {type(value).__name__}")
    return value


def _maybe(value: Any, kind: Callable[[Any], T]) -> T | None:
    return None if value is None else kind(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"a number expected, found {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError(f"the number {value}")
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"true or false expected, found {type(value).__name__}")
    return value


def _failure_to(failure: Failure | None) -> dict[str, Any] | None:
    if failure is None:
        return None
    return {
        "side": failure.side,
        "kind": failure.kind,
        "turn": failure.turn,
        "detail": failure.detail,
        "tries": failure.tries,
    }


def _failure_from(data: Mapping[str, Any] | None) -> Failure | None:
    if data is None:
        return None
    turn, tries = _maybe(data["turn"], _whole), _whole(data["tries"])
    failure = Failure(_text(data["kind"]), _text(data["detail"]), turn=turn, tries=tries)
    if failure.side != data["side"]:
        raise ValueError(f"side {data['side']!r} for {data['kind']!r}")
    return failure


def _share(value: Any) -> float:
    """A score. What is none (NaN, 50, text) is no score in a file either."""
    number = _number(value)
    if not 0 <= number <= 1:
        raise ValueError(f"a score of {number}")
    return number


def score_to(score: Score) -> dict[str, Any]:
    """What a judge said, as JSON."""
    return {
        "judge": score.judge,
        "scores": dict(score.scores),
        "quotes": [
            {"criterion": q.criterion, "turn": q.turn, "text": q.text, "verified": q.verified, "reason": q.reason}
            for q in score.quotes
        ],
        "says": score.says,
        "failure_mode": score.failure_mode,
        "raw": score.raw,
        "asks": score.asks,
        "usage": usage_to(score.usage),
        "model": score.model,
        "failure": _failure_to(score.failure),
    }


def score_from(data: Mapping[str, Any]) -> Score:
    """What a judge said, from JSON. Raises KeyError, TypeError or ValueError."""
    quotes = tuple(
        Quote(_text(q["criterion"]), _whole(q["turn"]), _text(q["text"]), _flag(q["verified"]), _text(q["reason"]))
        for q in _list(data["quotes"])
    )
    return Score(
        _text(data["judge"]), {_text(name): _share(value) for name, value in _mapping(data["scores"]).items()}, quotes,
        _maybe(data["says"], _text), _maybe(data["failure_mode"], _text), _text(data["raw"]), _whole(data["asks"]),
        _usage_from(data["usage"]), _maybe(data["model"], _text), _failure_from(data["failure"]),
    )  # fmt: skip


def _scores_from(data: Any) -> tuple[Score, ...]:
    found = tuple(score_from(score) for score in _list(data))
    if len({score.judge for score in found}) != len(found):
        raise ValueError("two scores of one judge")
    return found


def attempt_to(attempt: Attempt) -> dict[str, Any]:
    """An attempt as the line of a results file."""
    return {
        "t": "attempt",
        "n": attempt.n,
        "case": attempt.case,
        "cell": attempt.cell,
        "repeat": attempt.repeat,
        "started": attempt.started,
        "ms": attempt.ms,
        "sent": None if attempt.sent is None else list(attempt.sent),
        "delivered": attempt.delivered,
        "replies": [reply_to(reply) for reply in attempt.replies],
        "failure": _failure_to(attempt.failure),
        "scores": [score_to(score) for score in attempt.scores],
        "verdict": attempt.verdict,
        "findings": [
            {"by": f.by, "outcome": f.outcome, "turn": f.turn, "words": f.words, "why": f.why, "kind": f.kind}
            for f in attempt.findings
        ],
        "notes": list(attempt.notes),
    }


def attempt_from(data: Mapping[str, Any], plan: Plan) -> Attempt:
    """The line of an attempt as a record. Raises KeyError, TypeError, ValueError or IndexError otherwise."""
    spot = plan.at(_whole(data["n"]))
    if spot.n not in plan.numbers:
        raise ValueError(f"attempt {spot.n} is not in shard {plan.shard}")
    if (plan.cases[spot.case].case.id, spot.cell, spot.repeat) != (data["case"], data["cell"], data["repeat"]):
        raise ValueError(f"attempt {data['n']} is {data['case']!r} here, another one in the plan")
    sent = _maybe(data["sent"], _texts)
    if sent != plan.sent(spot):
        raise ValueError(f"attempt {spot.n} does not hold what the plan sends")
    return Attempt(
        spot.n, _text(data["case"]), spot.cell, spot.repeat, _text(data["started"]), _whole(data["ms"]),
        sent, _maybe(data["delivered"], _text),
        tuple(_reply_from(reply) for reply in _list(data["replies"])), _failure_from(data["failure"]),
        _scores_from(data["scores"]), _outcome(data["verdict"]),
        tuple(_finding_from(finding) for finding in _list(data["findings"])), _texts(data["notes"]),
    )  # fmt: skip


def _finding_from(data: Mapping[str, Any]) -> Finding:
    return Finding(
        _text(data["by"]), _outcome(data["outcome"]), _maybe(data["turn"], _whole), _maybe(data["words"], _text),
        _text(data["why"]), _maybe(data["kind"], _text),
    )  # fmt: skip


def _outcome(value: Any) -> Outcome:
    if value not in ("held", "broke", "undecided"):
        raise ValueError(f"the outcome {value!r}")
    outcome: Outcome = value
    return outcome


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_text(one) for one in _list(value))


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"a list expected, found {type(value).__name__}")
    return value


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"an object expected, found {type(value).__name__}")
    return value


def plan_head(plan: Plan) -> dict[str, Any]:
    """What the `run` line says of a plan."""
    return {
        "name": plan.name,
        "plan": plan.sha,
        "core": plan.core,
        "repeats": plan.repeats,
        "total_cases": plan.total,
        "attempts": len(plan),
        "narrowed": list(plan.narrowed),
        "skipped": [{"target": target, "reason": reason} for target, reason in plan.skipped],
        "cells": [{"target": c.target, "transform": c.transform, "params": dict(c.params)} for c in plan.cells],
        "left_out": [{"cell": cell, "reason": reason} for cell, reason in plan.left_out],
        "seed": plan.seed,
        "shard": None if plan.shard is None else [plan.shard.index, plan.shard.count],
        "panel": {
            "judges": list(plan.panel.judges),
            "agreement": plan.panel.agreement,
            "escalate": plan.panel.escalate,
        },
        "criteria": {name: one.model_dump(mode="json") for name, one in plan.criteria.items()},
        "rules": [
            {"sha": r.sha, "file": r.file, "line": r.line, "files": dict(r.files), "rule": _dumped(r.rule)}
            for r in plan.rules
        ],
    }


def _dumped(model: Rule | Case) -> dict[str, Any]:
    return model.model_dump(mode="json", exclude_unset=True)


def case_line(planned: PlannedCase) -> dict[str, Any]:
    """The `case` line: the case's own words, its hash, class and place."""
    return {
        "t": "case",
        "sha": planned.sha,
        "attack": planned.attack,
        "file": planned.file,
        "line": planned.line,
        "files": dict(planned.files),
        "sent": {name: list(turns) for name, turns in planned.sent.items()},
        "case": _dumped(planned.case),
    }


def plan_from(head: Mapping[str, Any], cases: Iterable[Mapping[str, Any]], files: Mapping[str, str]) -> Plan:
    """The plan of a results file. `case.files` maps a name in the case to the sha of a `file` line."""
    return Plan(
        name=head["name"],
        rules=tuple(
            PlannedRule(Rule.model_validate(one["rule"]), one["sha"], one["file"], one["line"], one["files"])
            for one in head["rules"]
        ),
        criteria={name: Criterion.model_validate(one) for name, one in head["criteria"].items()},
        cases=tuple(
            PlannedCase(
                Case.model_validate(one["case"]),
                one["sha"],
                one["attack"],
                one["file"],
                one["line"],
                one["files"],
                {_text(name): _texts(turns) for name, turns in _mapping(one.get("sent", {})).items()},
            )
            for one in cases
        ),
        cells=tuple(
            Cell(index, one["target"], one["transform"], one["params"]) for index, one in enumerate(head["cells"])
        ),
        repeats=head["repeats"],
        files=files,
        sha=head["plan"],
        core=head["core"],
        shard=None if head["shard"] is None else Shard(*head["shard"]),
        total=head["total_cases"],
        narrowed=tuple(head["narrowed"]),
        skipped=tuple((one["target"], one["reason"]) for one in head["skipped"]),
        left_out=tuple((one["cell"], one["reason"]) for one in head.get("left_out", ())),
        seed=head.get("seed", 0),
        panel=Panel(tuple(head["panel"]["judges"]), head["panel"]["agreement"], head["panel"]["escalate"]),
    )
