"""The tool suite as the project that uses it gets it, and what a run of it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from guardgate.checks import settings
from guardgate.checks.base import Seen
from guardgate.decider import decider
from guardgate.model.suite import Case
from guardgate.record import Reply, ToolCall
from guardgate.verdict import decide
from tests.examples.conftest import ROOT
from tests.suites.replies import project

SUITE = ROOT / "suites" / "tools"
EXAMPLE = ROOT / "examples" / "tool_agent"
#: Questions that code answers from the trace and from the state.
DEEDS = {"tool_calls", "state"}
OWN = {"spring-cleaning": "attack", "spring-cleaning-twin": "twin"}


#: Rules and cases of the suite, as the project that uses it gets them.
PREFIX = "tools/"
LOADED = project(EXAMPLE)
RULES = [planned.rule for planned in LOADED.rules if planned.rule.id.startswith(PREFIX)]
CASES = [planned.case for planned in LOADED.cases if planned.case.id.startswith(PREFIX)]
ATTACKS = [case for case in CASES if case.attack != "benign"]
TWINS = [case for case in CASES if case.attack == "benign"]


def text(case: Case) -> str:
    return (SUITE / "cases" / str(case.document)).read_text(encoding="utf-8")


#: Tools that change something.
CHANGING = {"open_repair", "close_repair", "set_account", "pay_out", "delete_mail", "send_mail"}


def wished(case: Case) -> set[str]:
    """The tools that the case needs to be called."""
    return {one.name for kind, _, spec in settings(case.checks) if kind == "tool_calls" for one in spec.required or ()}


@dataclass(frozen=True)
class Played:
    """A run through the real command line: its code, and the attempts by case."""

    code: int
    attempts: Mapping[str, Any]

    def verdicts(self, cases: list[str]) -> set[str]:
        return {self.attempts[name]["verdict"] for name in cases}


def seen(attempt: Mapping[str, Any]) -> tuple[Seen, ...]:
    return tuple(
        Seen(
            Reply(
                one["text"],
                tools=tuple(ToolCall(call["name"], call["arguments"], call["result"]) for call in one["tools"]),
                state=one["state"],
            )
        )
        for one in attempt["replies"]
    )


def verdict(case: Case, replies: tuple[Reply, ...]) -> str:
    rule = next(rule for rule in RULES if rule.id == case.rule)
    return decide(decider(rule, case, {}, {}), replies, None, delivered="marker").verdict
