"""The ground of every file model: strict, frozen, no unknown key, no rule across fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict

T = TypeVar("T")


class Model(BaseModel):
    """A mapping of a file: unknown keys and wrong types are errors, values cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=False)


def _whole(value: object) -> object:
    """1.0 counts as 1, as JSON Schema has it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


#: A list in the file, a tuple in the model.
Seq = Annotated[tuple[T, ...], Strict(False)]
Count = Annotated[int, BeforeValidator(_whole), Field(ge=1)]
Whole = Annotated[int, BeforeValidator(_whole), Field(ge=0)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Share = Annotated[float, Field(ge=0, le=1)]
#: Not empty, and not white space alone.
Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
Id = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/-]*$")]
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
Params = Mapping[str, Any]
