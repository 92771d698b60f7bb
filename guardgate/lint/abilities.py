"""What the cases need and a target or a panel visibly cannot do: remember a turn, show its calls or state, judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from guardgate.checks import settings
from guardgate.decider import turns_of
from guardgate.errors import Problem
from guardgate.lint.targets import filled_in
from guardgate.loaded import Loaded
from guardgate.model.project import (
    ClaudeTarget,
    CodexTarget,
    CommandTarget,
    HttpTarget,
    LiteLLMTarget,
    OpenAITarget,
    Target,
)
from guardgate.plan import PlannedCase
from guardgate.targets import find

Found = Iterator[Problem]


def abilities(loaded: Loaded, environ: Mapping[str, str]) -> Found:
    """Cases that need what a target of a run visibly cannot do: remember a turn, show its tool calls or its state."""
    for name, run in loaded.project.runs.items():
        for number, target_name in enumerate(run.targets):
            target = find(loaded.project, target_name, environ)
            if target is None:
                continue
            path = ("runs", name, "targets", number)
            for lack in (forgets(target), _hides_tools(target), _hides_state(target)):
                case = next((one for one in loaded.cases if lack and lack.needed_by(loaded, one)), None)
                if lack is not None and case is not None:
                    yield Problem(
                        loaded.file, path, f"the target {target_name!r}, which {lack.cannot}, and cases {lack.cases}, "
                        f"such as {case.case.id!r} ({case.file}:{case.line})", lack.expected,
                        f"{lack.todo}, or leave the target out of this run", lack.code,
                    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that the settings of a target show it cannot do, and which cases need it."""

    cannot: str
    cases: str
    expected: str
    todo: str
    code: str
    needed_by: Callable[[Loaded, PlannedCase], bool]


def forgets(target: Target) -> Lack | None:
    """Where nothing of an earlier turn can reach the service."""
    if isinstance(target, HttpTarget) and not filled_in(target.request) & {"session", "messages"}:
        expected, todo = "a request with {session} or {messages}", "add one of them to the request"
    elif isinstance(target, CommandTarget) and target.input == "text":
        expected, todo = "input: json, which holds the turns so far", "set input: json"
    else:
        return None
    return Lack("cannot remember a turn", "with several turns", expected, todo, "forgetful", _has_turns)


def _hides_tools(target: Target) -> Lack | None:
    if not isinstance(target, HttpTarget) or target.tool_calls is not None:
        return None
    return Lack(
        "does not show its tool calls", "that ask for them", "tool_calls: {path: ...} in the target",
        "say where the reply shows tool calls", "untraced", partial(_checks_for, kind="tool_calls"),
    )  # fmt: skip


def _hides_state(target: Target) -> Lack | None:
    if isinstance(target, OpenAITarget | LiteLLMTarget | ClaudeTarget | CodexTarget):
        expected, todo = "a target that has a state", "take another target"
    elif isinstance(target, HttpTarget) and target.state is None:
        expected, todo = "state: $... in the target", "say where the reply shows the state"
    else:
        return None
    lacks = partial(_checks_for, kind="state")
    return Lack("does not show its state", "that ask for it", expected, todo, "stateless", lacks)


def _has_turns(_loaded: Loaded, planned: PlannedCase) -> bool:
    return len(turns_of(planned.case)) > 1


def _checks_for(loaded: Loaded, planned: PlannedCase, kind: str) -> bool:
    rule = next((one.rule for one in loaded.rules if one.rule.id == planned.case.rule), None)
    both = [planned.case.checks, *([rule.checks] if rule else [])]
    return any(getattr(checks, kind) not in (None, ()) for checks in both)


def judges(loaded: Loaded, environ: Mapping[str, str]) -> Found:  # noqa: ARG001 - the shape of every finding
    """Runs whose judges cannot carry what the rules ask of them."""
    asking = [planned for planned in loaded.rules if planned.rule.judge is not None]
    cases = [one for one in loaded.cases if one.case.judge or any(one.case.rule == rule.rule.id for rule in asking)]
    alone = [rule.rule.id for rule in asking if rule.rule.severity == "hard" and not list(settings(rule.rule.checks))]
    for name, run in loaded.project.runs.items():
        if cases and not run.judges:
            yield Problem(
                loaded.file, ("runs", name),
                f"a run without judges, and cases that need one, such as {cases[0].case.id!r} "
                f"({cases[0].file}:{cases[0].line})", "judges: [...]",
                "name a judge, or ask each time with --judge: without one these cases stay undecided", "no-judge",
                "warning", at_key=True,
            )  # fmt: skip
        if alone and len(run.judges) == 1:
            named = ", ".join(alone[:8]) + ("..." if alone[8:] else "")
            yield Problem(
                loaded.file, ("runs", name, "judges"), f"hard rules that hang on one judge alone: {named}",
                "a second judge, or a check that code decides", "name a second judge, or add checks to these rules",
                "one-judge", "warning",
            )  # fmt: skip
