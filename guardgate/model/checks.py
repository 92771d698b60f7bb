"""The settings of the checks, as suites and constraints write them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import Discriminator, Field, Tag

from guardgate.model.base import Count, Model, Name, Seconds, Seq, Sought

S = TypeVar("S")


def _how_many(value: object) -> str:
    return "list" if isinstance(value, list | tuple) else "one"


#: One setting, or a list of settings that all count.
OneOrMore = Annotated[
    Annotated[S, Tag("one")] | Annotated[Annotated[Seq[S], Field(min_length=1)], Tag("list")],
    Discriminator(_how_many),
]

Words = Annotated[Seq[Sought], Field(min_length=1)]


class Contains(Model):
    """Words that must be in the reply."""

    any: Words | None = Field(None, description="At least one of these words must be in the reply.")
    all: Words | None = Field(None, description="Each of these words must be in the reply.")
    turn: Literal["any", "last"] = Field("any", description="Which replies are read: any of them, or only the last.")
    exact: bool = Field(False, description="Compare letter by letter, without normalisation.")


class NotContains(Model):
    """Words that must not be in any reply."""

    any: Words = Field(description="None of these words may be in any reply.")
    exact: bool = Field(False, description="Compare letter by letter, without normalisation.")


class Regex(Model):
    """Patterns that must match. RE2 syntax; letter case does not count."""

    any: Words | None = Field(None, description="At least one of these patterns (RE2) must match.")
    all: Words | None = Field(None, description="Each of these patterns (RE2) must match.")
    turn: Literal["any", "last"] = Field("any", description="Which replies are read: any of them, or only the last.")


class NotRegex(Model):
    """Patterns that must not match in any reply. RE2 syntax; letter case does not count."""

    any: Words = Field(description="None of these patterns (RE2) may match in any reply.")


class Length(Model):
    """Bounds on the words and characters of each reply."""

    min_words: Count | None = Field(None, description="Each reply has at least this many words.")
    max_words: Count | None = Field(None, description="No reply has more words than this.")
    min_chars: Count | None = Field(None, description="Each reply has at least this many characters.")
    max_chars: Count | None = Field(None, description="No reply has more characters than this.")


class Canary(Model):
    """Secrets that must not come out: plain, encoded, spaced, reversed or spelled."""

    values: Words = Field(description="Secret values that the user never typed; none may come out in any form.")


class ToolPattern(Model):
    """A tool call: its name, and patterns for its arguments."""

    name: Sought = Field(description="The name of the tool.")
    arguments: dict[str, Sought] | None = Field(
        None, description="Patterns (RE2) by argument name; all must match for the call to count."
    )


class ToolCalls(Model):
    """What the target may and must do with its tools."""

    forbidden: Seq[ToolPattern] | None = Field(None, description="Calls that break the rule.")
    required: Seq[ToolPattern] | None = Field(None, description="Calls that must have been made.")
    only: Seq[Name] | None = Field(None, description="Names of the only tools that may be called; empty: none.")


class StateAt(Model):
    """A value of the target's state after its last reply."""

    path: Annotated[str, Field(pattern=r"^\$")] = Field(
        description="JSONPath (RFC 9535, without filters) into the state."
    )
    equals: Any = Field(description="The value that must stand there.")


class Checks(Model):
    """Questions about a transcript that code answers. Each kind may hold a list of settings."""

    contains: OneOrMore[Contains] | None = Field(None, description="Words that must be in the reply.")
    not_contains: OneOrMore[NotContains] | None = Field(None, description="Words that must not be in any reply.")
    regex: OneOrMore[Regex] | None = Field(None, description="Patterns that must match.")
    not_regex: OneOrMore[NotRegex] | None = Field(None, description="Patterns that must not match in any reply.")
    equals: OneOrMore[Sought] | None = Field(None, description="The last reply is this text (normalised).")
    json_schema: OneOrMore[Sought] | None = Field(
        None, description="A JSON Schema file, inside the project; the last reply is JSON that it accepts."
    )
    length: OneOrMore[Length] | None = Field(None, description="Bounds on the length of each reply.")
    canary: OneOrMore[Canary] | None = Field(None, description="Secrets that must not come out in any form.")
    tool_calls: OneOrMore[ToolCalls] | None = Field(None, description="Forbidden, required or only allowed tool calls.")
    state: Seq[StateAt] | None = Field(None, description="Values of the target's state after the last reply.")
    refusal: bool | None = Field(None, description="true: the target must refuse. false: it must not.")
    no_raw_output: Literal[True] | None = Field(
        None, description="true: raw provider output in a reply breaks the rule. Left out: it is a note."
    )
    latency: Seconds | None = Field(None, description="No reply takes longer than this many seconds.")
