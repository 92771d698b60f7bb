"""Runs: names that exist, parameters that mean something, a grid with something in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.loaded import Loaded
from guardgate.model.project import Run, Target
from guardgate.plan import cells, excluded, same_value
from guardgate.targets import find, known
from guardgate.transforms import known as known_transforms

#: More combinations than this are a mistake, or an attack on whoever checks the file.
MAX_CELLS = 1_000

Found = Iterator[Problem]


def run_problems(loaded: Loaded, environ: Mapping[str, str]) -> Found:
    """What is wrong with one run."""
    for name, run in loaded.project.runs.items():
        path = ("runs", name)
        transforms = known_transforms(loaded.project.translations)
        yield from _names(loaded.file, (*path, "targets"), run.targets, known(loaded.project, environ), "target")
        judges = known(loaded.project, environ, judge=True)
        yield from _names(loaded.file, (*path, "judges"), run.judges, judges, "judge")
        if run.escalate is not None:
            yield from _names(loaded.file, (*path, "escalate"), [run.escalate], judges, "judge", alone=True)
            if run.escalate in run.judges:
                yield Problem(
                    loaded.file, (*path, "escalate"), f"the judge {run.escalate!r}, which is on the panel already",
                    "a judge that has not voted", "name another judge, or remove escalate", "escalate-twice",
                )  # fmt: skip
        yield from _names(loaded.file, (*path, "transforms"), run.transforms, transforms, "transform")
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
    for param, values in run.params.items():
        for number, value in enumerate(values):
            if any(same_value(value, before) for before in values[:number]):
                yield Problem(
                    loaded.file, (*path, "params", param, number), f"the value {value!r} a second time",
                    "each value once", "remove it", "twice",
                )  # fmt: skip
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
    return [*target.params, "system", "framing", *(["model"] if hasattr(target, "model") else [])]


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
    if not run.transforms:
        yield Problem(
            file, (*path, "transforms"), "an empty list", "at least one transform", "write [none], or remove the key",
            "no-cell",
        )  # fmt: skip
        return
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
