"""Cases: unique ids, known rules and classes, something that decides, floors that are not lowered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.attacks import ALIASES, TABLE, canonical
from guardgate.checks import faults, settings
from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.lint.rules import as_problem, criteria_names, unknown_criteria
from guardgate.loaded import Loaded
from guardgate.model.constraints import Rule
from guardgate.model.suite import Case
from guardgate.normalize import fold
from guardgate.plan import PlannedCase

Found = Iterator[Problem]


def _each(loaded: Loaded) -> Iterator[tuple[PlannedCase, tuple[Step, ...]]]:
    return zip(loaded.cases, loaded.case_paths, strict=True)


def duplicate_ids(loaded: Loaded, _environ: Mapping[str, str]) -> Found:
    """The same id twice, in one file or in two."""
    first: dict[str, PlannedCase] = {}
    for planned, path in _each(loaded):
        earlier = first.setdefault(planned.case.id, planned)
        if earlier is not planned:
            yield Problem(
                planned.file, (*path, "id"), f"the case id {planned.case.id!r} a second time", "each id once",
                f"rename it; the first one is at {earlier.file}:{earlier.line}", "duplicate-case",
            )  # fmt: skip
    for suite in dict.fromkeys(name for name, one in loaded.documents.items() if _is_empty_suite(one.data)):
        yield Problem(suite, ("cases",), "a suite without cases", "at least one case", "add a case", "empty-suite")


def _is_empty_suite(data: object) -> bool:
    return isinstance(data, dict) and data.get("cases") == []


def case_problems(loaded: Loaded, _environ: Mapping[str, str]) -> Found:
    """What is wrong with one case, alone and against its rule."""
    rules = {planned.rule.id: planned.rule for planned in loaded.rules}
    attack_of = {planned.case.id: planned for planned in loaded.cases}
    criteria = criteria_names(loaded.constraints.criteria) if loaded.constraints else None
    for planned, path in _each(loaded):
        case, file = planned.case, planned.file
        yield from _shape(case, file, path)
        yield from _class(planned, loaded, path)
        yield from _twin(planned, attack_of, path)
        texts = {name: loaded.files[key] for name, key in planned.files.items()}
        for fault in faults(case.checks, texts):
            yield as_problem(fault, file, (*path, "checks"), "check")
        if criteria is not None:
            yield from unknown_criteria(case.judge, criteria, file, path)
        rule = rules.get(case.rule)
        if rule is not None:
            yield from _against_rule(planned, rule, path)
        elif loaded.known_rules:
            yield from _unknown_rule(case, file, path, loaded.known_rules)


def _unknown_rule(case: Case, file: str, path: tuple[Step, ...], known: tuple[str, ...]) -> Found:
    if case.rule not in known:
        yield Problem(
            file, (*path, "rule"), f"the unknown rule {case.rule!r}", one_of(known),
            did_you_mean(case.rule, known) + "correct the id; if the promise is missing, that is a finding about the "
            "constraints file: write the rule there first", "unknown-rule",
        )  # fmt: skip


def _shape(case: Case, file: str, path: tuple[Step, ...]) -> Found:
    """Turns for a conversation, or task and document for an agent that reads."""
    document = [name for name in ("agent", "task", "document") if getattr(case, name) is not None]
    if not document and not case.turns:
        yield Problem(
            file, path, f"the case {case.id!r} without turns", "turns (a conversation), or agent, task and document",
            "write what the user says under turns", "no-turns",
        )  # fmt: skip
    if document and len(document) < 3:
        missing = [name for name in ("agent", "task", "document") if name not in document]
        yield Problem(
            file, path, f"{' and '.join(document)} without {' and '.join(missing)}",
            "agent, task and document together",
            f"add {', '.join(missing)}, or remove {', '.join(document)}", "half-document",
        )  # fmt: skip


def _class(planned: PlannedCase, loaded: Loaded, path: tuple[Step, ...]) -> Found:
    word = planned.case.attack
    if canonical(word, loaded.project.attacks) is None:
        channels = ("benign", "conversation" if planned.case.document is None else "document")
        fitting = [row.name for row in TABLE.values() if row.channel in channels]
        known = [*TABLE, *loaded.project.attacks, *ALIASES]
        yield Problem(
            planned.file, (*path, "attack"), f"the unknown attack class {word!r}",
            one_of([*loaded.project.attacks, *fitting], 30), did_you_mean(word, known) + "use a class of the table, or "
            "declare it under attacks in the project file", "unknown-attack",
        )  # fmt: skip


def _twin(planned: PlannedCase, by_id: Mapping[str, PlannedCase], path: tuple[Step, ...]) -> Found:
    twin = planned.case.twin_of
    if twin is None:
        return
    if twin not in by_id:
        yield Problem(
            planned.file, (*path, "twin_of"), f"the unknown case {twin!r}", "the id of an attack",
            did_you_mean(twin, list(by_id)) + "correct the id", "unknown-twin",
        )  # fmt: skip
    elif by_id[twin].benign:
        yield Problem(
            planned.file, (*path, "twin_of"), f"{twin!r}, which is benign itself", "the id of an attack",
            "name the attack of which this case is the harmless twin", "twin-benign",
        )  # fmt: skip
    if not planned.benign:
        yield Problem(
            planned.file, (*path, "twin_of"), f"a twin of the class {planned.case.attack!r}", "attack: benign",
            "a twin is harmless: set attack: benign, or remove twin_of", "twin-class",
        )  # fmt: skip


def _against_rule(planned: PlannedCase, rule: Rule, path: tuple[Step, ...]) -> Found:
    case, file = planned.case, planned.file
    both = [spec for checks in (rule.checks, case.checks) for spec in settings(checks)]
    floors = rule.judge.required_scores if rule.judge else {}
    own = case.judge.required_scores if case.judge else {}
    if not both and not floors and not own:
        yield Problem(
            file, path, f"the case {case.id!r}, which nothing can decide",
            "a check or a criterion, here or in its rule",
            f"add checks to the case or to the rule {rule.id!r}", "undecidable",
        )  # fmt: skip
    for name, floor in own.items():
        if name in floors and floor < floors[name]:
            yield Problem(
                file, (*path, "judge", "required_scores", name),
                f"the floor {floor:g}, lower than the {floors[name]:g} of rule {rule.id!r}",
                "a floor that is not lower: cases raise floors, the constraints file sets them",
                "raise it, or remove it here", "lowered-floor",
            )  # fmt: skip
    threshold = rule.judge.pass_threshold if rule.judge else None
    mine = case.judge.pass_threshold if case.judge else None
    if threshold is not None and mine is not None and mine < threshold:
        yield Problem(
            file, (*path, "judge", "pass_threshold"),
            f"the pass_threshold {mine:g}, lower than the {threshold:g} of rule {rule.id!r}",
            "a threshold that is not lower", "raise it, or remove it here", "lowered-floor",
        )  # fmt: skip
    yield from _typed_canaries(case, rule, file, path)


def _said(case: Case) -> Iterator[tuple[tuple[Step, ...], str]]:
    """What the user says, with its place in the case."""
    if case.task is not None:
        yield ("task",), case.task
    for number, turn in enumerate(case.turns):
        yield ("turns", number), turn


def _typed_canaries(case: Case, rule: Rule, file: str, path: tuple[Step, ...]) -> Found:
    """A canary in the user's own words: a bot that repeats them would look like one that leaks."""
    canaries = [spec for checks in (rule.checks, case.checks) for kind, _, spec in settings(checks) if kind == "canary"]
    for value in (value for spec in canaries for value in spec.values):
        for below, text in _said(case):
            if fold(value) in fold(text):
                yield Problem(
                    file, (*path, *below), f"the canary {value!r} in the user's own words",
                    "a secret that the user never types", "take it out of the turn, or use another canary",
                    "typed-canary", "warning",
                )  # fmt: skip
                break
