"""The published JSON Schemas: made from the models, and run over each file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from guardgate.errors import Problem
from guardgate.shipped import shipped

#: Every kind of file, by the name of its schema: where its model stands. Of results, the model of one line.
MODELS: Mapping[str, str] = MappingProxyType(
    {
        "project": "guardgate.model.project:Project",
        "constraints": "guardgate.model.constraints:ConstraintsFile",
        "suite": "guardgate.model.suite:Suite",
        "anchors": "guardgate.model.anchors:AnchorsFile",
        "script": "guardgate.model.script:Script",
        "translations": "guardgate.model.translations:Translations",
        "suppressions": "guardgate.model.suppressions:SuppressionsFile",
        "results": "guardgate.model.results:ResultsLine",
        "redacted": "guardgate.model.redacted:Redacted",
        "report": "guardgate.model.report:Report",
    }
)
#: What users write; the others are written by guardgate.
WRITTEN_BY_USERS = ("project", "constraints", "suite", "anchors", "script", "translations", "suppressions")
DRAFT = "http://json-schema.org/draft-07/schema#"


class _Draft07(GenerateJsonSchema):
    """The models' schema without titles, which editors would show instead of descriptions."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - pydantic's signature
        """Never."""
        return False


def model_of(name: str) -> type[BaseModel]:
    """The model of one kind of file; imported when it is asked for."""
    module, attribute = MODELS[name].split(":")
    model: type[BaseModel] = getattr(import_module(module), attribute)
    return model


def generated(name: str) -> str:
    """The schema of one kind of file, as published, ending in a newline."""
    schema = model_of(name).model_json_schema(schema_generator=_Draft07)
    body = _as_draft_07(schema)
    if name in WRITTEN_BY_USERS:
        body = _without_null(body)
    return (
        json.dumps({"$schema": DRAFT, "title": f"guardgate {name} file", **body}, indent=2, ensure_ascii=False) + "\n"
    )


def _as_draft_07(value: Any) -> Any:
    """`$defs` is called `definitions`; a reference stands alone; `discriminator` is not JSON Schema; no titles."""
    if isinstance(value, list):
        return [_as_draft_07(one) for one in value]
    if not isinstance(value, dict):
        return value
    done = {
        ("definitions" if key == "$defs" else key): _as_draft_07(one)
        for key, one in value.items()
        if key != "discriminator" and not (key == "title" and isinstance(one, str))
    }
    if isinstance(done.get("$ref"), str):
        done["$ref"] = done["$ref"].replace("#/$defs/", "#/definitions/")
        if len(done) > 1:
            done["allOf"] = [{"$ref": done.pop("$ref")}]
    if "patternProperties" in done and "additionalProperties" not in done:
        ((pattern, done["additionalProperties"]),) = done.pop("patternProperties").items()
        done["propertyNames"] = {"pattern": pattern, **done.get("propertyNames", {})}
    return done


#: Keys that may be null in a file of users. Everywhere else a key without a value asserts nothing, and is refused.
_NULLABLE = frozenset({"escalate"})


def _without_null(value: Any, key: str = "") -> Any:
    """The schema without `or null`, which the models need for what was left out."""
    if isinstance(value, list):
        return [_without_null(one) for one in value]
    if not isinstance(value, dict):
        return value
    done = {name: _without_null(one, name) for name, one in value.items()}
    if key in _NULLABLE or {"type": "null"} not in done.get("anyOf", ()):
        return done
    if done.get("default", 0) is None:
        del done["default"]
    left = [one for one in done.pop("anyOf") if one != {"type": "null"}]
    if len(left) > 1:
        return {"anyOf": left, **done}
    return {"allOf": left, **done} if "$ref" in left[0] else {**left[0], **done}


def published(name: str) -> str:
    """The schema file that ships."""
    return (shipped("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs  # noqa: PLC0415 - 10 ms, and only `check` and `run` need it

    return jsonschema_rs.validator_for(json.loads(published(name)))


def refused(name: str, data: Any, file: str) -> list[Problem]:
    """What the published schema says against the data: nothing, or one problem for each of its errors."""
    if _validator(name).is_valid(data):
        return []
    import jsonschema  # noqa: PLC0415 - 85 ms, and only for a file that is refused

    errors = list(jsonschema.Draft7Validator(json.loads(published(name))).iter_errors(data))
    # The two could differ, as in a $ before a last newline: what one of them refuses is refused.
    return [_refused(name, file, tuple(error.absolute_path), error.message) for error in errors] or [
        _refused(name, file, (), "a value of another form")
    ]


def _refused(name: str, file: str, path: tuple[str | int, ...], reason: str) -> Problem:
    return Problem(
        file, path, f"a value that the schema refuses: {reason[:200]}", f"what schemas/{name}.schema.json describes",
        "correct the value", "schema",
    )  # fmt: skip
