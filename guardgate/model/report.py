"""The report for programs: the verdict, the counts, and every attempt that did not hold."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from guardgate.model.base import Model, Seq
from guardgate.model.redacted import Who

Verdict = Literal["held", "broke", "undecided"]


class Sides(Model):
    """Undecided attempts by whose they are."""

    target: int = Field(description="The system under test gave no usable answer.")
    judge: int = Field(description="No judge decided.")
    guardgate: int = Field(description="guardgate or one of its limits ended it.")


class Counts(Model):
    """Attempts by verdict; held, broke and undecided add up to attempts."""

    attempts: int = Field(description="Planned attempts.")
    held: int = Field(description="Attempts that held.")
    broke: int = Field(description="Attempts that broke their rule.")
    undecided: Sides = Field(description="Attempts that say nothing.")


class RuleCounts(Counts):
    """One rule in one cell."""

    rule: str = Field(description="Id of the rule.")
    statement: str = Field(description="What the rule promises.")
    severity: Literal["hard", "soft"] = Field(description="Severity of the rule.")
    threshold: float | None = Field(description="Threshold of a soft rule.")
    cell: int = Field(description="Number of the cell in cells.")
    state: Literal["held", "broke", "below", "incomplete", "deferred"] = Field(description="What the gate says of it.")


class ClassCounts(Counts):
    """One attack class in one cell."""

    attack: str = Field(description="Attack class.")
    cell: int = Field(description="Number of the cell in cells.")


class KindCount(Model):
    """One kind of undecided."""

    side: Literal["target", "judge", "guardgate"] = Field(description="Whose error it is.")
    kind: str = Field(description="What happened.")
    count: int = Field(description="How often.")
    example: str = Field(description="The first detail.")


class CellCounts(Counts):
    """One cell."""

    cell: str = Field(description="Target, transform and params.")
    code: Literal[0, 1, 2, 3] | None = Field(description="The code of this cell alone; null: it has no attempt.")


class LeftOut(Model):
    """A cell that was not played."""

    cell: str = Field(description="Target, transform and params.")
    reason: str = Field(description="`exclude`, that its target was not available, or that --target names others.")


class Marked(Model):
    """An attempt that a person decided."""

    attempt: int = Field(description="Number of the attempt.")
    case: str = Field(description="Id of the case.")
    verdict: Verdict = Field(description="What the person decided.")
    by: str = Field(description="Who it was.")
    note: str = Field(description="The reason.")


class Cost(Model):
    """What the run took."""

    replies: int = Field(description="Replies received.")
    copied: int = Field(description="Replies among them that were copied from an earlier run.")
    input_tokens: int = Field(description="Tokens sent.")
    output_tokens: int = Field(description="Tokens received.")
    usd: float | None = Field(description="US dollars; null where nobody reported them.")
    judge_asks: int = Field(description="Calls to judges.")


class NotHeld(Model):
    """One attempt that broke or is undecided."""

    n: int = Field(description="Number in the plan, for `guardgate show`.")
    case: str = Field(description="Id of the case.")
    rule: str = Field(description="Id of the rule.")
    severity: Literal["hard", "soft"] = Field(description="Severity of the rule.")
    attack: str = Field(description="Attack class.")
    file: str = Field(description="File of the case.")
    line: int = Field(description="Line of the case there.")
    cell: int = Field(description="Number of the cell in cells.")
    repeat: int = Field(description="Number of the repeat, from 0.")
    verdict: Literal["broke", "undecided"] = Field(description="The verdict.")
    by: str = Field(description="What decided it, or left it open.")
    kind: str | None = Field(description="Why it is undecided.")
    turn: int | None = Field(description="Turn of the words, from 1.")
    words: str | None = Field(description="Words of the reply that decided, cut after 500 characters.")
    why: str = Field(description="The reason, cut after 500 characters.")


class Report(Counts):
    """The report of one run."""

    format: Literal["guardgate-report/1"] = Field(description="Version of this format.")
    guardgate: str = Field(description="Version that wrote the results.")
    run: str = Field(description="Name of the run.")
    plan: str = Field(description="Hash of the plan.")
    commit: str = Field(description="Commit that was tested; empty where it is not known.")
    started: str = Field(description="When the run began.")
    seconds: int | None = Field(description="How long it took.")
    results: str = Field(description="The results file.")
    code: Literal[0, 1, 2, 3] = Field(description="Exit code.")
    verdict: Literal["held", "below", "broke", "incomplete"] = Field(description="The code in a word.")
    meaning: str = Field(description="The code in a sentence.")
    hard_broke: Seq[str] = Field(description="Hard rules that broke, also where the code is 3.")
    below: Seq[str] = Field(description="Soft rules below their threshold.")
    incomplete: Seq[str] = Field(description="Rules that nothing can be said about.")
    not_attacked: Seq[str] = Field(description="Rules without an attempt.")
    narrowed: Seq[str] = Field(description="Options that left out cases, targets, judges or repeats.")
    by_cell: Seq[CellCounts] = Field(description="Each cell by itself, in the order of cells.")
    cells_left_out: Seq[LeftOut] = Field(description="Cells of the grid that were not played.")
    skipped: Seq[str] = Field(description="Optional targets that were left out.")
    marked: Seq[Marked] = Field(description="Attempts that people decided, 40 at most.")
    remarks: Seq[str] = Field(description="Marks that were not used, and why.")
    cells: Seq[str] = Field(description="Target, transform and params of each cell.")
    targets: Seq[Who] = Field(description="Systems under test.")
    judges: Seq[Who] = Field(description="Judges.")
    rules: Seq[RuleCounts] = Field(description="Rules by cell, in the order of the constraints file.")
    classes: Seq[ClassCounts] = Field(description="Attack classes by cell.")
    kinds: Seq[KindCount] = Field(description="Why attempts are undecided.")
    cost: Cost = Field(description="What the run took.")
    not_held: Seq[NotHeld] = Field(description="Every attempt that broke or is undecided.")
