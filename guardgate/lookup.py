"""JSONPath: what stands at a place in a value. The library is imported for paths that are more than names."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

Lookup = Callable[[Any], list[Any]]

#: `$.answer` or `$.data.text`: by far the most paths are such, and the library takes 40 ms to import.
_NAMES = re.compile(r"\$(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


def lookup(path: str) -> Lookup:
    """A function that gives everything the path leads to, null included. Raises ValueError with the reason."""
    if _NAMES.fullmatch(path):
        return partial(_follow, path.split(".")[1:])
    import jsonpath  # noqa: PLC0415 - see above

    try:
        compiled = jsonpath.compile(path)
    except jsonpath.JSONPathError as error:
        raise ValueError(str(error).partition("\n")[0]) from error
    # jsonpath would take a string for a JSON document and parse it once more
    return lambda value: compiled.findall(value) if isinstance(value, dict | list) else []


def _follow(names: list[str], value: Any) -> list[Any]:
    for name in names:
        if not isinstance(value, dict) or name not in value:
            return []
        value = value[name]
    return [value]
