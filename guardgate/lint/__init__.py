"""What the files say against each other. One table: a rule of the linter is a function from a project to problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from guardgate.errors import Problem
from guardgate.lint import (
    abilities,
    agreement,
    anchors,
    canaries,
    cases,
    documents,
    handing,
    helping,
    names,
    rules,
    runs,
    samples,
    screened,
    strays,
    tags,
    targets,
    transforms,
)
from guardgate.loaded import Loaded

#: Every group of findings, in the order in which they are looked for.
TABLE: tuple[Callable[[Loaded, Mapping[str, str]], Iterator[Problem]], ...] = (
    names.attack_names,
    tags.public_tags,
    rules.rule_problems,
    rules.not_attacked,
    samples.teeth,
    anchors.own_anchors,
    anchors.unlabelled,
    agreement.anchors_off,
    cases.duplicate_ids,
    cases.case_problems,
    helping.nothing_to_help_with,
    strays.unread,
    canaries.unplaced,
    documents.document_cases,
    screened.screened,
    targets.target_problems,
    runs.run_problems,
    transforms.transformed,
    abilities.abilities,
    handing.handed_over,
    abilities.judges,
)


def lint(loaded: Loaded, environ: Mapping[str, str]) -> list[Problem]:
    """Every problem between the files. No code of the project runs, and nothing is asked of a network."""
    return [problem for find in TABLE for problem in find(loaded, environ)]
