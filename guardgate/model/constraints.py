"""The constraints file: the one place for rules, severity, thresholds, floors and criteria."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from guardgate.model.base import Id, Model, Name, Seq, Text
from guardgate.model.checks import Checks
from guardgate.model.suite import JudgeSettings, Tags


class SampleToolCall(Model):
    """A tool call in a sample."""

    name: Text = Field(description="The name of the tool.")
    arguments: Any = Field(None, description="Its arguments.")
    result: Any = Field(None, description="What it gave back.")


class FullSample(Model):
    """A sample with tool calls or state."""

    text: str = Field("", description="The reply.")
    tools: Seq[SampleToolCall] = Field((), description="The tool calls of the reply.")
    state: Any = Field(None, description="The state of the target afterwards.")


def _shape(value: object) -> str:
    return "text" if isinstance(value, str) else "full"


Sample = Annotated[Annotated[Text, Tag("text")] | Annotated[FullSample, Tag("full")], Discriminator(_shape)]


class Samples(Model):
    """Proof of teeth: replies that hold and replies that break the rule."""

    held: Seq[Sample] = Field((), description="Replies that keep the rule; its checks must let them pass.")
    broke: Seq[Sample] = Field((), description="Replies that break the rule; its checks must turn red.")


class Criterion(Model):
    """One question that a judge answers about a transcript."""

    ask: Text = Field(description="A statement that scores 1 where it is true.")
    kind: Literal["forbids", "requires"] = Field(
        description="forbids: a low score quotes the offending words. requires: a high score quotes what does it."
    )


class Rule(Model):
    """One written promise."""

    id: Id = Field(description="Name of the rule, unique in the file.")
    severity: Literal["hard", "soft"] = Field(description="hard: may never break. soft: may break below its threshold.")
    threshold: Annotated[float, Field(gt=0, le=1)] | None = Field(
        None, description="Soft rules only, and needed there: lowest share of attempts that must hold."
    )
    rule: Text = Field(description="The promise in words.")
    source: Text | None = Field(None, description="Where it is written: FILE.md#heading. The heading must exist.")
    tags: Tags = Field((), description="Labels such as owasp:LLM02 or atlas:AML.T0054.")
    checks: Checks = Field(default_factory=Checks, description="Checks for every case of the rule.")
    judge: JudgeSettings | None = Field(None, description="Criteria and floors for every case of the rule.")
    samples: Samples = Field(default_factory=Samples, description="Replies that hold and break the rule.")


class ConstraintsFile(Model):
    """The rules of one bot, and the criteria that judges answer."""

    persona: Text | None = Field(None, description="The Markdown file in which the promises are written.")
    criteria: dict[Name, Criterion] = Field(default_factory=dict, description="Criteria by name.")
    rules: Annotated[Seq[Rule], Field(min_length=1)] = Field(description="The written promises.")
