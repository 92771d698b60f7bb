"""Findings of the scanner, for people, for programs, and as annotations on GitHub."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from guardgate.errors import Refused, one_of
from guardgate.report.escape import defused, json_line, terminal, workflow_data, workflow_property
from guardgate.report.paint import Paint, painter
from guardgate.report.sentence import number
from guardgate.scan import SEVERITIES, Finding

_MOODS = {"high": "bad", "medium": "open", "low": ""}
#: So many files that were not looked at are named one by one.
_NAMED = 20
_COMMANDS = {"high": "error", "medium": "warning", "low": "notice"}


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that a scan has to say. `suppressed`: with reasons; `unread`, `skipped`: path and reason.

    `unused`: suppressions that met no finding, as path, family and words.
    """

    files: int
    open: Sequence[Finding]
    suppressed: Sequence[tuple[Finding, str]] = ()
    unread: Sequence[tuple[str, str]] = ()
    skipped: Sequence[tuple[str, str]] = ()
    unused: Sequence[tuple[str, str, str]] = ()


def render(findings: Findings, form: str, colour: bool = False) -> Iterator[str]:
    """The findings as `text`, `json` or `github`. Raises Refused for another format."""
    if form not in FORMATS:
        raise Refused("the format", repr(form), one_of(FORMATS), "name a format of the list")
    return FORMATS[form](findings, painter(colour))


def count(findings: Findings) -> str:
    """`2 findings (1 high, 1 medium) in 1 of 14 files`, and what else happened."""
    by = Counter(finding.severity for finding in findings.open)
    named = ", ".join(f"{by[one]} {one}" for one in reversed(SEVERITIES) if by[one])
    hit = len({finding.path for finding in findings.open})
    parts = [f"{number(len(findings.open), 'finding')}{f' ({named})' if named else ''}"]
    parts[0] += f" in {hit} of {number(findings.files, 'file')}"
    parts += [f"{len(findings.suppressed)} suppressed"] if findings.suppressed else []
    parts += [f"{len(findings.unread)} not read"] if findings.unread else []
    parts += [f"{len(findings.skipped)} not looked at (links, or no text)"] if findings.skipped else []
    return "; ".join(parts)


def _text(findings: Findings, paint: Paint) -> Iterator[str]:
    for finding in findings.open:
        word = paint(finding.severity, _MOODS[finding.severity])
        yield f"{_place(finding)}: {word} {finding.family}{_how(finding)}\n    {terminal(finding.words)}\n"
    for finding, reason in findings.suppressed:
        yield f"{_place(finding)}: suppressed {finding.family}: {terminal(reason)}\n"
    for path, reason in findings.unread:
        yield f"{terminal(path)}: {paint('not read', 'bad')}: {terminal(reason)}\n"
    for path, reason in findings.skipped[:_NAMED]:
        yield f"{terminal(path)}: not looked at: {terminal(reason)}\n"
    if len(findings.skipped) > _NAMED:
        yield f"and {len(findings.skipped) - _NAMED} more that were not looked at; --format json names them all\n"
    for path, family, words in findings.unused:
        yield f"{terminal(path)}: no such finding any more: the suppression of {terminal(family)} {terminal(words)}\n"
    yield count(findings) + "\n"


def _place(finding: Finding) -> str:
    return defused(f"{terminal(finding.path)}:{finding.line}")


def _how(finding: Finding) -> str:
    return f", read through {', then '.join(finding.decoded_by)}" if finding.decoded_by else ""


def _json(findings: Findings, _paint: Paint) -> Iterator[str]:
    value = {
        "findings": [_as_json(finding) for finding in findings.open],
        "suppressed": [{**_as_json(finding), "reason": reason} for finding, reason in findings.suppressed],
        "unread": [{"path": path, "reason": reason} for path, reason in findings.unread],
        "skipped": [{"path": path, "reason": reason} for path, reason in findings.skipped],
        "unused_suppressions": [
            {"path": path, "family": family, "words": words} for path, family, words in findings.unused
        ],
        "files": findings.files,
    }
    yield json_line(json.dumps(value, indent=2)) + "\n"


def _as_json(finding: Finding) -> dict[str, object]:
    return {
        "path": finding.path,
        "line": finding.line,
        "family": finding.family,
        "severity": finding.severity,
        "words": finding.words,
        "decoded_by": list(finding.decoded_by),
    }


def _github(findings: Findings, _paint: Paint) -> Iterator[str]:
    """Workflow commands, the heaviest first: a runner shows only some as annotations."""
    for finding in sorted(findings.open, key=lambda one: -SEVERITIES.index(one.severity)):
        where = f"file={workflow_property(finding.path)},line={finding.line}"
        title = workflow_property(f"guardgate scan {finding.family}")
        words = workflow_data(f"{finding.words}{_how(finding)}")
        yield f"::{_COMMANDS[finding.severity]} {where},title={title}::{words}\n"
    for path, reason in findings.unread:
        yield f"::error file={workflow_property(path)},title=guardgate scan::{workflow_data(f'not read: {reason}')}\n"
    for finding, reason in findings.suppressed:
        where = f"file={workflow_property(finding.path)},line={finding.line}"
        words = workflow_data(f"suppressed {finding.family}: {reason}")
        yield f"::notice {where},title=guardgate scan::{words}\n"
    if findings.skipped:
        named = ", ".join(f"{path} ({reason})" for path, reason in findings.skipped[:_NAMED])
        more = f", and {len(findings.skipped) - _NAMED} more" if len(findings.skipped) > _NAMED else ""
        yield f"::notice title=guardgate scan::{workflow_data(f'not looked at: {named}{more}')}\n"
    for path, family, words in findings.unused:
        what = workflow_data(f"no such finding any more: the suppression of {family} {words}")
        yield f"::warning file={workflow_property(path)},title=guardgate scan::{what}\n"
    yield count(findings) + "\n"


FORMATS: Mapping[str, Callable[[Findings, Paint], Iterator[str]]] = MappingProxyType(
    {"text": _text, "json": _json, "github": _github}
)
