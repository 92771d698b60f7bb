"""From a project and a choice to a plan. Nothing selected is refused, never an empty run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from guardgate.anchors import shipped_anchors
from guardgate.attacks import TABLE, canonical
from guardgate.criteria import known as known_criteria
from guardgate.decider import turns_of
from guardgate.errors import Refused, did_you_mean, one_of
from guardgate.framing import VERSION as FRAMING_VERSION
from guardgate.judging.panel import Panel
from guardgate.judging.question import PROMPT_VERSION
from guardgate.loaded import Loaded
from guardgate.model.constraints import Criterion
from guardgate.model.project import Limits, Run, Target
from guardgate.narrowing import OTHERS, SHARD, left_out_targets, narrowed_judges, narrowed_repeats, narrowed_targets
from guardgate.plan import Cell, Plan, PlannedCase, Shard, cells, excluded, grid
from guardgate.source import fingerprint
from guardgate.targets import WITH_MODEL, find, known
from guardgate.transforms import NONE, sent


@dataclass(frozen=True, slots=True)
class Choice:
    """What the command line narrows or replaces; empty: as the project says."""

    run: str = "default"
    targets: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()
    repeats: int | None = None
    concurrency: int | None = None
    calls: int | None = None
    cost_usd: float | None = None
    shard: Shard | None = None


def chosen_run(loaded: Loaded, choice: Choice, environ: Mapping[str, str]) -> Run:
    """The run with what the choice replaces. Raises Refused for an unknown run, target or judge."""
    run = loaded.project.runs.get(choice.run)
    if run is None and choice.run == "default" and choice.targets:
        run = Run(targets=choice.targets)
    if run is None:
        raise Refused(
            loaded.file, f"no run {choice.run!r}", one_of(loaded.project.runs),
            did_you_mean(choice.run, list(loaded.project.runs)) + "add it under runs, or name another one",
        )  # fmt: skip
    for what, names, judge in (("target", choice.targets, False), ("judge", choice.judges, True)):
        for name in names:
            if find(loaded.project, name, environ, judge=judge) is None:
                every = known(loaded.project, environ, judge=judge)
                todo = "set GUARDGATE_MODEL" if name in WITH_MODEL else f"name a {what} that exists"
                raise Refused(
                    f"--{what}", f"the unknown {what} {name!r}", one_of(every), did_you_mean(name, every) + todo
                )
    changes = {
        "targets": tuple(dict.fromkeys(choice.targets)) or None,
        "judges": tuple(dict.fromkeys(choice.judges)) or None,
        "repeats": choice.repeats,
        "concurrency": choice.concurrency,
        "limits": _bounded(run.limits, choice),
    }
    chosen = run.model_copy(update={key: value for key, value in changes.items() if value is not None})
    # Who is on the panel has voted: it does not decide once more what the panel left open.
    return chosen.model_copy(update={"escalate": None}) if chosen.escalate in chosen.judges else chosen


def _bounded(limits: Limits, choice: Choice) -> Limits:
    """The limits of the run, or the lower ones of the choice: nobody spends more by an option."""
    lower = {
        name: asked
        for name, asked in (("calls", choice.calls), ("cost_usd", choice.cost_usd))
        if asked is not None and asked < (getattr(limits, name) or float("inf"))
    }
    return limits.model_copy(update=lower)


def selected(loaded: Loaded, choice: Choice) -> tuple[tuple[PlannedCase, ...], tuple[str, ...]]:
    """The cases that the choice leaves, and the options that narrowed them. Raises Refused if one matches nothing."""
    rules = [planned.rule.id for planned in loaded.rules]
    classes = list(dict.fromkeys(case.attack for case in loaded.cases))
    wanted = {
        "case": _matching("case", choice.cases, [case.case.id for case in loaded.cases]),
        "rule": _matching("rule", choice.rules, rules),
        "attack": _matching(
            "attack", [canonical(word, classes) or word for word in choice.attacks], [*TABLE, *classes]
        ),
        "suite": _matching("suite", choice.suites, list(dict.fromkeys(case.file for case in loaded.cases))),
    }
    kept = tuple(
        case
        for case in loaded.cases
        if all(
            names is None or value in names
            for names, value in (
                (wanted["case"], case.case.id),
                (wanted["rule"], case.case.rule),
                (wanted["attack"], case.attack),
                (wanted["suite"], case.file),
            )
        )
    )
    if not kept:
        raise Refused(
            "the selection", "no case", "at least one case", "select less narrowly: an empty run proves nothing"
        )
    options = (("case", choice.cases), ("rule", choice.rules), ("attack", choice.attacks), ("suite", choice.suites))
    return kept, tuple(f"--{option} {word}" for option, words in options for word in words)


def _matching(option: str, patterns: Sequence[str], names: Sequence[str]) -> set[str] | None:
    """The names that the patterns (`*` allowed) mean; each pattern must mean at least one."""
    if not patterns:
        return None
    found: set[str] = set()
    for pattern in patterns:
        hits = {name for name in names if name == pattern or fnmatchcase(name, pattern)}
        if not hits:
            raise Refused(
                f"--{option}", f"{pattern!r}, which matches nothing", one_of(names),
                did_you_mean(pattern, names) + f"name a {option} of the project",
            )  # fmt: skip
        found |= hits
    return found


def plan(
    loaded: Loaded, choice: Choice, run: Run, environ: Mapping[str, str], skipped: Sequence[tuple[str, str]] = ()
) -> Plan:
    """The plan of a run, without the targets that were skipped. Raises Refused where nothing is left."""
    away = {name for name, _ in skipped}
    targets = tuple(name for name in run.targets if name not in away)
    if not targets:
        raise Refused("the run", "no target that is available", "at least one", "make one of its targets available")
    points = cells(run, targets)
    if not points:
        raise Refused("the run", "no cell", "at least one", "exclude less")
    cases, narrowed = selected(loaded, choice)
    said = loaded.project.runs.get(choice.run)
    cases = tuple(_written(loaded, case, points, run.seed) for case in cases)
    files = {
        key: loaded.files[key]
        for names in (*(case.files for case in cases), *(rule.files for rule in loaded.rules))
        for key in names.values()
    }
    panel = Panel(run.judges, run.agreement, run.escalate)
    core = fingerprint(
        {
            "cases": [case.sha for case in cases],
            "rules": [[rule.rule.id, rule.sha] for rule in loaded.rules],
            "targets": [target_sha(loaded, _found(loaded, name, environ)) for name in targets],
            "cells": [[cell.target, cell.transform, dict(cell.params), _prompt_sha(loaded, cell)] for cell in points],
            "repeats": run.repeats,
            **({"sent": written} if (written := [one.sent for one in cases if one.sent]) else {}),
        }
    )
    made = Plan(
        name=choice.run,
        rules=loaded.rules,
        criteria=_criteria(loaded, cases),
        cases=cases,
        cells=points,
        repeats=run.repeats,
        files=files,
        sha=plan_sha(core, panel, {name: judge_sha(loaded, name, environ) for name in asked(panel)}),
        core=core,
        panel=panel,
        total=len(loaded.cases),
        narrowed=(*narrowed, *_narrowed(said, choice)),
        shard=choice.shard,
        skipped=tuple(skipped),
        left_out=tuple(_left_out(run, away, left_out_targets(said, choice.targets))),
        seed=run.seed,
    )
    if not len(made):
        raise Refused(
            "the run", "no attempt: every case stays out of transformed cells", "at least one",
            "add `none` to transforms, or attacks that may be transformed",
        )  # fmt: skip
    if not made.numbers:
        raise Refused(SHARD, f"{choice.shard} of {len(made)} attempts", "a part with at least one", "make fewer shards")
    return made


def _written(loaded: Loaded, case: PlannedCase, points: Iterable[Cell], seed: int) -> PlannedCase:
    """The case with its turns as they go out in transformed cells. Raises Refused where a translation is missing."""
    names = dict.fromkeys(cell.transform for cell in points if cell.transform != NONE)
    if case.stays_plain is not None or not names:
        return case
    turns = turns_of(case.case)
    try:
        written = {name: sent(name, turns, seed, case.case.id, loaded.translations) for name in names}
    except KeyError as gap:
        raise Refused(
            f"{case.file}:{case.line}", f"the turn {str(gap.args[0])[:80]!r} without a translation",
            "every turn of a transformed case in the table", "add it, or give the case transform: false",
        ) from None  # fmt: skip
    return replace(case, sent=written)


def _narrowed(said: Run | None, choice: Choice) -> Iterator[str]:
    """The options that leave out something of what the run says, beside those that choose cases."""
    yield from narrowed_targets(said, choice.targets)
    yield from narrowed_judges(said, choice.judges)
    yield from narrowed_repeats(said, choice.repeats)
    if choice.shard is not None:
        yield f"{SHARD} {choice.shard}"


def _left_out(run: Run, away: Iterable[str], dropped: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The cells that the run names and that are not played, with the reason. `dropped`: by an option."""
    gone = {**dict.fromkeys(dropped, OTHERS), **dict.fromkeys(away, "target not available")}
    for cell in grid(run, tuple(dict.fromkeys((*run.targets, *gone)))):
        if any(excluded(cell, rule) for rule in run.exclude):
            yield cell.name, "exclude"
        elif cell.target in gone:
            yield cell.name, gone[cell.target]


