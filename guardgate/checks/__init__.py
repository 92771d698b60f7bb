"""The table of checks: one row a kind, one file a kind (or a pair of opposites)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from guardgate.checks.base import Fault, Files, Kind, Part
from guardgate.checks.canary import CANARY
from guardgate.checks.contains import CONTAINS, NOT_CONTAINS
from guardgate.checks.equals import EQUALS
from guardgate.checks.json_schema import JSON_SCHEMA
from guardgate.checks.latency import LATENCY
from guardgate.checks.length import LENGTH
from guardgate.checks.raw_output import NO_RAW_OUTPUT
from guardgate.checks.refusal import REFUSAL
from guardgate.checks.regex import NOT_REGEX, REGEX
from guardgate.checks.state import STATE
from guardgate.checks.tool_calls import TOOL_CALLS
from guardgate.model.checks import Checks

TABLE: Mapping[str, Kind] = MappingProxyType(
    {
        "contains": CONTAINS,
        "not_contains": NOT_CONTAINS,
        "regex": REGEX,
        "not_regex": NOT_REGEX,
        "equals": EQUALS,
        "json_schema": JSON_SCHEMA,
        "length": LENGTH,
        "canary": CANARY,
        "tool_calls": TOOL_CALLS,
        "state": STATE,
        "refusal": REFUSAL,
        "no_raw_output": NO_RAW_OUTPUT,
        "latency": LATENCY,
    }
)


#: Every kind that a file can name, in the order of the model.
_KINDS = tuple(Checks.model_fields)


def settings(checks: Checks) -> Iterator[tuple[str, tuple[str | int, ...], Any]]:
    """(kind, path below `checks`, settings) of each check that is set."""
    given = checks.model_fields_set
    for kind in given if len(given) < 2 else [one for one in _KINDS if one in given]:
        value = getattr(checks, kind)
        if value is None:
            continue
        if isinstance(value, tuple):
            yield from ((kind, (kind, index), one) for index, one in enumerate(value))
        else:
            yield kind, (kind,), value


def parts(checks: Checks, files: Files) -> Iterator[Part]:
    """Every part of every check that is set. A kind without a row in the table is a KeyError, never skipped."""
    for kind, _, spec in settings(checks):
        yield from TABLE[kind].parts(spec, files)


def faults(checks: Checks, files: Files) -> Iterator[Fault]:
    """What is wrong inside the settings, with paths below `checks`."""
    for kind, path, spec in settings(checks):
        row = TABLE.get(kind)
        if row is None:
            yield Fault(path, f"the check {kind!r}", "a check that this version can decide", "leave it out for now")
            continue
        for fault in row.faults(spec, files):
            yield replace(fault, path=(*path, *fault.path))
