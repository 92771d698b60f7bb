"""Transforms of runs: a translation for every turn, and a target that remembers where one turn becomes several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.decider import turns_of
from guardgate.errors import Problem, Step
from guardgate.lint.abilities import forgets
from guardgate.loaded import Loaded
from guardgate.model.project import Run
from guardgate.plan import cells
from guardgate.targets import find
from guardgate.transforms import TABLE, TRANSLATION

Found = Iterator[Problem]


def transformed(loaded: Loaded, environ: Mapping[str, str]) -> Found:
    """What a run's transforms need and the project does not have."""
    for name, run in loaded.project.runs.items():
        for number, transform in enumerate(run.transforms):
            path: tuple[Step, ...] = ("runs", name, "transforms", number)
            if transform in TABLE and TABLE[transform].adds_turns:
                yield from _forgetful(loaded, run, path, environ)
            if transform.removeprefix(TRANSLATION) in loaded.translations and transform.startswith(TRANSLATION):
                yield from _untranslated(loaded, transform.removeprefix(TRANSLATION), path)


def _forgetful(loaded: Loaded, run: Run, path: tuple[Step, ...], environ: Mapping[str, str]) -> Found:
    transform = run.transforms[int(path[-1])]
    met = {cell.target for cell in cells(run, run.targets) if cell.transform == transform}
    for name in (name for name in run.targets if name in met):
        target = find(loaded.project, name, environ)
        lack = None if target is None else forgets(target)
        if lack is not None:
            yield Problem(
                loaded.file, path, f"the transform {transform!r}, which makes several turns of "
                f"one, and the target {name!r}, which {lack.cannot}", lack.expected,
                f"{lack.todo}, or exclude the two together", "forgetful",
            )  # fmt: skip


def _untranslated(loaded: Loaded, name: str, path: tuple[Step, ...]) -> Found:
    table = loaded.translations[name]
    gaps = [
        (case, turn)
        for case in loaded.cases
        if case.stays_plain is None
        for turn in turns_of(case.case)
        if turn not in table
    ]
    if gaps:
        case, turn = gaps[0]
        yield Problem(
            loaded.file, path, f"{len(gaps)} turns without a translation in {loaded.project.translations[name]}, "
            f"first {turn[:60]!r} of {case.case.id!r} ({case.file}:{case.line})", "every turn, letter by letter",
            "add them, or give these cases transform: false", "untranslated",
        )  # fmt: skip
