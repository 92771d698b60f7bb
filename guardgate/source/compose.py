"""Text -> YAML nodes: bounded, by YAML 1.2, with the C parser where it is there.

The tag of a node is `True` for a plain scalar, `False` for any other value without a tag, and text
where the file wrote a tag of its own. Numbers and words are told apart by the builder.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from guardgate.errors import Problem
from guardgate.source.faults import EMPTY, Fault
from guardgate.source.words import explain, odd_character

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64
MAX_NODES = 2_000_000

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|.)", re.DOTALL)


class Unreadable(Exception):
    """The text cannot be composed; `problem` says why. Never leaves this package."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


class _Over(Exception):
    """A bound was passed at this mark."""

    def __init__(self, fault: Fault, mark: yaml.Mark | None) -> None:
        self.fault, self.mark = fault, mark
        super().__init__(fault.found)


TOO_DEEP = Fault(
    "yaml-depth",
    f"values nested deeper than {MAX_DEPTH} levels",
    f"at most {MAX_DEPTH} levels",
    "flatten the file",
)
TOO_MANY = Fault("yaml-size", f"more than {MAX_NODES:,} values", f"at most {MAX_NODES:,}", "split the file")


class _Rules:
    """What both parsers share: our tags, and bounds that hold before the parser goes deeper."""

    depth = 0
    count = 0

    def resolve(self, kind: type, value: Any, implicit: Any) -> bool:  # noqa: ARG002
        return kind is yaml.ScalarNode and implicit[0]

    def descend_resolver(self, parent: Any, index: Any) -> None:  # noqa: ARG002
        self.depth += 1
        self.count += 1
        if self.depth > MAX_DEPTH:
            raise _Over(TOO_DEEP, parent.start_mark)
        if self.count > MAX_NODES:
            raise _Over(TOO_MANY, parent.start_mark)

    def ascend_resolver(self) -> None:
        self.depth -= 1


class PureLoader(_Rules, Reader, Scanner, Parser, Composer):
    """The parser in Python, for places where PyYAML has no C."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)

    def compose_scalar_node(self, anchor: Any) -> yaml.ScalarNode:
        node = super().compose_scalar_node(anchor)
        if _SURROGATE.search(node.value):
            raise yaml.MarkedYAMLError(problem="found invalid escape code", problem_mark=node.start_mark)
        return node


def _fast_loader() -> type[Any]:
    if not yaml.__with_libyaml__:
        return PureLoader
    from yaml.cyaml import CParser  # type: ignore[attr-defined]  # noqa: PLC0415 - not there without C

    class FastLoader(_Rules, CParser):
        """The parser in C."""

    return FastLoader


LOADER: type[Any] = _fast_loader()


def compose(text: str, name: str) -> yaml.Node:
    """The root node of the one document in the text; raises `Unreadable`."""
    if len(text) > MAX_BYTES:
        fault = Fault("yaml-size", f"{len(text):,} characters", f"at most {MAX_BYTES:,} bytes", "split the file")
        raise Unreadable(_problem(name, fault, 1, 1))
    text = _without_pairs(text.removeprefix("\ufeff"))
    odd = odd_character(text)
    if odd is not None:
        raise Unreadable(_problem(name, *odd))
    try:
        root = LOADER(text).get_single_node()
    except _Over as over:
        line, col = (over.mark.line + 1, over.mark.column + 1) if over.mark else (1, 1)
        raise Unreadable(_problem(name, over.fault, line, col)) from None
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise Unreadable(_problem(name, *explain(error, text))) from None
    if root is None:
        raise Unreadable(_problem(name, EMPTY, 1, 1))
    return root  # type: ignore[no-any-return]


@contextmanager
def collector_paused() -> Iterator[None]:
    """Without the cyclic collector: many new nodes would make it walk all of them, again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _problem(name: str, fault: Fault, line: int, col: int) -> Problem:
    return Problem(name, (), fault.found, fault.expected, fault.todo, fault.code, line=line, col=col)


def _without_pairs(text: str) -> str:
    """JSON writes a character beyond U+FFFF as two escapes, YAML as one; in JSON every escape is in a string."""
    if text.lstrip()[:1] not in ("{", "[") or not re.search(r"\\u[dD]", text):
        return text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text
    return _ESCAPE.sub(_join_pair, text)


def _join_pair(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 2:
        return found
    return f"\\U{ord(json.loads(chr(34) + found + chr(34))):08x}"
