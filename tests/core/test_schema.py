"""The published schemas: what the models generate, with words for editors, and they accept what the models accept."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate import schema
from guardgate.explain import validated
from guardgate.source import Document, read
from tests.check.overlay import BASE, named
from tests.support.project import ROOT

KINDS = {
    "guardgate.yaml": "project", "constraints.yaml": "constraints", "anchors.yaml": "anchors",
    "translations.yaml": "translations",
    "scan-suppressions.yaml": "suppressions",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(schema.MODELS))
def test_the_published_schema_is_the_generated_one(name: str) -> None:
    assert (ROOT / "schemas" / f"{name}.schema.json").read_bytes() == schema.generated(name).encode("utf-8")


def test_every_published_schema_has_its_model() -> None:
    assert {path.name for path in (ROOT / "schemas").iterdir()} == {f"{name}.schema.json" for name in schema.MODELS}


@pytest.mark.parametrize("name", sorted(schema.MODELS))
def test_the_schema_is_draft_07(name: str) -> None:
    value = json.loads(schema.generated(name))
    jsonschema.Draft7Validator.check_schema(value)
    assert value["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert not {"$defs", "discriminator", "ge", "gt", "le", "lt", "min_length", "patternProperties"} & set(_keys(value))


@pytest.mark.parametrize("name", schema.WRITTEN_BY_USERS)
def test_every_field_is_described(name: str) -> None:
    silent = [place for place, field in _fields(json.loads(schema.generated(name))) if not field.get("description")]
    assert silent == []


def _keys(value: Any) -> Iterator[str]:
    """The keywords of a schema; names of properties and definitions are none."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            for one in inner.values() if key in ("properties", "definitions") else [inner]:
                yield from _keys(one)
    elif isinstance(value, list):
        for one in value:
            yield from _keys(one)


def _fields(value: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        for name, field in value.get("properties", {}).items():
            yield f"{place}.{name}", field
        for key, inner in value.items():
            yield from _fields(inner, f"{place}.{key}")
    elif isinstance(value, list):
        for one in value:
            yield from _fields(one, place)


@cache
def corpus() -> list[tuple[str, Any]]:
    """Every file of every case, valid or not, that is YAML at all, with the name of its schema."""
    found = []
    for case in (BASE, *named("valid"), *named("invalid")):
        files = case.rglob("*.yaml") if case.is_dir() else [case]
        for file in files:
            name = file.relative_to(case).as_posix() if case.is_dir() else _replaced(file)
            document = read(file, name)
            if isinstance(document, Document):
                kind = KINDS.get(name) or ("suite" if name.startswith("suites/") else "script")
                found.append((kind, document.data))
    return found


def _replaced(file: Path) -> str:
    return file.read_bytes().split(b"\n", 1)[0].decode().removeprefix("# file: ").strip()


@cache
def validators(kind: str) -> tuple[Any, Any]:
    value = json.loads(schema.generated(kind))
    return jsonschema_rs.Draft7Validator(value), jsonschema.Draft7Validator(value)


def agree(kind: str, data: Any) -> bool:
    """Whether the file is accepted; the model and the published schema must say the same."""
    model = validated(schema.model_of(kind), data, "file")
    accepted = not isinstance(model, list)
    assert validators(kind)[0].is_valid(data) is accepted, (model if isinstance(model, list) else None, data)
    assert bool(schema.refused(kind, data, "file")) is not accepted
    return bool(accepted)


def test_schema_and_model_agree_on_every_case() -> None:
    accepted = [agree(kind, data) for kind, data in corpus()]
    # An editor's validator may be another one.
    assert [validators(kind)[1].is_valid(data) for kind, data in corpus()] == accepted
    assert 25 < sum(accepted) < len(accepted) - 25


def test_every_kind_of_file_is_in_the_corpus() -> None:
    assert {kind for kind, _ in corpus()} == set(schema.WRITTEN_BY_USERS)


#: What a slip, or an attacker, may write in place of a value.
VALUES: list[Any] = [
    *(None, True, False, 0, 1, 1.0, 1.5, -1, 2, 10**17, "", "  ", "x", "x y", "\n", "x\n", "$.a", "none", "hard", "0"),
    *([], {}, ["x"], {"x": 1}, [None], [[]], {"": 1}, "é", "\u00a0", "\ufeff", "\u0085", "a" * 200, "\U0001f9a6"),
]
NAMES = ["x", "any", "all", "id", "checks", "", "a b", "é", "judge", "turns", "backend", "-", "x" * 81]


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(inner, (*path, step))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, Any]:
    """A file of the corpus with one or two slips: a key dropped or renamed, a value of another kind or place."""
    kind, original = draw(st.sampled_from(corpus()))
    data = copy.deepcopy(original)
    for _ in range(draw(st.integers(1, 2))):
        paths = list(_paths(data))
        if not paths:
            return kind, draw(st.sampled_from(VALUES))
        path = draw(st.sampled_from(paths))
        parent = _at(data, path[:-1])
        match draw(st.sampled_from(["drop", "rename", "replace", "move"])):
            case "rename" if isinstance(parent, dict):
                parent[draw(st.sampled_from(NAMES))] = parent.pop(path[-1])
            case "replace":
                parent[path[-1]] = copy.deepcopy(draw(st.sampled_from(VALUES)))
            case "move":
                parent[path[-1]] = copy.deepcopy(_at(data, draw(st.sampled_from(paths))))
            case _:
                del parent[path[-1]]
    return kind, data


@settings(max_examples=400, deadline=None)
@given(changed())
def test_schema_and_model_agree_on_slips(file: tuple[str, Any]) -> None:
    agree(*file)
