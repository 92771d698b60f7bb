"""Which keys a file model knows at a place, and where else a key belongs; read from its JSON schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from pydantic import BaseModel

from guardgate.errors import Step

#: In a place: an entry of a list, and a value under a name of the user's own.
_ENTRY, _NAMED = "[]", "*"
_ANY = (_ENTRY, _NAMED)
#: A key that stands at more places than this is ambiguous.
_FEW = 4


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _first(path: tuple[Step, ...]) -> tuple[Step, ...]:
    """The same place in the first entry of each list: what is known there is known in every entry."""
    return tuple(0 if isinstance(step, int) else step for step in path)


def allowed_keys(model: type[BaseModel], path: tuple[Step, ...], variant: str | None = None) -> list[str]:
    """The keys that the model knows at a place, needed ones first; `variant`: of this backend only."""
    return list(_allowed(model, _first(path), variant))


@lru_cache(maxsize=1024)
def _allowed(model: type[BaseModel], path: tuple[Step, ...], variant: str | None) -> tuple[str, ...]:
    schema = _schema(model)
    nodes: list[Any] = [schema]
    for count, step in enumerate(path, 1):
        nodes = [inner for node in _variants(nodes, schema) for inner in _below(node, step)]
        if variant is not None and count == 2:
            nodes = [node for node in _variants(nodes, schema) if _backend(node) == variant]
    found = _variants(nodes, schema)
    needed = [key for node in found for key in node.get("required", ())]
    return tuple(dict.fromkeys((*needed, *(key for node in found for key in node.get("properties", {})))))


def belongs(model: type[BaseModel], key: str, path: tuple[Step, ...]) -> str | None:
    """Where the model knows the key, as words; None when it knows it nowhere, or at too many places."""
    return _belongs(model, key, _first(path))


@lru_cache(maxsize=1024)
def _belongs(model: type[BaseModel], key: str, path: tuple[Step, ...]) -> str | None:
    schema = _schema(model)
    places = list(dict.fromkeys(place for place in _places(schema, schema, key, ()) if place))
    near = [place for place in places if _within(place, path)]
    # One setting, or a list of them: the same place for a reader.
    words = list(dict.fromkeys(_words(place) for place in near or places if place[:-1] not in places))
    here = any(len(place) == len(path) for place in near)  # of another backend
    if here or not words or len(words) > _FEW:
        return None
    return " or ".join(words)


def _words(place: tuple[str, ...]) -> str:
    if place[-1] not in _ANY:
        return f"under {place[-1]}"
    return f"in an entry of {place[-2]}" if len(place) > 1 else "in an entry of the list"


def _within(place: tuple[str, ...], path: tuple[Step, ...]) -> bool:
    """Whether the place is at or below the path."""
    if len(place) < len(path):
        return False
    return all(have in (_ENTRY, want) or have == _NAMED for have, want in zip(place, path, strict=False))


def _places(node: Any, schema: Mapping[str, Any], key: str, at: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every place below a node that knows the key; an entry of a list is `[]`, a name of the user's own `*`."""
    for one in _variants([node], schema):
        for name, inner in one.get("properties", {}).items():
            if name == key:
                yield at
            yield from _places(inner, schema, key, (*at, name))
        for inner in _named(one):
            yield from _places(inner, schema, key, (*at, _NAMED))
        if isinstance(one.get("items"), dict):
            yield from _places(one["items"], schema, key, (*at, _ENTRY))


def _backend(node: Mapping[str, Any]) -> str | None:
    value = node.get("properties", {}).get("backend", {}).get("const")
    return value if isinstance(value, str) else None


def _below(node: Mapping[str, Any], step: Step) -> list[Any]:
    if isinstance(step, int):
        return [node["items"]] if isinstance(node.get("items"), dict) else []
    if step in node.get("properties", {}):
        return [node["properties"][step]]
    return _named(node)


def _named(node: Mapping[str, Any]) -> list[Any]:
    """What stands under names of the user's own."""
    named = [*node.get("patternProperties", {}).values(), node.get("additionalProperties")]
    return [one for one in named if isinstance(one, dict)]


def _variants(nodes: Iterable[Any], schema: Mapping[str, Any]) -> list[Any]:
    """The nodes with references and alternatives resolved, in order."""
    done: list[Any] = []
    for node in nodes:
        inner = [schema["$defs"][node["$ref"].rsplit("/", 1)[-1]]] if "$ref" in node else []
        inner += [*node.get("anyOf", ()), *node.get("oneOf", ())]
        done += _variants(inner, schema) if inner else [node]
    return done
