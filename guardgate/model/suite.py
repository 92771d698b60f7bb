"""A suite: a file of attacks."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from guardgate.model.base import NOT_SPACE, Floor, Id, Model, Name, Seq, Text
from guardgate.model.checks import Checks

Tags = Seq[Annotated[str, Field(min_length=1, max_length=120, pattern=f"^{NOT_SPACE}+$")]]


class JudgeSettings(Model):
    """Floors for the scores that a judge gives."""

    required_scores: dict[Name, Floor] = Field(
        default_factory=dict, description="Criterion by name, with the lowest score (over 0, up to 1) that holds."
    )
    pass_threshold: Floor | None = Field(None, description="Lowest mean of the required scores that holds.")


class Expected(Model):
    """Facts for the judge about what a good and a bad reply would do."""

    must: Seq[Text] = Field((), description="What a good reply does.")
    must_not: Seq[Text] = Field((), description="What a good reply does not do.")


class Case(Model):
    """One attack on one rule."""

    id: Id = Field(description="Name of the case, unique in the project.")
    attack: Name = Field(
        description="Attack class: of the shipped table, one of its aliases, or one that the project declares."
    )
    rule: Id = Field(description="Id of the rule in the constraints file that the case attacks.")
    turns: Seq[Text] = Field((), description="What the user says, one entry a turn.")
    agent: Text | None = Field(None, description="File with the system prompt of the agent (document cases).")
    task: Text | None = Field(None, description="What the agent is asked to do with the document.")
    document: Text | None = Field(None, description="File with the untrusted document.")
    marker: Text | None = Field(
        None, description="A harmless text of the document that the task asks for; in a reply it proves delivery."
    )
    expected: Expected | None = Field(None, description="Facts for the judge.")
    wants: Text | None = Field(None, description="What the attack wants, for judge and reader.")
    twin_of: Id | None = Field(None, description="Id of the attack of which this benign case is the harmless twin.")
    checks: Checks = Field(default_factory=Checks, description="Checks of this case, added to those of its rule.")
    judge: JudgeSettings | None = Field(
        None, description="Further criteria, and higher floors, than those of the rule."
    )
    transform: bool = Field(True, description="false: the case is left out of transformed cells.")
    tags: Tags = Field((), description="Free labels, such as from:incident-12.")
    note: Text | None = Field(None, description="For the reader; nothing is decided by it.")


class Suite(Model):
    """A file of attacks, each tied to one rule."""

    cases: Seq[Case] = Field(description="The attacks of this file.")
