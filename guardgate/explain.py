"""From a model's refusal to a sentence: what was found, what was expected, what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from guardgate.empty import empty_value, empty_values
from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.keys import allowed_keys, belongs
from guardgate.model.base import NOT_BLANK, NOT_SPACE
from guardgate.model.suite import Suite

M = TypeVar("M", bound=BaseModel)

_KINDS = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}
#: Keys that people write into a suite and that stand in the constraints file.
_MOVED = {"severity", "threshold", "thresholds", "floor", "floors", "criteria", "rules"}
#: How other tools call checks.
_CHECKS = ("assert", "asserts", "assertions", "expect", "scorers", "evaluators")
#: The patterns of the models in words.
PATTERNS = {
    NOT_BLANK: "text that is not blank",
    NOT_SPACE: "text that is not blank",
    r"^[A-Za-z0-9][A-Za-z0-9._:/-]*$": "a name of letters, digits and . _ : / -, without spaces",
    r"^[A-Za-z0-9][A-Za-z0-9_.-]*$": "a name of letters, digits and _ . -, without spaces",
    f"^{NOT_SPACE}+$": "text without spaces",
    r"^\$": "a JSONPath that begins with $, such as $.answer",
    r"^[A-Za-z_][A-Za-z0-9_]*(=[^\x00]*)?$": "NAME or NAME=value",
    r"^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_.]*$": "module:attribute, such as app.graph:graph",
}
#: From this likeness on, a key is a slip of the pen and not one that belongs elsewhere.
_ALIKE = 0.8
#: More keys than any mapping has: a reader who mistyped one wants to see them all.
_ALL_KEYS = 30


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
    """The data as a model, or every reason why it is none. A key without a value is one: it asserts nothing."""
    empty = list(empty_values(data, file))
    try:
        accepted = model.model_validate(data)
    except ValidationError as refusal:
        problems = explain(refusal.errors(include_url=False), model, file)
    else:
        problems = []
    return list(dict.fromkeys((*problems, *empty))) or accepted


def explain(errors: Iterable[ErrorDetails], model: type[BaseModel], file: str) -> list[Problem]:
    """One problem for each error that is not merely the echo of another one."""
    found = [(path_of(error["loc"]), error) for error in errors]
    paths = [path for path, _ in found]
    unknown = [path for path, error in found if error["type"] == "extra_forbidden"]
    return [
        _problem(path, error, model, file)
        for path, error in found
        if not (error["type"] == "too_short" and _has_deeper(path, paths))
        and not (error["type"] == "missing" and _mistyped(path, unknown))
    ]


def _has_deeper(path: tuple[Step, ...], paths: list[tuple[Step, ...]]) -> bool:
    return any(len(other) > len(path) and other[: len(path)] == path for other in paths)


def _mistyped(path: tuple[Step, ...], unknown: list[tuple[Step, ...]]) -> bool:
    """Whether the missing key stands beside an unknown one that was probably meant to be it."""
    beside = [other[-1] for other in unknown if other[:-1] == path[:-1]]
    return any(did_you_mean(str(key), [str(path[-1])]) for key in beside)


def path_of(loc: tuple[Step, ...]) -> tuple[Step, ...]:
    """The place in the file, without the names of variants that the models put in between."""
    kept: list[Step] = []
    for index, step in enumerate(loc):
        one_or_more = step in ("one", "list") and index >= 2 and loc[index - 2] == "checks"
        sample = step in ("text", "full") and index >= 2 and loc[index - 2] in ("held", "broke", "suites")
        if not (one_or_more or sample or (index == 2 and _variant(loc)) or step == _BAD_NAME):
            kept.append(step)
    return tuple(kept)


#: What the models add to the place of a name (a key of the user's own) that they refuse.
_BAD_NAME = "[key]"


def _variant(loc: tuple[Step, ...]) -> str | None:
    """The backend whose settings were tried, for a place inside a target or judge."""
    inside = len(loc) > 2 and loc[0] in ("targets", "judges") and loc[2] != _BAD_NAME
    return str(loc[2]) if inside else None


def _problem(path: tuple[Step, ...], error: ErrorDetails, model: type[BaseModel], file: str) -> Problem:
    kind, context, value = error["type"], error.get("ctx", {}), error["input"]
    if error["loc"][-1:] == (_BAD_NAME,):
        expected = _bound(kind, context, error["msg"])
        return Problem(file, path, f"the name {str(value)[:60]!r}", expected, "rename it", "name", at_key=True)
    match kind:
        case "extra_forbidden":
            return _unknown_key(path, model, file, _variant(error["loc"]))
        case "missing":
            return _missing_key(path, file)
        case "union_tag_invalid":
            return _unknown_backend(path, context, file)
        case "union_tag_not_found" if isinstance(value, Mapping):
            return _missing_key((*path, "backend"), file)
        case _ if value is None and path:
            return empty_value(path, file)
        case "union_tag_not_found":
            return Problem(file, path, describe(value), "a mapping", "write keys and values: {backend: ...}", "type")
        case "literal_error":
            return _not_listed(path, value, str(context["expected"]), file)
    if kind in _KINDS:
        expected = _KINDS[kind]
        return Problem(file, path, describe(value), expected, _convert(value, expected, path, model), "type")
    expected, todo = _bound(kind, context, error["msg"]), _todo(kind, context)
    return Problem(file, path, describe(value), expected, todo, "value")


def _convert(value: object, expected: str, path: tuple[Step, ...], model: type[BaseModel]) -> str:
    """What to do about a value of the wrong type."""
    simple = not isinstance(value, Mapping | list)
    match expected:
        case "text":
            return "put the value in quotes" if simple else "write one text, in quotes if it holds ': '"
        case "true or false":
            return "write true or false, without quotes"
        case "a list":
            return "write the values as a list: [a, b]"
        case "a mapping":
            keys = allowed_keys(model, path)
            return f"write keys and values: {{{keys[0] if keys else 'key'}: ...}}"
    number = isinstance(value, str) and _NUMBER.fullmatch(value)
    return "write the number without quotes" if number else f"write {expected}"


_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def _missing_key(path: tuple[Step, ...], file: str) -> Problem:
    key = path[-1]
    return Problem(file, path[:-1], f"no key {key!r}", f"the key {key!r}", f"add {key}: ...", "missing-key")


def _unknown_backend(path: tuple[Step, ...], context: Mapping[str, Any], file: str) -> Problem:
    tags = [tag.strip(" '") for tag in str(context["expected_tags"]).split(",")]
    tag = str(context["tag"])
    return Problem(
        file, (*path, "backend"), f"the backend {tag!r}", one_of(tags),
        did_you_mean(tag, tags) + "name one of the backends", "unknown-backend",
    )  # fmt: skip


def _not_listed(path: tuple[Step, ...], value: object, expected: str, file: str) -> Problem:
    known = [word.strip("'") for word in re.findall(r"'[^']*'", expected)]
    hint = did_you_mean(value, known) if isinstance(value, str) else ""
    expected = expected.replace("True", "true")
    todo = "write one of these" if " or " in expected else f"write {expected.strip(chr(39))}"
    return Problem(file, path, describe(value), expected, hint + todo, "value")


def _bound(kind: str, context: Mapping[str, Any], message: str) -> str:
    match kind:
        case "too_short":
            return f"at least {context['min_length']} entry"
        case "string_too_short":
            return "text that is not empty"
        case "string_too_long":
            return f"at most {context['max_length']} characters"
        case "string_pattern_mismatch" if context["pattern"] in PATTERNS:
            return PATTERNS[context["pattern"]]
        case "string_pattern_mismatch":
            return f"text of the form {context['pattern']}"
        case "greater_than":
            return f"a number over {context['gt']:g}"
        case "greater_than_equal":
            return f"a number of at least {context['ge']:g}"
        case "less_than_equal":
            return f"a number of at most {context['le']:g}"
    return message[0].lower() + message[1:]


def _todo(kind: str, context: Mapping[str, Any]) -> str:
    if kind == "too_short":
        return "add an entry, or remove the key"
    if kind == "string_too_short" or (
        kind == "string_pattern_mismatch" and context["pattern"] in (NOT_BLANK, NOT_SPACE)
    ):
        return "write the text, or remove it"
    return "correct the value"


def _unknown_key(path: tuple[Step, ...], model: type[BaseModel], file: str, variant: str | None) -> Problem:
    key = str(path[-1])
    known = allowed_keys(model, path[:-1], variant)
    near = did_you_mean(key, known)
    place = None if get_close_matches(key, known, cutoff=_ALIKE) else belongs(model, key, path[:-1])
    if key == "<<":
        todo = "write the values out: this format has no merge keys"
    elif key in _MOVED and model is Suite:
        todo = f"remove {key} here: severity, thresholds, floors and criteria stand in the constraints file only"
    elif place is not None:
        todo = f"{key} belongs {place}: move it there"
    elif not near and did_you_mean(key, _CHECKS):
        todo = "what code decides stands under checks: write it there"
    else:
        todo = near + "correct or remove the key"
    expected = one_of(known, _ALL_KEYS)
    return Problem(file, path, f"the unknown key {key[:60]!r}", expected, todo, "unknown-key", at_key=True)
