"""One file -> one document, or everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from guardgate.errors import Problem, Step
from guardgate.source.build import Builder
from guardgate.source.compose import Unreadable, collector_paused, compose
from guardgate.source.faults import EMPTY
from guardgate.source.files import Reason, read_bytes
from guardgate.source.hashes import sha256
from guardgate.source.words import position


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says. `lines`: the line (from 1) of each entry of the marked top-level keys."""

    file: str
    data: Any
    sha256: str
    lines: Mapping[tuple[Step, ...], int] = field(default_factory=dict)


def read(path: Path, name: str, marks: tuple[str, ...] = ()) -> Document | list[Problem]:
    """The document in a file, or its problems. `name` is how messages call the file."""
    data = read_bytes(path)
    if isinstance(data, Reason):
        code = "yaml-size" if "larger" in data else "file"
        return [_fault(name, code, f"a file that {data}", "a readable file of moderate size", "check the file")]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        found = f"the byte 0x{data[error.start]:02x}, which is not UTF-8"
        fault = _fault(name, "yaml-encoding", found, "UTF-8 text", "save the file as UTF-8")
        return [fault.at(*position(before, len(before)))]
    return _load(text, name, marks, sha256(data))


def parse(text: str, name: str, marks: tuple[str, ...] = ()) -> Document | list[Problem]:
    """The document in a text, or its problems."""
    return _load(text, name, marks, sha256(text))


def _load(text: str, name: str, marks: tuple[str, ...], digest: str) -> Document | list[Problem]:
    builder = Builder(name)
    with collector_paused():
        try:
            root = compose(text, name)
            data = builder.build(root)
        except Unreadable as error:
            return [error.problem]
        if builder.problems:
            return sorted(builder.problems, key=lambda problem: (problem.line, problem.col))
        if data is None:
            return [_fault(name, *EMPTY)]
        return Document(name, data, digest, _lines(root, marks))


def _lines(root: yaml.Node, marks: tuple[str, ...]) -> dict[tuple[Step, ...], int]:
    lines: dict[tuple[Step, ...], int] = {}
    if not isinstance(root, yaml.MappingNode):
        return lines
    for key, node in root.value:
        if key.value not in marks:
            continue
        if isinstance(node, yaml.SequenceNode):
            lines.update(((key.value, n), item.start_mark.line + 1) for n, item in enumerate(node.value))
        elif isinstance(node, yaml.MappingNode):
            lines.update(((key.value, name.value), name.start_mark.line + 1) for name, _ in node.value)
    return lines


def _fault(name: str, code: str, found: str, expected: str, todo: str) -> Problem:
    return Problem(name, (), found, expected, todo, code, line=1, col=1)
