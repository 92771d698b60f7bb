"""Tags of public lists: one that the list does not have is a slip, and would be counted nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from guardgate.errors import Problem, Step, did_you_mean
from guardgate.loaded import Loaded
from guardgate.tags import KNOWN, of_a_list


def public_tags(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """Unknown tags that begin with `owasp:` or `atlas:`, of rules and of cases."""
    for planned, path in zip(loaded.rules, loaded.rule_paths, strict=True):
        yield from _unknown(planned.rule.tags, planned.file, path)
    for case, path in zip(loaded.cases, loaded.case_paths, strict=True):
        yield from _unknown(case.case.tags, case.file, path)


def _unknown(tags: Iterable[str], file: str, path: tuple[Step, ...]) -> Iterator[Problem]:
    for number, tag in enumerate(tags):
        if of_a_list(tag) and tag not in KNOWN:
            yield Problem(
                file, (*path, "tags", number), f"the tag {tag!r}, which its list does not have",
                "owasp:LLM01 to owasp:LLM10 (2025), or atlas:AML.T... of MITRE ATLAS 5.6.0",
                did_you_mean(_tidy(tag), list(KNOWN)) + "correct the id, or give the tag another beginning",
                "unknown-tag",
            )  # fmt: skip


def _tidy(tag: str) -> str:
    family, _, name = tag.partition(":")
    return f"{family.lower()}:{name.upper()}"
