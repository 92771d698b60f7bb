"""Findings of the scanner that a person has looked at and lets stand."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from guardgate.model.base import Model, Seq, Text
from guardgate.scan.finding import Family, Severity


class Suppression(Model):
    """One finding that does not count, and why. Other words at the same place are another finding.

    The same words elsewhere in the file are the same finding.
    """

    path: Text = Field(description="The file, as the scan prints it.")
    family: Family = Field(description="The family of the finding.")
    words: Text = Field(description="The words of the finding, as the scan prints them.")
    severity: Severity = Field(description="The severity that was accepted: a heavier finding counts again.")
    reason: Text = Field(description="Why it may stand. The scan shows it.")


class SuppressionsFile(Model):
    """A file of findings that do not count."""

    suppressions: Annotated[Seq[Suppression], Field(min_length=1)] = Field(description="The findings.")
