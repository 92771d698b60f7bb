"""Keys without a value: in YAML the words below such a key may have lost their indentation, and assert nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from guardgate.errors import Problem, Step

_CALLS = (("tools", "*", "arguments"), ("tools", "*", "result"))
#: Places where null is a value: what stands there is the user's own. `*` is any name or number.
FREE: tuple[tuple[str, ...], ...] = (
    *((section, "*", key, "*") for section in ("targets", "judges") for key in ("params", "request")),
    ("runs", "*", "params", "*", "*"),
    ("runs", "*", "exclude", "*", "*"),
    ("runs", "*", "escalate"),
    *((section, "*", "checks", "state", "*", "equals") for section in ("cases", "rules")),
    *(("rules", "*", "samples", "*", "*", *below) for below in (("state",), *_CALLS)),
    *(("*", *below) for below in (("state",), *_CALLS)),
)
_LONGEST = max(map(len, FREE))


def empty_values(data: Any, file: str) -> Iterator[Problem]:
    """Each key, and each entry of a list, that stands without a value."""
    return (empty_value(path, file) for path in _empty(data, ()))


def empty_value(path: tuple[Step, ...], file: str) -> Problem:
    """The problem of one key or entry without a value."""
    entry = isinstance(path[-1], int)
    found, remove = ("an entry", "the entry") if entry else (f"the key {path[-1]!r}", "the key")
    return Problem(
        file, path, f"{found} without a value", "a value",
        f"write the value (is what follows indented below it?), or remove {remove}", "empty-value", at_key=True,
    )  # fmt: skip


def _empty(data: Any, at: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    # Almost every file has no null at all, so only those that were found are held against the free places.
    return (path for path in _nulls(data, at) if path and not any(_free(path[:n]) for n in range(1, len(path) + 1)))


def _nulls(value: Any, path: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    if value is None:
        yield path
    elif isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if inner is None or isinstance(inner, dict | list):
                yield from _nulls(inner, (*path, step))


def _free(path: tuple[Step, ...]) -> bool:
    return len(path) <= _LONGEST and any(
        len(free) == len(path) and all(want in ("*", have) for want, have in zip(free, path, strict=True))
        for free in FREE
    )
