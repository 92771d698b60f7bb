"""From files to a project: everything that a run needs, or every problem of every file at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from guardgate import schema
from guardgate.attacks import canonical
from guardgate.checks import settings
from guardgate.constraints import MARKS, Constraints, criteria_of, parsed
from guardgate.errors import Problem, Step
from guardgate.explain import validated
from guardgate.loaded import MAX_NAMED, Loaded
from guardgate.model.checks import Checks
from guardgate.model.constraints import Rule
from guardgate.model.project import Project
from guardgate.model.script import Script
from guardgate.model.suite import Case, Suite
from guardgate.plan import PlannedCase, PlannedRule
from guardgate.source import Document, Reason, fingerprint, inside, parse, read, read_text, sha256

PROJECT_FILE = "guardgate.yaml"

M = TypeVar("M", bound=BaseModel)
_CASE = TypeAdapter(Case)


@dataclass
class _Reader:
    """What is gathered while the files of one project are read."""

    root: Path
    problems: list[Problem] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def name(self, path: Path) -> str:
        """How messages and results call a file: relative to the project, with /."""
        return Path(path).relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)

    def document(self, path: Path, marks: tuple[str, ...] = ()) -> Document | None:
        return self.keep(read(path, self.name(path), marks))

    def keep(self, document: Document | list[Problem]) -> Document | None:
        if isinstance(document, Document):
            self.documents[document.file] = document
            return document
        self.problems += document
        return None

    def model(self, kind: str, model: type[M], document: Document) -> M | None:
        """The document as a model; the published schema is run over it as well."""
        result = validated(model, document.data, document.file)
        if isinstance(result, model):
            self.problems += schema.refused(kind, document.data, document.file)
            return result
        self.problems += result if isinstance(result, list) else []
        return None

    def text(self, base: Path, name: str, file: str, path: tuple[Step, ...], what: str) -> str | None:
        """Reads a file that another one names; returns the key of its text in `files`."""
        place = inside(self.root, base, name, MAX_NAMED)
        if isinstance(place, Reason):
            self.problems.append(_missing(file, path, what, name, place))
            return None
        key = place.relative_to(self.root).as_posix()
        if key not in self.files:
            text = read_text(place, MAX_NAMED)
            if isinstance(text, Reason):
                self.problems.append(_missing(file, path, what, name, text))
                return None
            self.files[key] = text
        return key


def _missing(file: str, path: tuple[Step, ...], what: str, name: str, reason: str) -> Problem:
    return Problem(
        file, path, f"the {what} {name!r}, which {reason}", f"a {what} inside the project",
        f"correct the name (it is relative to {file}), or add the file", "missing-file",
    )  # fmt: skip


def load(project: Path, constraints: Document | None = None) -> tuple[Loaded | None, list[Problem]]:
    """Read a project file (or the one in a folder) and all that it names. `constraints` replaces its rules.

    Returns what could be read, and every problem so far; None where not even the project file can be used.
    """
    path = project / PROJECT_FILE if project.is_dir() else project
    reader = _Reader(Path(path).resolve().parent)
    document = reader.document(path.resolve(), ("targets", "judges", "runs", "suites"))
    if document is None:
        return None, reader.problems
    model = reader.model("project", Project, document)
    if model is None:
        _read_on(reader, document.data)
        return None, reader.problems
    rules_document = (
        reader.keep(constraints) if constraints else _constraints_document(reader, model.constraints, document)
    )
    loaded = _load_rest(reader, document, model, rules_document)
    return loaded, reader.problems


def _read_on(reader: _Reader, data: Any) -> None:
    """The project file is faulty: read what it names all the same, so that all problems show at once."""
    if not isinstance(data, dict):
        return
    name, patterns = data.get("constraints"), data.get("suites")
    if isinstance(name, str) and (reader.root / name).is_file():
        rules = reader.document(reader.root / name, MARKS)
        if rules is not None:
            result = parsed(rules)
            reader.problems += result if isinstance(result, list) else []
    if isinstance(patterns, list):
        for path in _suite_paths(reader, [one for one in patterns if isinstance(one, str)], None):
            suite = reader.document(path)
            if suite is not None:
                reader.model("suite", Suite, suite)


def _constraints_document(reader: _Reader, name: str, project: Document) -> Document | None:
    place = inside(reader.root, reader.root, name)
    if isinstance(place, Reason):
        reader.problems.append(_missing(project.file, ("constraints",), "constraints file", name, place))
        return None
    return reader.document(place, MARKS)


def _load_rest(reader: _Reader, document: Document, project: Project, rules_document: Document | None) -> Loaded:
    constraints: Constraints | None = None
    known: tuple[str, ...] = ()
    if rules_document is not None:
        result = parsed(rules_document)
        if isinstance(result, Constraints):
            constraints = result
            reader.problems += schema.refused("constraints", rules_document.data, rules_document.file)
        else:
            reader.problems += result
        known = tuple(_ids(rules_document.data))
    rules = tuple(_rules(reader, constraints)) if constraints else ()
    faults_before = len(reader.problems)
    suites = list(_suites(reader, project, document))
    pairs = list(_cases(reader, project, suites))
    systems = _systems(reader, project, document.file)
    return Loaded(
        root=reader.root,
        file=document.file,
        project=project,
        constraints=constraints,
        rules=rules,
        cases=tuple(case for case, _ in pairs),
        files=reader.files,
        hashes={name: one.sha256 for name, one in reader.documents.items()}
        | {name: sha256(text) for name, text in reader.files.items()},
        documents=reader.documents,
        case_paths=tuple(path for _, path in pairs),
        known_rules=known,
        all_cases_read=len(reader.problems) == faults_before,
        scripts=systems,
    )


def _ids(data: Any) -> Iterator[str]:
    rules = data.get("rules") if isinstance(data, dict) else None
    for rule in rules if isinstance(rules, list) else []:
        if isinstance(rule, dict) and isinstance(rule.get("id"), str):
            yield rule["id"]


def _rules(reader: _Reader, constraints: Constraints) -> Iterator[PlannedRule]:
    base = (reader.root / constraints.file).parent
    for index, rule in enumerate(constraints.rules):
        path = ("rules", index, "checks")
        files = _schemas(reader, rule.checks, base, constraints.file, path)
        yield PlannedRule(rule, rule_sha(rule, constraints, files, reader.files), constraints.file,
                          constraints.lines.get(("rules", index), 1), files)  # fmt: skip


def rule_sha(rule: Rule, constraints: Constraints, files: Mapping[str, str], texts: Mapping[str, str]) -> str:
    """Covers statement, criteria and checks; not severity, threshold or floors."""
    return fingerprint(
        {
            "rule": rule.rule,
            "criteria": criteria_of(rule, constraints.criteria),
            "checks": rule.checks.model_dump(mode="json", exclude_unset=True),
            "files": {name: sha256(texts[key]) for name, key in files.items()},
        }
    )


def _schemas(reader: _Reader, checks: Checks, base: Path, file: str, path: tuple[Step, ...]) -> dict[str, str]:
    """The JSON Schema files that checks name: as written there -> key of the text."""
    files = {}
    for kind, below, spec in settings(checks):
        if kind == "json_schema":
            key = reader.text(base, spec, file, (*path, *below), "JSON Schema")
            if key is not None:
                files[spec] = key
    return files


def _suites(reader: _Reader, project: Project, document: Document) -> Iterator[Document]:
    for path in _suite_paths(reader, project.suites, document.file):
        suite = reader.document(path, ("cases",))
        if suite is not None:
            yield suite


def _suite_paths(reader: _Reader, patterns: Iterable[str], file: str | None) -> list[Path]:
    """The suite files in a stable order. A pattern that finds nothing is a problem: it would leave attacks out."""
    paths: dict[Path, None] = {}
    for index, pattern in enumerate(patterns):
        found = sorted(_glob(reader.root, pattern))
        if not found and file is not None:
            reader.problems.append(
                Problem(
                    file,
                    ("suites", index),
                    f"the pattern {pattern!r}, which finds no file",
                    "at least one suite file",
                    "correct the pattern (it is relative to this file), or add a suite",
                    "no-suite",
                )
            )
        paths.update(dict.fromkeys(found))
    return list(paths)


def _glob(root: Path, pattern: str) -> Iterator[Path]:
    """Files below the root that match; nothing outside of it, also not through a symlink."""
    if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
        return
    for path in root.glob(pattern):
        if path.is_file() and path.resolve().is_relative_to(root):
            yield path


def _cases(
    reader: _Reader, project: Project, suites: Iterable[Document]
) -> Iterator[tuple[PlannedCase, tuple[Step, ...]]]:
    for suite in suites:
        model = reader.model("suite", Suite, suite)
        base = (reader.root / suite.file).parent
        for index, case in _valid(model, suite):
            path = ("cases", index)
            files = dict(_named(reader, case, base, suite.file, path))
            attack = canonical(case.attack, project.attacks) or case.attack
            yield (
                PlannedCase(
                    case, case_sha(case, files, reader.files), attack, suite.file, suite.lines.get(path, 1), files
                ),
                path,
            )


def _valid(model: Suite | None, suite: Document) -> Iterator[tuple[int, Case]]:
    """The cases of a suite; of a faulty one those that are fine by themselves, so that they are checked too."""
    if model is not None:
        yield from enumerate(model.cases)
        return
    entries = suite.data.get("cases") if isinstance(suite.data, dict) else None
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        try:
            yield index, _CASE.validate_python(entry)
        except ValidationError:
            continue  # reported with the whole suite


def _named(reader: _Reader, case: Case, base: Path, file: str, path: tuple[Step, ...]) -> Iterator[tuple[str, str]]:
    for what in ("agent", "document"):
        name = getattr(case, what)
        if name is not None:
            key = reader.text(base, name, file, (*path, what), what)
            if key is not None:
                yield name, key
    yield from _schemas(reader, case.checks, base, file, (*path, "checks")).items()


def case_sha(case: Case, files: Mapping[str, str], texts: Mapping[str, str]) -> str:
    """Covers everything in the case and in its files."""
    hashes = {name: sha256(texts[key]) for name, key in files.items()}
    return fingerprint({"case": case.model_dump(mode="json", exclude_unset=True), "files": hashes})


def _systems(reader: _Reader, project: Project, file: str) -> dict[str, Script]:
    """System prompts and scripts of targets and judges."""
    scripts: dict[str, Script] = {}
    for section, named in (("targets", project.targets), ("judges", project.judges)):
        for name, target in named.items():
            if target.system is not None:
                reader.text(reader.root, target.system, file, (section, name, "system"), "system prompt")
            if target.backend == "scripted":
                script = _script(reader, target.script, file, (section, name, "script"))
                if script is not None:
                    scripts[name] = script
    return scripts


def _script(reader: _Reader, name: str, file: str, path: tuple[Step, ...]) -> Script | None:
    place = inside(reader.root, reader.root, name)
    if isinstance(place, Reason):
        reader.problems.append(_missing(file, path, "script", name, place))
        return None
    document = reader.document(place)
    return reader.model("script", Script, document) if document is not None else None


def constraints_from_stdin(text: str) -> Document | list[Problem]:
    """The rules that another program wrote: YAML or JSON."""
    return parse(text, "-", MARKS)
