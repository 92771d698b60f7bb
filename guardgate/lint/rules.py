"""Rules: their checks, criteria, sources, and whether anything attacks them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from guardgate.checks import faults
from guardgate.checks.base import Fault
from guardgate.criteria import known
from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.lint.headings import anchors
from guardgate.loaded import MAX_NAMED, Loaded
from guardgate.model.constraints import Criterion
from guardgate.model.suite import JudgeSettings
from guardgate.plan import PlannedRule
from guardgate.reader import folder_of, missing
from guardgate.shipped import top_of
from guardgate.source import Reason, inside, read_text


def as_problem(fault: Fault, file: str, path: tuple[Step, ...], code: str) -> Problem:
    """A fault inside the settings of a check, at its place in the file."""
    return Problem(
        file, (*path, *fault.path), fault.found, fault.expected, fault.todo,
        fault.warning or code, "warning" if fault.warning else "error",
    )  # fmt: skip


def unknown_criteria(
    judge: JudgeSettings | None, names: list[str], file: str, path: tuple[Step, ...]
) -> Iterator[Problem]:
    """Criteria that are asked for and defined nowhere."""
    for name in judge.required_scores if judge else {}:
        if name not in names:
            yield Problem(
                file, (*path, "judge", "required_scores", name), f"the unknown criterion {name!r}", one_of(names),
                did_you_mean(name, names) + "define it under criteria in the constraints file", "unknown-criterion",
                at_key=True,
            )  # fmt: skip


def criteria_names(own: Mapping[str, Criterion]) -> list[str]:
    """The criteria that can be asked for: first those of the project, then those that ship."""
    return list(dict.fromkeys((*own, *known(own))))


def rule_problems(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """What is wrong with one rule."""
    constraints = loaded.constraints
    if constraints is None:
        return
    headings, names = _Headings(loaded), criteria_names(constraints.criteria)
    if constraints.persona is not None:
        yield from headings.file_problem(constraints.persona, constraints.file, ("persona",))
    for planned, path in zip(loaded.rules, loaded.rule_paths, strict=True):
        for fault in faults(planned.rule.checks, _texts(loaded, planned)):
            yield as_problem(fault, planned.file, (*path, "checks"), "check")
        yield from unknown_criteria(planned.rule.judge, names, planned.file, path)
        if planned.rule.source is not None:
            yield from headings.problem(planned.rule.source, planned.file, (*path, "source"))


def _texts(loaded: Loaded, planned: PlannedRule) -> dict[str, str]:
    return {name: loaded.files[key] for name, key in planned.files.items()}


class _Headings:
    """The headings of the Markdown files that sources point at; each file is read once."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._anchors: dict[tuple[Path, str], list[str] | Reason] = {}

    def _of(self, name: str, file: str) -> list[str] | Reason:
        base = folder_of(self._loaded.root, file)
        if (base, name) not in self._anchors:
            place = inside(top_of(self._loaded.root, file), base, name, MAX_NAMED)
            text = read_text(Path(place), MAX_NAMED) if not isinstance(place, Reason) else place
            self._anchors[base, name] = text if isinstance(text, Reason) else anchors(text)
        return self._anchors[base, name]

    def file_problem(self, name: str, file: str, path: tuple[Step, ...]) -> Iterator[Problem]:
        """The Markdown file does not exist or cannot be read."""
        found = self._of(name, file)
        if isinstance(found, Reason):
            top, base = top_of(self._loaded.root, file), folder_of(self._loaded.root, file)
            yield missing(file, path, "Markdown file", name, found, top, base)

    def problem(self, source: str, file: str, path: tuple[Step, ...]) -> Iterator[Problem]:
        """The source's file or its heading does not exist."""
        name, sign, anchor = source.partition("#")
        if not name.strip() or (sign and not anchor.strip()):
            yield Problem(
                file, path, f"the source {source!r}", "FILE.md#heading, or FILE.md",
                "name the file, and the heading as it stands in a link", "source",
            )  # fmt: skip
            return
        yield from self.file_problem(name, file, path)
        found = self._of(name, file)
        if anchor and not isinstance(found, Reason) and anchor not in found:
            yield Problem(
                file, path, f"{anchor!r}, which is no heading of {name}", one_of(found),
                did_you_mean(anchor, found) + "name a heading, as it stands in a link", "unknown-anchor",
            )  # fmt: skip


def not_attacked(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """Rules that no case attacks: nothing is proved about them."""
    attacked = {planned.case.rule for planned in loaded.cases}
    for planned, path in zip(loaded.rules, loaded.rule_paths, strict=True):
        if loaded.all_cases_read and planned.rule.id not in attacked:
            yield Problem(
                planned.file, path, f"the rule {planned.rule.id!r}, which no case attacks", "at least one case",
                f"write a case with rule: {planned.rule.id}", "not-attacked", "warning",
            )  # fmt: skip
