"""From files to a project: everything that a run needs, or every problem of every file at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from guardgate import salvage, schema
from guardgate.constraints import MARKS, Readable, readable
from guardgate.entries import cases_of, rules_of
from guardgate.errors import Problem, Step
from guardgate.lending import lent, with_criteria
from guardgate.loaded import Loaded
from guardgate.model.anchors import Anchor, AnchorsFile
from guardgate.model.project import Project, UseSuite
from guardgate.model.script import Script
from guardgate.model.translations import Translations
from guardgate.reader import Reader
from guardgate.shipped import PREFIX
from guardgate.source import Document, sha256

PROJECT_FILE = "guardgate.yaml"


def load(
    project: Path, constraints: Document | None = None, settings: Path | None = None
) -> tuple[Loaded | None, list[Problem]]:
    """Read a project file (or the one in a folder) and all that it names. `constraints` replaces its rules.

    `settings`: another project file, whose targets and judges count instead of its own.

    Returns what could be read, and every problem so far; None where not even the project file can be used.
    """
    path = project / PROJECT_FILE if project.is_dir() else project
    reader = Reader(Path(path).resolve().parent)
    document = reader.document(path.resolve(), ("targets", "judges", "runs", "suites"))
    if document is None:
        return None, reader.problems
    model = reader.model("project", Project, document)
    whole = model is not None
    model = model or salvage.project(document.data)
    if model is None:
        return None, reader.problems
    if settings is not None:
        other = reader.document(settings.resolve(), ("targets", "judges"))
        trusted = reader.model("project", Project, other) if other is not None else None
        if trusted is None:
            return None, reader.problems
        model = model.model_copy(update={"targets": trusted.targets, "judges": trusted.judges})
    rules = reader.keep(constraints) if constraints else _constraints_document(reader, model.constraints, document)
    loaded = _load_rest(reader, document, model, rules)
    return (loaded if whole else replace(loaded, all_cases_read=False)), reader.problems


def _constraints_document(reader: Reader, name: str, project: Document) -> Document | None:
    if not name:  # the project file is faulty there
        return None
    place = reader.place(reader.root, name, project.file, ("constraints",), "constraints file")
    return None if place is None else reader.document(place, MARKS)


def _load_rest(reader: Reader, document: Document, project: Project, rules_document: Document | None) -> Loaded:
    rules_read = _constraints(reader, rules_document) if rules_document is not None else None
    rules = tuple(rules_of(reader, rules_read)) if rules_read else ()
    known_rules = tuple(_ids(rules_document.data)) if rules_document is not None else ()
    faults_before = len(reader.problems)
    suites = list(_suites(reader, project, document))
    pairs = list(cases_of(reader, project.attacks, suites))
    soft = {one.rule.id for one in rules if one.rule.severity == "soft"}
    borrowed = lent(reader, project.suites, document.file, known_rules, soft)
    all_cases_read = len(reader.problems) == faults_before
    scripts = _systems(reader, project, document.file)
    anchors = tuple(_anchors(reader, project, document.file))
    translations = dict(_translations(reader, project, document.file))
    return Loaded(
        root=reader.root,
        file=document.file,
        project=project,
        constraints=with_criteria(reader, rules_read.constraints, borrowed.criteria) if rules_read else None,
        rules=(*rules, *borrowed.rules),
        cases=(*(case for case, _ in pairs), *borrowed.cases),
        files=reader.files,
        hashes=_hashes(reader),
        documents=reader.documents,
        case_paths=(*(path for _, path in pairs), *borrowed.case_paths),
        rule_paths=(
            *(("rules", number) for number in (rules_read.numbers if rules_read else ())),
            *borrowed.rule_paths,
        ),
        known_rules=(*known_rules, *(one.rule.id for one in borrowed.rules)),
        all_cases_read=all_cases_read,
        scripts=scripts,
        anchors=anchors,
        lent_anchors=borrowed.anchors,
        beside_checks=frozenset(borrowed.judged),
        translations=translations,
    )


def _anchors(reader: Reader, project: Project, file: str) -> Iterator[Anchor]:
    """The anchors of the project; those that ship are read where a judge is tested."""
    own = project.anchors.file if project.anchors else None
    if own is None:
        return
    place = reader.place(reader.root, own, file, ("anchors", "file"), "anchors file")
    found = reader.document(place, ("anchors",)) if place is not None else None
    mine = reader.model("anchors", AnchorsFile, found) if found is not None else None
    yield from mine.anchors if mine is not None else ()


def _translations(reader: Reader, project: Project, file: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    for name, own in project.translations.items():
        place = reader.place(reader.root, own, file, ("translations", name), "translations file")
        found = reader.document(place, ("turns",)) if place is not None else None
        model = reader.model("translations", Translations, found) if found is not None else None
        if model is not None:
            yield name, model.turns


def _hashes(reader: Reader) -> dict[str, str]:
    """Of all that was read; scripts also by the name that the project file gives them."""
    found = {name: one.sha256 for name, one in reader.documents.items()}
    found |= {name: sha256(text) for name, text in reader.files.items()}
    return found | {name: found[key] for name, key in reader.also.items() if key in found}


def _constraints(reader: Reader, document: Document) -> Readable:
    """The rules, also of a file with faults."""
    found = readable(document)
    reader.problems += found.problems
    if not found.problems:
        reader.problems += schema.refused("constraints", document.data, document.file)
    return found


def _ids(data: Any) -> Iterator[str]:
    rules = data.get("rules") if isinstance(data, dict) else None
    for rule in rules if isinstance(rules, list) else []:
        if isinstance(rule, dict) and isinstance(rule.get("id"), str):
            yield rule["id"]


def _suites(reader: Reader, project: Project, document: Document) -> Iterator[Document]:
    for path in _suite_paths(reader, project.suites, document.file):
        suite = reader.document(path, ("cases",))
        if suite is not None:
            yield suite


def _suite_paths(reader: Reader, patterns: Iterable[str | UseSuite], file: str) -> list[Path]:
    """The suite files in a stable order. What a pattern leaves out is a problem, never silence."""
    paths: dict[Path, None] = {}
    for index, pattern in enumerate(patterns):
        if isinstance(pattern, UseSuite) or pattern.startswith(PREFIX):
            continue  # a suite that ships
        found = _glob(reader.root, pattern)
        outside = [path for path in found if not path.resolve().is_relative_to(reader.root)]
        what = f"which finds {reader.name(outside[0])}, and that leads out of the project" if outside else ""
        if not found:
            what = "which finds no file" if _stays_inside(pattern) else "which leads out of the project"
        if what:
            reader.problems.append(_finds_nothing(file, index, f"the pattern {pattern!r}, {what}"))
        paths.update(dict.fromkeys(path for path in found if path not in outside))
    return list(paths)


def _finds_nothing(file: str, index: int, found: str) -> Problem:
    todo = "correct the pattern (it is relative to this file, * and ** are wildcards), or add a suite"
    return Problem(file, ("suites", index), found, "suite files inside the project", todo, "no-suite")


def _stays_inside(pattern: str) -> bool:
    return not PurePosixPath(pattern).is_absolute() and ".." not in PurePosixPath(pattern).parts


def _glob(root: Path, pattern: str) -> list[Path]:
    """Files below the root that match, sorted; none for a pattern that is no pattern."""
    if not _stays_inside(pattern) or Path(pattern).is_absolute():
        return []
    try:
        return sorted(path for path in root.glob(pattern) if path.is_file())
    except ValueError:  # such as a ** beside other characters
        return []


def _systems(reader: Reader, project: Project, file: str) -> dict[str, Script]:
    """Reads the system prompts of targets, judges and runs; returns the scripts by the names of their files."""
    scripts: dict[str, Script] = {}
    prompts: list[tuple[tuple[Step, ...], str]] = []
    for section, named in (("targets", project.targets), ("judges", project.judges)):
        for name, target in named.items():
            if target.system is not None:
                prompts.append(((section, name, "system"), target.system))
            if target.backend == "scripted":
                script = _script(reader, target.script, file, (section, name, "script"))
                for real in script:
                    reader.also[target.script] = real
                scripts |= script
    for name, run in project.runs.items():
        values = enumerate(run.params.get("system", ()))
        prompts += [(("runs", name, "params", "system", n), one) for n, one in values if isinstance(one, str)]
    for path, prompt in prompts:
        key = reader.text(reader.root, prompt, file, path, "system prompt")
        if key is not None:
            reader.files.setdefault(prompt, reader.files[key])
    return scripts


def _script(reader: Reader, name: str, file: str, path: tuple[Step, ...]) -> dict[str, Script]:
    place = reader.place(reader.root, name, file, path, "script")
    document = reader.document(place) if place is not None else None
    script = reader.model("script", Script, document) if document is not None else None
    return {document.file: script} if document is not None and script is not None else {}