def _prompt_sha(loaded: Loaded, cell: Cell) -> str | None:
    """Of the system prompt that a cell puts in the place of its target's own."""
    name = cell.params.get("system")
    return None if name is None else loaded.hashes[str(name)]


def _criteria(loaded: Loaded, cases: Iterable[PlannedCase]) -> dict[str, Criterion]:
    """What the criteria ask that rules and cases name."""
    every = known_criteria(loaded.constraints.criteria if loaded.constraints else {})
    settings = [rule.rule.judge for rule in loaded.rules] + [case.case.judge for case in cases]
    names = sorted({name for one in settings if one is not None for name in one.required_scores})
    return {name: every[name] for name in names}


def asked(panel: Panel) -> tuple[str, ...]:
    """Every judge that may be asked."""
    more = () if panel.escalate is None else (panel.escalate,)
    return tuple(dict.fromkeys((*panel.judges, *more)))


def plan_sha(core: str, panel: Panel, judges: Mapping[str, str]) -> str:
    """The hash of a plan: its core (cases, rules, targets, cells, repeats) and its judges."""
    return fingerprint({"core": core, "judges": dict(judges), "panel": [panel.judges, panel.agreement, panel.escalate]})


def judge_sha(loaded: Loaded, name: str, environ: Mapping[str, str]) -> str:
    """Covers a judge's settings, the version of the prompt, and the anchors."""
    anchors = [anchor.model_dump(mode="json") for anchor in (*shipped_anchors(), *loaded.anchors, *loaded.lent_anchors)]
    settings = target_sha(loaded, _found(loaded, name, environ, judge=True))
    return fingerprint({"settings": settings, "prompt": PROMPT_VERSION, "anchors": anchors})


