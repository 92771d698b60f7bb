"""From the path of a value to its line and column: only a faulty file is composed, and once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import yaml

from guardgate.errors import Problem, Step
from guardgate.source.compose import Unreadable, compose

_START = (1, 1)


def locate(text: str, path: tuple[Step, ...], at_key: bool = False) -> tuple[int, int]:
    """Line and column (from 1) of the value at the path, or of its key.

    The longest part of the path that exists counts; (1, 1) when the text cannot be composed.
    """
    root = _root(text)
    return _START if root is None else _walk(root, path, at_key)


def place(problems: Iterable[Problem], texts: Callable[[str], str | None]) -> list[Problem]:
    """The problems with line and column filled in where they had none, sorted by file and place."""
    roots: dict[str, yaml.Node | None] = {}
    placed = []
    for problem in problems:
        if problem.line:
            placed.append(problem)
            continue
        if problem.file not in roots:
            text = texts(problem.file)
            roots[problem.file] = None if text is None else _root(text)
        root = roots[problem.file]
        line, col = _START if root is None else _walk(root, problem.path, problem.at_key)
        placed.append(replace(problem, line=line, col=col))
    return sorted(placed, key=lambda problem: (problem.file, problem.line, problem.col))


def _root(text: str) -> yaml.Node | None:
    try:
        return compose(text, "")
    except Unreadable:
        return None


def _walk(node: yaml.Node, path: tuple[Step, ...], at_key: bool) -> tuple[int, int]:
    mark = node
    for count, step in enumerate(path, 1):
        child = _child(node, step)
        if child is None:
            break
        key, node = child
        mark = key if at_key and count == len(path) else node
    return mark.start_mark.line + 1, mark.start_mark.column + 1


def _child(node: yaml.Node, step: Step) -> tuple[yaml.Node, yaml.Node] | None:
    """The key's node and the value's node; an entry of a list is its own key."""
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
        return (node.value[step], node.value[step]) if 0 <= step < len(node.value) else None
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == step), None)
    return None
