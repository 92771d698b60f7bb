"""YAML nodes -> plain data, by the core types of YAML 1.2, with every fault of the file."""

from __future__ import annotations

import math
import re
from typing import Any

import yaml

from guardgate.errors import Problem, Step
from guardgate.source.compose import MAX_BYTES, MAX_DEPTH, MAX_NODES, Unreadable

MAX_INT = 10**18
MAX_PROBLEMS = 1000

_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}
_WORD_STARTS = frozenset("tTfFnN~")
_NUMBER_STARTS = frozenset("+-.0123456789")
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_TODO_QUOTES = "put it in quotes"


class Builder:
    """Builds one document; `problems` holds what is wrong in it. Aliases become copies, so they count."""

    def __init__(self, file: str) -> None:
        self.problems: list[Problem] = []
        self._file = file
        self._path: list[Step] = []
        self._count = self._chars = 0

    def build(self, node: yaml.Node, depth: int = 1) -> Any:
        """The value of a node; raises `Unreadable` when aliases make it endless."""
        self._count += 1
        tag: str | bool = node.tag
        if isinstance(tag, str):
            found = f"the tag {_short(tag.replace('tag:yaml.org,2002:', '!!'))}"
            self._add(node, "yaml-tag", found, "a value without a tag", "remove it, or put the text in quotes")
        if node.__class__ is yaml.ScalarNode:
            self._chars += len(node.value)
            if self._chars > MAX_BYTES:
                self._endless(node, depth)
            return self._scalar(node) if tag is True else node.value
        if depth > MAX_DEPTH or self._count > MAX_NODES:
            self._endless(node, depth)
        if node.__class__ is yaml.MappingNode:
            return self._mapping(node, depth + 1)
        return self._list(node, depth + 1)

    def _list(self, node: yaml.Node, depth: int) -> list[Any]:
        out: list[Any] = []
        path = self._path
        for index, item in enumerate(node.value):
            path.append(index)
            out.append(self.build(item, depth))
            path.pop()
        return out

    def _mapping(self, node: yaml.Node, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        path = self._path
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node)
            if key is None:
                continue
            path.append(key)
            if key in out:
                first = first or _first_lines(node)
                self._add(
                    key_node,
                    "yaml-duplicate-key",
                    f"the key {_short(key)!r} a second time (first on line {first[key]})",
                    "each key once",
                    "remove or rename one of the two",
                )
            out[key] = self.build(value_node, depth)
            path.pop()
        return out

    def _key(self, node: yaml.Node) -> str | None:
        if node.__class__ is not yaml.ScalarNode:
            self._add(node, "yaml-key", "a list or mapping as a key", "text", "write a text before the ':'")
            return None
        key = self.build(node)
        if isinstance(key, str):
            return key
        found = f"{_short(node.value)!r} as a key, which is not text" if node.value else "an empty key"
        self._add(node, "yaml-key", found, "text", _TODO_QUOTES)
        return None

    def _scalar(self, node: yaml.Node) -> Any:
        text: str = node.value
        start = text[:1]
        if start in _NUMBER_STARTS:
            return self._number(node, text)
        if not start or start in _WORD_STARTS:
            return _WORDS.get(text, text)
        return text

    def _number(self, node: yaml.Node, text: str) -> Any:
        if _INT.fullmatch(text):
            # Counted first: Python refuses to read thousands of digits at all.
            if len(text) <= 20 and abs(number := int(text)) <= MAX_INT:
                return number
        elif not _FLOAT.fullmatch(text):
            return text
        elif math.isfinite(real := float(text)):
            return real
        expected = "a number of at most 18 digits"
        self._add(node, "yaml-number", f"the number {_short(text)}", expected, f"{_TODO_QUOTES} if it is text")
        return 0

    def _endless(self, node: yaml.Node, depth: int) -> None:
        if depth > MAX_DEPTH:
            found = f"aliases that contain themselves, or nest deeper than {MAX_DEPTH} levels"
        else:
            found = f"aliases that expand to more than {MAX_NODES:,} values or {MAX_BYTES:,} characters"
        self.problems.clear()
        self._add(node, "yaml-alias", found, "few and flat aliases", "write the values out")
        raise Unreadable(self.problems[0])

    def _add(self, node: yaml.Node, code: str, found: str, expected: str, todo: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            line, col = node.start_mark.line + 1, node.start_mark.column + 1
            self.problems.append(
                Problem(self._file, tuple(self._path), found, expected, todo, code, line=line, col=col)
            )


def _first_lines(node: yaml.Node) -> dict[str, int]:
    lines: dict[str, int] = {}
    for key, _ in node.value:
        if key.__class__ is yaml.ScalarNode:
            lines.setdefault(key.value, key.start_mark.line + 1)
    return lines


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
