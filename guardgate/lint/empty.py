"""A key without a value: in YAML the words below it may have lost their indentation, and nothing is asserted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from guardgate.errors import Problem, Step
from guardgate.loaded import Loaded

#: Keys whose value may be null.
MAY_BE_NULL = frozenset({"escalate", "equals", "state", "arguments", "result"})
#: Keys below which everything is the user's own.
FREE = frozenset({"params", "request"})


def empty_values(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """Keys without a value in any file of the project."""
    for document in loaded.documents.values():
        for path in _empty(document.data, ()):
            yield Problem(
                document.file, path, f"the key {str(path[-1])!r} without a value", "a value",
                "write the value (is what follows indented under the key?), or remove the key", "empty-value",
                at_key=True,
            )  # fmt: skip


def _empty(value: Any, path: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if inner is None and key not in MAY_BE_NULL:
                yield (*path, key)
            elif key not in FREE and key not in MAY_BE_NULL and isinstance(inner, dict | list):
                yield from _empty(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if inner is None:
                yield (*path, index)
            elif isinstance(inner, dict | list):
                yield from _empty(inner, (*path, index))
