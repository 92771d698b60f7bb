"""Runs: names that exist, parameters that mean something, targets that can do what the cases need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from guardgate.backends.template import placeholders
from guardgate.checks import settings
from guardgate.decider import turns_of
from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.loaded import Loaded
from guardgate.model.project import CommandTarget, HttpTarget, Run, Target
from guardgate.plan import PlannedCase, cells, excluded
from guardgate.targets import find, known

#: Ways to write the attack text differently. Further ones come with sweeps.
TRANSFORMS = ("none",)
#: More combinations than this are a mistake, or an attack on whoever checks the file.
MAX_CELLS = 1_000

Found = Iterator[Problem]


def run_problems(loaded: Loaded, environ: Mapping[str, str]) -> Found:
    """What is wrong with one run."""
    for name, run in loaded.project.runs.items():
        path = ("runs", name)
        yield from _names(loaded.file, (*path, "targets"), run.targets, known(loaded.project, environ), "target")
        judges = known(loaded.project, environ, judge=True)
        yield from _names(loaded.file, (*path, "judges"), run.judges, judges, "judge")
        if run.escalate is not None:
            yield from _names(loaded.file, (*path, "escalate"), [run.escalate], judges, "judge", alone=True)
        yield from _names(loaded.file, (*path, "transforms"), run.transforms, TRANSFORMS, "transform")
        yield from _params(loaded, run, path, environ)
        yield from _cells(loaded.file, run, path)


def _names(
    file: str,
    path: tuple[Step, ...],
    names: Sequence[str],
    known_names: Sequence[str],
    what: str,
    *,
    alone: bool = False,
) -> Found:
    for number, name in enumerate(names):
        at = path if alone else (*path, number)
        if name not in known_names:
            yield Problem(
                file, at, f"the unknown {what} {name!r}", one_of(known_names),
                did_you_mean(name, known_names) + f"name a {what} that exists", f"unknown-{what}",
            )  # fmt: skip
        elif name in names[:number]:
            yield Problem(file, at, f"the {what} {name!r} a second time", f"each {what} once", "remove it", "twice")


def _params(loaded: Loaded, run: Run, path: tuple[Step, ...], environ: Mapping[str, str]) -> Found:
    for param in run.params:
        for name in dict.fromkeys(run.targets):
            target = find(loaded.project, name, environ)
            takes = _takes(target) if target is not None else [param]
            if param not in takes:
                hint = did_you_mean(param, takes)
                yield Problem(
                    loaded.file, (*path, "params", param),
                    f"the param {param!r}, which the target {name!r} does not have", one_of(takes),
                    f"{hint}set it under params of {name} first, or remove it here", "unknown-param", at_key=True,
                )  # fmt: skip


def _takes(target: Target) -> list[str]:
    """What a run may replace in a target."""
    return [*target.params, "system", *(["model"] if hasattr(target, "model") else [])]


def _cells(file: str, run: Run, path: tuple[Step, ...]) -> Found:
    allowed = ("target", "transform", *run.params)
    for number, rule in enumerate(run.exclude):
        for key in rule:
            if key not in allowed:
                yield Problem(
                    file, (*path, "exclude", number, key), f"the unknown key {key!r}", one_of(allowed),
                    did_you_mean(key, allowed) + "name a target, a transform or a param of the run", "unknown-key",
                    at_key=True,
                )  # fmt: skip
    size = len(run.targets) * len(run.transforms) * prod(map(len, run.params.values()))
    if size > MAX_CELLS:
        yield Problem(
            file, path, f"{size:,} combinations of targets, transforms and params", f"at most {MAX_CELLS:,}",
            "split the run", "too-many-cells", at_key=True,
        )  # fmt: skip
        return
    grid = cells(run.model_copy(update={"exclude": ()}), run.targets)
    for number, rule in enumerate(run.exclude):
        if set(rule) <= set(allowed) and not (rule and any(excluded(cell, rule) for cell in grid)):
            yield Problem(
                file, (*path, "exclude", number), "an entry that excludes nothing", "values of the run",
                "correct or remove it", "excludes-nothing",
            )  # fmt: skip
    if not cells(run, run.targets):
        yield Problem(
            file, (*path, "exclude"), "every combination excluded", "at least one that is left", "exclude less",
            "no-cell", at_key=True,
        )  # fmt: skip


def memory(loaded: Loaded, environ: Mapping[str, str]) -> Found:
    """Cases that need what a target of a run visibly cannot do: remember a turn, or show its tool calls."""
    for name, run in loaded.project.runs.items():
        for number, target_name in enumerate(run.targets):
            target = find(loaded.project, target_name, environ)
            if target is None:
                continue
            path = ("runs", name, "targets", number)
            yield from _forgets(loaded, target_name, target, path)
            yield from _hides_tools(loaded, target_name, target, path)


def _forgets(loaded: Loaded, name: str, target: Target, path: tuple[Step, ...]) -> Found:
    if _remembers(target):
        return
    long = next((one for one in loaded.cases if len(turns_of(one.case)) > 1), None)
    if long is not None:
        yield Problem(
            loaded.file, path, f"the target {name!r}, which cannot remember a turn, and cases with several turns, "
            f"such as {long.case.id!r} ({long.file}:{long.line})", "a request with {session} or {messages}",
            "add one of them to the request, or leave the target out of this run", "forgetful",
        )  # fmt: skip


def _remembers(target: Target) -> bool:
    """False where the settings show that nothing of an earlier turn can reach the service."""
    if isinstance(target, HttpTarget):
        return bool(placeholders(target.request) & {"session", "messages"})
    return not (isinstance(target, CommandTarget) and target.input == "text")


def _hides_tools(loaded: Loaded, name: str, target: Target, path: tuple[Step, ...]) -> Found:
    untraced = isinstance(target, HttpTarget) and target.tool_calls is None
    if not untraced:
        return
    needing = next((one for one in loaded.cases if _needs_trace(loaded, one)), None)
    if needing is not None:
        yield Problem(
            loaded.file, path, f"the target {name!r}, which does not show its tool calls, and cases that ask for them, "
            f"such as {needing.case.id!r} ({needing.file}:{needing.line})", "tool_calls: {path: ...} in the target",
            "say where the reply shows tool calls, or leave the target out of this run", "untraced",
        )  # fmt: skip


def _needs_trace(loaded: Loaded, planned: PlannedCase) -> bool:
    rule = next((one.rule for one in loaded.rules if one.rule.id == planned.case.rule), None)
    both = [planned.case.checks, *([rule.checks] if rule else [])]
    return any(kind == "tool_calls" for checks in both for kind, _, _ in settings(checks))
