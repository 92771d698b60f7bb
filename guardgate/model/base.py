"""The ground of every file model: strict, frozen, no unknown key, no rule across fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict
from pydantic_core import PydanticKnownError

from guardgate.normalize import blank

T = TypeVar("T")


class Model(BaseModel):
    """A mapping of a file: unknown keys and wrong types are errors, values cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=False)


def _whole(value: object) -> object:
    """1.0 counts as 1 and true does not, as JSON Schema has it."""
    if isinstance(value, bool):
        raise PydanticKnownError("int_type")
    return int(value) if isinstance(value, float) and value.is_integer() else value


#: A list in the file, a tuple in the model.
Seq = Annotated[tuple[T, ...], Strict(False)]
# The bound stands before the validator: else it does not reach the JSON schema.
Count = Annotated[int, Field(ge=1), BeforeValidator(_whole)]
Whole = Annotated[int, Field(ge=0), BeforeValidator(_whole)]
One = Annotated[Literal[1], BeforeValidator(_whole)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Share = Annotated[float, Field(ge=0, le=1)]
#: What a score has to reach. Every score reaches 0, so that nothing could break.
Floor = Annotated[float, Field(gt=0, le=1)]
#: A character that is no white space; every regex engine agrees on it.
NOT_SPACE = r"[^\s\u0085\ufeff]"
#: A character that a reader sees; every regex engine agrees on it.
NOT_BLANK = (
    r"[^\s\u0000-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]"
)


def _seen(value: str) -> str:
    """What no pattern of a published schema can say: lone marks, and what is invisible far outside ASCII."""
    if blank(value):
        raise PydanticKnownError("string_pattern_mismatch", {"pattern": NOT_BLANK})
    return value


#: Not empty, and not white space or invisible characters alone.
Text = Annotated[str, Field(min_length=1, pattern=NOT_BLANK), AfterValidator(_seen)]
#: Not empty, and not white space alone: what a check may look for, invisible characters too.
Sought = Annotated[str, Field(min_length=1, pattern=NOT_SPACE)]
Id = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/-]*$")]
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
Params = Mapping[str, Any]
