"""The file of a shipped suite that says what a judge can be asked beside the checks of its rules."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from guardgate.model.base import Id, Model
from guardgate.model.suite import JudgeSettings


class JudgedFile(Model):
    """Criteria and floors by rule; they count where a project says `judged: true`."""

    rules: Annotated[dict[Id, JudgeSettings], Field(min_length=1)] = Field(description="Criteria and floors by rule.")
