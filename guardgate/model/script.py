"""The script of the `scripted` backend."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, RootModel

from guardgate.model.base import Model, Name, Seq, Share, Text
from guardgate.model.constraints import SampleToolCall


class Line(Model):
    """One entry: where `when` matches the last turn, a target says `say`; where it matches a reply, a judge scores."""

    when: Text = Field(
        ".*", description="Pattern (RE2, letter case does not count) searched in the last turn; left out: always."
    )
    say: str | None = Field(None, description="The reply of a target.")
    scores: dict[Name, Share] | None = Field(
        None, description="The answer of a judge: scores by criterion; those that are not named score 1."
    )
    quote: Text | None = Field(
        None, description="Pattern (RE2) for the words that a judge quotes as evidence; left out: what `when` matched."
    )
    tools: Seq[SampleToolCall] = Field((), description="Tool calls of the reply.")
    state: Any = Field(None, description="The state of the target afterwards.")
    fail: Literal["timeout", "connection", "http_error", "auth", "crashed", "blocked"] | None = Field(
        None, description="Fail in this way instead of replying."
    )


class Script(RootModel[Annotated[Seq[Line], Field(min_length=1)]]):
    """A list of entries; the first that matches replies, and none means no answer."""
