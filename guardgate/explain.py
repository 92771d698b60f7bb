"""From a model's refusal to a sentence: what was found, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from guardgate.errors import Problem, Step, did_you_mean, one_of

M = TypeVar("M", bound=BaseModel)

_KINDS = {
    "string_type": ("text", "put the value in quotes"),
    "bool_type": ("true or false", "write true or false, without quotes"),
    "int_type": ("a whole number", "write the number without quotes"),
    "float_type": ("a number", "write the number without quotes"),
    "tuple_type": ("a list", "write the values as a list: [a, b]"),
    "dict_type": ("a mapping", "write keys and values: {key: value}"),
    "mapping_type": ("a mapping", "write keys and values: {key: value}"),
    "model_type": ("a mapping", "write keys and values: {key: value}"),
    "model_attributes_type": ("a mapping", "write keys and values: {key: value}"),
}
_MOVED = {"severity", "threshold", "thresholds", "floor", "floors", "criteria"}


def describe(value: object) -> str:
    """A value as a reader would call it, cut to a line."""
    match value:
        case None:
            return "nothing"
        case bool():
            return f"the value {str(value).lower()}"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {value[:60]!r}" + ("..." if len(value) > 60 else "")
        case Mapping():
            return "a mapping" if value else "an empty mapping"
        case list() | tuple():
            return "a list" if value else "an empty list"
    return f"a {type(value).__name__}"


def validated(model: type[M], data: Any, file: str) -> M | list[Problem]:
    """The data as a model, or every reason why it is none."""
    try:
        return model.model_validate(data)
    except ValidationError as refusal:
        return explain(refusal.errors(include_url=False), model, file)


def explain(errors: Iterable[ErrorDetails], model: type[BaseModel], file: str) -> list[Problem]:
    """One problem for each error that is not merely the echo of a deeper one."""
    found = [(path_of(error["loc"]), error) for error in errors]
    paths = [path for path, _ in found]
    return [
        _problem(path, error, model, file)
        for path, error in found
        if not (error["type"] == "too_short" and _has_deeper(path, paths))
    ]


def _has_deeper(path: tuple[Step, ...], paths: list[tuple[Step, ...]]) -> bool:
    return any(len(other) > len(path) and other[: len(path)] == path for other in paths)


def path_of(loc: tuple[Step, ...]) -> tuple[Step, ...]:
    """The place in the file, without the names of variants that the models put in between."""
    kept: list[Step] = []
    for index, step in enumerate(loc):
        one_or_more = step in ("one", "list") and index >= 2 and loc[index - 2] == "checks"
        sample = step in ("text", "full") and index >= 2 and loc[index - 2] in ("held", "broke")
        backend = index == 2 and loc[0] in ("targets", "judges")
        if not (one_or_more or sample or backend):
            kept.append(step)
    return tuple(kept)


def _problem(path: tuple[Step, ...], error: ErrorDetails, model: type[BaseModel], file: str) -> Problem:
    kind, context, value = error["type"], error.get("ctx", {}), error["input"]
    match kind:
        case "extra_forbidden":
            return _unknown_key(path, model, file)
        case "missing":
            key = path[-1] if path else "value"
            return Problem(
                file, path[:-1], f"no key {str(key)!r}", f"the key {str(key)!r}", f"add {key}: ...", "missing-key"
            )
        case "union_tag_invalid":
            tags = [tag.strip(" '") for tag in str(context["expected_tags"]).split(",")]
            tag = str(context["tag"])
            hint = did_you_mean(tag, tags)
            at = (*path, "backend")
            return Problem(
                file, at, f"the backend {tag!r}", one_of(tags), hint + "name one of the backends", "unknown-backend"
            )
        case "union_tag_not_found":
            return Problem(file, path, "no key 'backend'", "the key 'backend'", "add backend: ...", "missing-key")
        case "literal_error":
            return Problem(file, path, describe(value), str(context["expected"]), "write one of these", "value")
    if kind in _KINDS:
        expected, todo = _KINDS[kind]
        return Problem(file, path, describe(value), expected, todo, "type")
    return Problem(file, path, describe(value), _bound(kind, context, error["msg"]), "correct the value", "value")


def _bound(kind: str, context: Mapping[str, Any], message: str) -> str:
    match kind:
        case "too_short":
            return f"at least {context['min_length']} entry"
        case "string_too_short":
            return "text that is not empty"
        case "string_too_long":
            return f"at most {context['max_length']} characters"
        case "string_pattern_mismatch" if context["pattern"] == r"\S":
            return "text that is not blank"
        case "string_pattern_mismatch":
            return f"text of the form {context['pattern']}"
        case "greater_than":
            return f"a number over {context['gt']:g}"
        case "greater_than_equal":
            return f"a number of at least {context['ge']:g}"
        case "less_than_equal":
            return f"a number of at most {context['le']:g}"
    return message[0].lower() + message[1:]


def _unknown_key(path: tuple[Step, ...], model: type[BaseModel], file: str) -> Problem:
    key = str(path[-1])
    known = allowed_keys(model, path[:-1])
    todo = did_you_mean(key, known) + "correct or remove the key"
    if key in _MOVED and path[0] == "cases":
        todo = f"remove {key} here: severity, thresholds, floors and criteria stand in the constraints file only"
    return Problem(file, path, f"the unknown key {key!r}", one_of(known), todo, "unknown-key", at_key=True)


def allowed_keys(model: type[BaseModel], path: tuple[Step, ...]) -> list[str]:
    """The keys that the model's JSON schema knows at a place."""
    schema = model.model_json_schema()
    nodes = [schema]
    for step in path:
        nodes = [inner for node in _variants(nodes, schema) for inner in _below(node, step)]
    return sorted({key for node in _variants(nodes, schema) for key in node.get("properties", {})})


def _below(node: Mapping[str, Any], step: Step) -> list[Any]:
    if isinstance(step, int):
        return [node["items"]] if isinstance(node.get("items"), dict) else []
    if step in node.get("properties", {}):
        return [node["properties"][step]]
    extra = node.get("additionalProperties")
    return [extra] if isinstance(extra, dict) else []


def _variants(nodes: Iterable[Any], schema: Mapping[str, Any]) -> list[Any]:
    """The nodes with references and alternatives resolved."""
    done: list[Any] = []
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if "$ref" in node:
            todo.append(schema["$defs"][node["$ref"].rsplit("/", 1)[-1]])
        elif "anyOf" in node or "oneOf" in node:
            todo += node.get("anyOf", []) + node.get("oneOf", [])
        else:
            done.append(node)
    return done