def _found(loaded: Loaded, name: str, environ: Mapping[str, str], *, judge: bool = False) -> Target:
    target = find(loaded.project, name, environ, judge=judge)
    assert target is not None, name  # noqa: S101 - chosen_run and lint refused unknown names
    return target


#: Settings that do not change what a target says.
_NOT_IDENTITY = frozenset({"price", "concurrency", "max_rpm", "optional", "family"})


def target_sha(loaded: Loaded, target: Target) -> str:
    """Covers the settings, with `${NAME}` unexpanded, and the system file and script; not limits or prices."""
    settings = {key: value for key, value in identity(target).items() if key not in _NOT_IDENTITY}
    named = [getattr(target, key, None) for key in ("system", "script")]
    hashes = {name: loaded.hashes[name] for name in named if name}
    return fingerprint({"settings": settings, "files": hashes, "framing": FRAMING_VERSION})


def identity(target: Target) -> dict[str, object]:
    """The settings as written, with `${NAME}` unexpanded: safe to store."""
    return target.model_dump(mode="json", exclude_unset=True)


def uncovered(before: Plan, after: Plan) -> tuple[str, ...]:
    """Rules that were attempted in one plan and are not in the other."""
    left = {case.case.rule for case in after.cases if any(after.planned(case.case.rule, c.index) for c in after.cells)}
    return tuple(dict.fromkeys(case.case.rule for case in before.cases if case.case.rule not in left))


def reconstrained(stored: Plan, loaded: Loaded) -> Plan:
    """A stored plan under new severities, thresholds and floors. Raises Refused where a rule itself changed."""
    new = {planned.rule.id: planned for planned in loaded.rules}
    changed = [one.rule.id for one in stored.rules if one.rule.id not in new or new[one.rule.id].sha != one.sha]
    attacked = {case.case.rule for case in stored.cases}
    changed = [rule for rule in changed if rule in attacked]
    if changed:
        raise Refused(
            "--constraints", f"a changed statement, criteria or checks of {', '.join(changed)}",
            "the rules that the run played; only severity, threshold and floors may differ",
            "play the run again: `guardgate run`",
        )  # fmt: skip
    rules = tuple(replace(new[one.rule.id], files=one.files) if one.rule.id in new else one for one in stored.rules)
    return replace(stored, rules=rules)
