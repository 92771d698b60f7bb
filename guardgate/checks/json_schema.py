"""`json_schema`: the last reply is JSON that a schema of the project accepts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from guardgate.checks.base import Fault, Files, Hit, Kind, Part, Requires, Seen


def _nothing_from_elsewhere(uri: str) -> Any:
    raise ValueError(f"{uri} is outside the file; references may only point inside it")


@lru_cache(maxsize=256)
def _validator(text: str) -> Any:
    """The compiled schema; raises ValueError with the reason. References outside the file are refused."""
    import jsonschema_rs  # noqa: PLC0415 - only where a schema is used

    try:
        return jsonschema_rs.validator_for(json.loads(text), retriever=_nothing_from_elsewhere)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError) as error:
        raise ValueError(str(error).splitlines()[0]) from error


def _json_schema(name: str, files: Files) -> Iterator[Part]:
    validator = _validator(files[name])

    def look(replies: tuple[Seen, ...]) -> Hit | None:
        text = replies[-1].reply.text
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as reason:
            return Hit(text, f"the last reply is not JSON: {reason}")
        error = next(iter(validator.iter_errors(value)), None)
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
        yield Fault(
            (), f"{name}, which is no usable JSON Schema: {error}", "a JSON Schema in JSON", "correct the schema file"
        )


JSON_SCHEMA = Kind(_json_schema, _faults)
