"""`json_schema`: the last reply is JSON that a schema of the project accepts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from guardgate.checks.base import Fault, Files, Hit, Kind, Part, Requires, Seen


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _nothing_from_elsewhere(uri: str) -> Any:
    raise ValueError(f"{uri} is outside the file; references may only point inside it")


@lru_cache(maxsize=256)
def _validator(text: str) -> Any:
    """The compiled schema; raises ValueError with the reason. References outside the file are refused."""
    import jsonschema_rs  # noqa: PLC0415 - only where a schema is used

    try:
        schema = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON on line {error.lineno}") from error
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    try:
        # Patterns without look-around or back-references only: they run in linear time.
        return jsonschema_rs.validator_for(
            schema, retriever=_nothing_from_elsewhere, pattern_options=jsonschema_rs.RegexOptions()
        )
    except jsonschema_rs.ValidationError as error:
        raise ValueError(_reason(error)) from error


def _reason(error: Any) -> str:
    """Why a schema cannot be used, as one line."""
    if "retrieving it failed" in error.message:
        return "it refers to something outside the file"
    where = ".".join(map(str, error.instance_path))
    return f"{where}: {error.message}" if where else str(error.message)


def _json_schema(name: str, files: Files) -> Iterator[Part]:
    validator = _validator(files[name])

    def look(replies: tuple[Seen, ...]) -> Hit | None:
        text = replies[-1].reply.text
        try:
            value = json.loads(text, parse_constant=_no_number)
            error = next(iter(validator.iter_errors(value)), None)
        except (ValueError, RecursionError) as reason:
            return Hit(text, f"the last reply is not JSON: {reason}")
        if error is None:
            return None
        return Hit(text, f"the last reply does not fit {name}: {error.message[:300]}")

    yield Requires("json_schema", look)


def _faults(name: str, files: Files) -> Iterator[Fault]:
    if name not in files:  # the loader has already said why
        return
    try:
        _validator(files[name])
    except ValueError as error:
        found = f"{name!r}, which is no usable JSON Schema ({error})"
        yield Fault((), found, "a JSON Schema, written as JSON, that needs no other file", "correct that file")


JSON_SCHEMA = Kind(_json_schema, _faults)
