"""Turns in another language, written by people who speak it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from guardgate.model.base import Model, Text


class Translations(Model):
    """What a transform `translation.NAME` sends in the place of each turn."""

    turns: Annotated[dict[str, Text], Field(min_length=1)] = Field(
        description="Each turn as the suite has it, letter by letter, with its translation."
    )
