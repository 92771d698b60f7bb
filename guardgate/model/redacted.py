"""The redacted report: what may be committed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from guardgate.model.base import Model, Seq

#: A quote that is longer is left out.
MAX_QUOTE = 160

Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Who(Model):
    """A target or judge."""

    name: str = Field(description="Its name in the project file.")
    backend: str = Field(description="Kind of the backend.")
    model: str | None = Field(description="Model as the project file names it.")
    version: str | None = Field(description="Version that the backend reported; null where it is not plain.")


class RuleRow(Model):
    """One rule in one cell."""

    rule: str = Field(description="Id of the rule.")
    severity: Literal["hard", "soft"] = Field(description="Severity of the rule.")
    threshold: float | None = Field(description="Threshold of a soft rule.")
    cell: int = Field(description="Number of the cell.")
    planned: int = Field(description="Planned attempts.")
    held: int = Field(description="Attempts that held.")
    broke: int = Field(description="Attempts that broke.")
    undecided: dict[str, int] = Field(description="Undecided attempts by side: target, judge, guardgate.")
    state: Literal["held", "broke", "below", "incomplete", "deferred"] = Field(description="What the gate says of it.")


class QuoteRow(Model):
    """Words that a judge quoted from a reply; only with allow_quotes."""

    judge: str = Field(description="Name of the judge.")
    criterion: str = Field(description="Name of the criterion.")
    turn: int = Field(description="Turn of the reply, from 1.")
    text: Annotated[str, Field(max_length=MAX_QUOTE)] = Field(description="Exact words of the reply.")


class AttemptRow(Model):
    """One attempt, without its words."""

    n: int = Field(description="Number in the plan.")
    case: str = Field(description="Id of the case.")
    rule: str = Field(description="Id of the rule.")
    attack: str = Field(description="Attack class.")
    cell: int = Field(description="Number of the cell.")
    repeat: int = Field(description="Number of the repeat, from 0.")
    verdict: Literal["held", "broke", "undecided"] = Field(description="The verdict.")
    kind: str | None = Field(description="Why it is undecided.")
    by: str | None = Field(description="What decided: a check, a judge, a panel or a person's mark.")
    scores: dict[str, dict[str, float]] = Field(description="Scores by judge and criterion.")
    replies: Seq[Sha] = Field(description="SHA-256 of each reply.")
    documents: dict[str, Sha] = Field(description="SHA-256 of each file of the case, by its name there.")
    quotes: Seq[QuoteRow] = Field(description="Verified quotes; empty without allow_quotes.")


class Redacted(Model):
    """The redacted report of one run."""

    format: Literal["guardgate-redacted/1"] = Field(description="Version of this format.")
    guardgate: str = Field(description="Version that wrote the results.")
    plan: str = Field(description="Hash of the plan.")
    code: Literal[0, 1, 2, 3] = Field(description="Exit code.")
    verdict: str = Field(description="The code in a word.")
    cases: int = Field(description="Cases of the run.")
    of_cases: int = Field(description="Cases that the project had.")
    narrowed: bool = Field(description="Whether an option left out cases, targets, judges or repeats of the run.")
    cells: Seq[str] = Field(description="Target, transform and params of each cell; a param's text as a hash.")
    cells_left_out: int = Field(description="Cells of the grid that were not played.")
    targets: Seq[Who] = Field(description="Systems under test.")
    judges: Seq[Who] = Field(description="Judges.")
    rules: Seq[RuleRow] = Field(description="Rules by cell.")
    attempts: Seq[AttemptRow] = Field(description="Attempts in order.")
