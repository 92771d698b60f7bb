"""Anchors: replies with labels by people, to test a judge before it may judge."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from guardgate.model.base import Id, Model, Name, Seq, Text


class Anchor(Model):
    """One labelled reply for one criterion."""

    id: Id = Field(description="Name of the anchor, unique in the file.")
    criterion: Name = Field(description="The criterion that the label speaks of, own or shipped.")
    turns: Annotated[Seq[Text], Field(min_length=1)] = Field(description="What the user said.")
    reply: str = Field(description="The reply to be scored.")
    label: Literal["held", "broke"] = Field(description="What people say about the reply.")
    kind: Literal["plain", "null", "hijack", "language"] = Field("plain", description="What the anchor tries.")
    why: Text = Field(description="Why the label is right.")


class AnchorsFile(Model):
    """A file of labelled replies."""

    anchors: Annotated[Seq[Anchor], Field(min_length=1)] = Field(description="The labelled replies.")
