"""The rules and cases of files, with their hashes, their places and the files that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from guardgate import salvage
from guardgate.attacks import canonical
from guardgate.checks import settings
from guardgate.constraints import Readable, criteria_of
from guardgate.errors import Step
from guardgate.model.checks import Checks
from guardgate.model.constraints import Criterion, Rule
from guardgate.model.suite import Case, Suite
from guardgate.plan import PlannedCase, PlannedRule
from guardgate.reader import Reader, folder_of
from guardgate.source import Document, fingerprint, sha256


def rules_of(reader: Reader, rules_read: Readable) -> Iterator[PlannedRule]:
    """The rules of a constraints file."""
    constraints = rules_read.constraints
    base = folder_of(reader.root, constraints.file)
    for number, rule in zip(rules_read.numbers, constraints.rules, strict=True):
        path: tuple[Step, ...] = ("rules", number)
        files = _schemas(reader, rule.checks, base, constraints.file, (*path, "checks"))
        sha = rule_sha(rule, constraints.criteria, files, reader.files)
        yield PlannedRule(rule, sha, constraints.file, constraints.lines.get(path, 1), files)


def rule_sha(rule: Rule, criteria: Mapping[str, Criterion], files: Mapping[str, str], texts: Mapping[str, str]) -> str:
    """Covers statement, criteria and checks; not severity, threshold or floors."""
    return fingerprint(
        {
            "rule": rule.rule,
            "criteria": criteria_of(rule, criteria),
            "checks": rule.checks.model_dump(mode="json", exclude_unset=True),
            "files": {name: sha256(texts[key]) for name, key in files.items()},
        }
    )


def _schemas(reader: Reader, checks: Checks, base: Path, file: str, path: tuple[Step, ...]) -> dict[str, str]:
    """The JSON Schema files that checks name: as written there -> key of the text."""
    files = {}
    for kind, below, spec in settings(checks):
        if kind == "json_schema":
            key = reader.text(base, spec, file, (*path, *below), "JSON Schema")
            if key is not None:
                files[spec] = key
    return files


def cases_of(
    reader: Reader, declared: Iterable[str], suites: Iterable[Document]
) -> Iterator[tuple[PlannedCase, tuple[Step, ...]]]:
    """The cases of suites, with their places there. `declared`: classes of the project's own."""
    for suite in suites:
        model = reader.model("suite", Suite, suite)
        base = folder_of(reader.root, suite.file)
        # Of a faulty suite the cases that are fine by themselves, so that they are checked too.
        cases = enumerate(model.cases) if model is not None else salvage.entries(Case, suite.data, "cases")
        for index, case in cases:
            path: tuple[Step, ...] = ("cases", index)
            files = dict(_named(reader, case, base, suite.file, path))
            attack = canonical(case.attack, declared) or case.attack
            yield (
                PlannedCase(
                    case, case_sha(case, files, reader.files), attack, suite.file, suite.lines.get(path, 1), files
                ),
                path,
            )


def _named(reader: Reader, case: Case, base: Path, file: str, path: tuple[Step, ...]) -> Iterator[tuple[str, str]]:
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
