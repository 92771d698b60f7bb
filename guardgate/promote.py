"""Pins a failure: from an attempt to a case file that a person reviews. Nothing that exists is touched."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import yaml

from guardgate.plan import Plan, PlannedCase
from guardgate.record import Attempt

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


#: Text that our loader takes for a number, or refuses, where PyYAML writes it without double quotes.
_ODD = re.compile("[\x85\u2028\u2029\ufeff]|^[-+.0-9]")


class _Dumper(yaml.SafeDumper):
    """Writes what our own loader reads as the same text."""


def _represented(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if _ODD.search(text) else None)


_Dumper.add_representer(str, _represented)


def dumped(value: Any) -> str:
    """The value as YAML that our own loader reads as the same value."""
    return yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110)


def pinned(plan: Plan, attempt: Attempt, source: str) -> dict[str, str]:
    """File name -> text: the suite with one case first, then copies of the files that it names."""
    planned = plan.cases[plan.at(attempt.n).case]
    # An id of the longest length would push what makes this one new out of its end.
    stem = f"{_UNSAFE.sub('-', planned.case.id)[:80].strip('.-')}-{plan.sha[:8]}-{attempt.n}"
    copies = {name: f"{stem}-files/{number}-{_base(name)}" for number, name in enumerate(planned.files, start=1)}
    case = _case(planned, attempt, f"{stem}.pinned", copies, source)
    body = dumped({"cases": [case]})
    head = (
        "# A failure that was pinned by `guardgate promote`. Read it before you add it to your suites: is the attack\n"
        "# fair, is the rule right, do the checks say what you mean?\n"
    )
    files = {f"{stem}.yaml": head + body}
    return files | {copies[name]: plan.files[key] for name, key in planned.files.items()}


def _base(name: str) -> str:
    """A name that no file system minds, and that no pattern takes for a suite."""
    base = _UNSAFE.sub("-", PurePosixPath(name).name)[-80:].strip(".-") or "file"
    return f"{base}.txt" if base.lower().endswith((".yaml", ".yml")) else base


def _case(
    planned: PlannedCase, attempt: Attempt, case_id: str, copies: Mapping[str, str], source: str
) -> dict[str, Any]:
    """The case with its turns as they were sent and a note on where it comes from."""
    case: dict[str, Any] = planned.case.model_dump(mode="json", exclude_unset=True)
    case["id"] = case_id
    for key in ("agent", "document"):
        if case.get(key) in copies:
            case[key] = copies[case[key]]
    if "checks" in case and "json_schema" in case["checks"]:
        named = case["checks"]["json_schema"]
        case["checks"]["json_schema"] = (
            [copies.get(one, one) for one in named] if isinstance(named, list) else copies.get(named, named)
        )
    if attempt.sent is not None:
        if case.get("task") is not None:
            case["task"], *case["turns"] = attempt.sent
        else:
            case["turns"] = list(attempt.sent)
        case["transform"] = False  # they are transformed already
    seen = next((one for one in attempt.findings if one.outcome == attempt.verdict), None)
    why = f", {seen.by}" if seen else ""
    origin = f"Pinned from attempt {attempt.n} of {source} (case {planned.case.id}, {attempt.verdict}{why})."
    case["note"] = f"{case['note']} {origin}" if case.get("note") else origin
    return case
