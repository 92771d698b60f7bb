"""`state`: values of the target's state after its last reply."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from guardgate.checks.base import Fault, Files, Hit, Kind, Open, Part, Requires, Seen
from guardgate.lookup import Lookup, lookup
from guardgate.model.checks import StateAt


@lru_cache(maxsize=1024)
def compiled(path: str, filters: bool = False) -> Lookup:
    """The path as a function; raises ValueError with the reason. Suites may not use filters: those run patterns."""
    if "?" in path and not filters:
        raise ValueError("filters are not allowed here")
    return lookup(path)


def _same(left: Any, right: Any) -> bool:
    """JSON equality: 1 is 1.0, true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(_same(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    return bool(left == right)


def _state(spec: StateAt, _files: Files) -> Iterator[Part]:
    wanted = json.dumps(spec.equals, ensure_ascii=False, default=str)

    def look(replies: tuple[Seen, ...]) -> Hit | Open | None:
        state = replies[-1].reply.state
        if state is None:
            return Open("no_state", "the target does not show its state")
        values = compiled(spec.path)(state) if not isinstance(state, str) else []  # a text is no structure
        if not values:
            return Hit(None, f"nothing stands at {spec.path}, expected {wanted}")
        if not any(_same(value, spec.equals) for value in values):
            got = json.dumps(values[0], ensure_ascii=False, default=str)
            return Hit(None, f"{spec.path} is {got[:200]}, expected {wanted}")
        return None

    yield Requires("state", look)


def path_faults(path: str, at: tuple[str | int, ...], *, filters: bool = False) -> Iterator[Fault]:
    """A JSONPath that cannot be read. The project file may use filters."""
    try:
        compiled(path, filters)
    except ValueError as error:
        yield Fault(
            at,
            f"the path {path!r}: {error}",
            "a JSONPath (RFC 9535) without filters, such as $.outbox",
            "correct the path",
        )


def _faults(spec: StateAt, _files: Files) -> Iterator[Fault]:
    yield from path_faults(spec.path, ("path",))


STATE = Kind(_state, _faults)
