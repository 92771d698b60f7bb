"""A project as it was read from its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from guardgate.constraints import Constraints
from guardgate.errors import Step
from guardgate.model.anchors import Anchor
from guardgate.model.project import Project
from guardgate.model.script import Script
from guardgate.plan import PlannedCase, PlannedRule
from guardgate.source import Document

#: A document, agent or schema that a suite names may have this many bytes.
MAX_NAMED = 2 * 1024 * 1024


@dataclass(frozen=True)
class Loaded:
    """A project as far as it could be read. `files`: text by name, relative to `root`; `hashes`: of all inputs.

    `documents`: what each file of the project says, before any model. `case_paths`, `rule_paths`: where each
    case and rule stands in its file. `known_rules`: ids, also those of faulty rules. `scripts`: by file name.
    `anchors`: those of the project; `lent_anchors`: of shipped suites that it uses.
    `beside_checks`: rules of shipped suites with criteria that the project asked for; their samples test no judge.
    `translations`: by name, what is sent for each turn.
    """

    root: Path
    file: str
    project: Project
    constraints: Constraints | None
    rules: tuple[PlannedRule, ...]
    cases: tuple[PlannedCase, ...]
    files: Mapping[str, str]
    hashes: Mapping[str, str]
    documents: Mapping[str, Document]
    case_paths: tuple[tuple[Step, ...], ...]
    rule_paths: tuple[tuple[Step, ...], ...]
    known_rules: tuple[str, ...]
    all_cases_read: bool
    scripts: Mapping[str, Script] = field(default_factory=dict)
    anchors: tuple[Anchor, ...] = ()
    lent_anchors: tuple[Anchor, ...] = ()
    beside_checks: frozenset[str] = frozenset()
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
