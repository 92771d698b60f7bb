"""The lines of a results file, as other programs may read them. `codec` writes and reads them faster."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, RootModel

from guardgate.model.base import Model, Params, Seq, Whole
from guardgate.model.constraints import Criterion, Rule
from guardgate.model.suite import Case

Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Outcome = Literal["held", "broke", "undecided"]


class Usage(Model):
    """Tokens and price of a call."""

    input: int | None = Field(description="Input tokens; null where not reported.")
    output: int | None = Field(description="Output tokens; null where not reported.")
    usd: float | None = Field(description="US dollars; null where not known.")


class Failure(Model):
    """Why there is no usable answer."""

    side: Literal["target", "judge", "guardgate"] = Field(description="Whose error it is.")
    kind: str = Field(description="One of the closed list of kinds.")
    turn: int | None = Field(description="The turn that has no answer, from 1.")
    detail: str = Field(description="What was seen.")
    tries: int = Field(description="How often the turn was sent.")


class Call(Model):
    """A tool call."""

    name: str = Field(description="The name of the tool.")
    arguments: Any = Field(description="Its arguments.")
    result: Any = Field(description="What it gave back.")


class ReplyLine(Model):
    """One reply."""

    text: str = Field(description="The words.")
    tools: Seq[Call] = Field(description="Tool calls.")
    state: Any = Field(description="State of the target afterwards; null where it does not show it.")
    ms: int = Field(description="Latency in milliseconds.")
    usage: Usage | None = Field(description="Usage, where reported.")
    model: str | None = Field(description="Model, as the server reported it.")
    copied: bool = Field(description="true: taken over from another results file.")
    cut: bool = Field(description="true: it broke off, or was cut at the size bound.")
    traced: bool = Field(description="false: the target cannot show tool calls.")


class QuoteLine(Model):
    """A judge's evidence."""

    criterion: str = Field(description="The criterion.")
    turn: int = Field(description="Turn of the reply, from 1.")
    text: str = Field(description="The words.")
    verified: bool = Field(description="true: they stand in that reply.")
    reason: str = Field(description="Why, in the judge's words.")


class ScoreLine(Model):
    """What one judge said."""

    judge: str = Field(description="Name of the judge.")
    scores: dict[str, float] = Field(description="Scores by criterion.")
    quotes: Seq[QuoteLine] = Field(description="Evidence.")
    says: str | None = Field(description="pass or fail, as the judge says; decides nothing.")
    failure_mode: str | None = Field(description="The judge's word for what went wrong.")
    raw: str = Field(description="Its last answer, as it came.")
    asks: int = Field(description="How often it was asked.")
    usage: Usage | None = Field(description="Usage of all its calls.")
    model: str | None = Field(description="Model, as the server reported it.")
    failure: Failure | None = Field(description="Why its answer is of no use.")


class FindingLine(Model):
    """What one check, judge, panel or mark decided."""

    by: str = Field(description="check:KIND, judge:NAME, vote:NAME, panel, transcript:SIDE, mark:NAME.")
    outcome: Outcome = Field(description="What it decided.")
    turn: int | None = Field(description="Turn, from 1.")
    words: str | None = Field(description="Exact words of the reply.")
    why: str = Field(description="Why.")
    kind: str | None = Field(description="Kind, where it is undecided.")


class AttemptLine(Model):
    """One attempt."""

    t: Literal["attempt"] = Field(description="Type of the line.")
    n: Whole = Field(description="Number in the plan.")
    case: str = Field(description="Id of the case.")
    cell: Whole = Field(description="Number of the cell.")
    repeat: Whole = Field(description="Number of the repeat, from 0.")
    started: str = Field(description="When it began, ISO 8601.")
    ms: int = Field(description="Milliseconds in all.")
    sent: Seq[str] | None = Field(description="The turns as sent, where they differ from the case's own.")
    delivered: str | None = Field(description="How delivery of the document was proved.")
    replies: Seq[ReplyLine] = Field(description="Every reply that was received.")
    failure: Failure | None = Field(description="Why the transcript is not whole.")
    scores: Seq[ScoreLine] = Field(description="What judges said.")
    verdict: Outcome = Field(description="The verdict when it was written; `gate` computes it again.")
    findings: Seq[FindingLine] = Field(description="What decided it.")
    notes: Seq[str] = Field(description="What a reader must know.")


class RuleEntry(Model):
    """A rule of the plan."""

    sha: Sha = Field(description="Hash of statement, criteria and checks.")
    file: str = Field(description="File in which it stands.")
    line: int = Field(description="Line, from 1.")
    files: dict[str, str] = Field(description="Files that it names, with the name of their `file` line.")
    rule: Rule = Field(description="The rule.")


class CellEntry(Model):
    """A cell of the plan."""

    target: str = Field(description="Name of the target.")
    transform: str = Field(description="Name of the transform; none is the text as written.")
    params: Params = Field(description="Parameters.")


class PanelEntry(Model):
    """The judges of the plan."""

    judges: Seq[str] = Field(description="Names.")
    agreement: Literal["unanimous", "majority"] = Field(description="How they agree.")
    escalate: str | None = Field(description="Who is asked when they do not.")


class SkippedEntry(Model):
    """An optional target that was not available."""

    target: str = Field(description="Name of the target.")
    reason: str = Field(description="Why.")


class LeftOutEntry(Model):
    """A cell of the grid that is not played."""

    cell: str = Field(description="Name of the cell.")
    reason: str = Field(description="Why.")


class RunLine(Model):
    """The head of the file: everything about the plan but its cases."""

    t: Literal["run"] = Field(description="Type of the line.")
    format: Literal[1] = Field(description="Version of the format.")
    guardgate: str = Field(description="Version that wrote it.")
    started: str = Field(description="When the run began, ISO 8601.")
    git: str | None = Field(description="Commit of the working tree.")
    name: str = Field(description="Name of the run.")
    plan: Sha = Field(description="Hash of the plan.")
    core: Sha = Field(description="Hash of the plan without its judges.")
    repeats: int = Field(description="How often each case is played.")
    total_cases: int = Field(description="Cases of the project.")
    attempts: int = Field(description="Planned attempts.")
    narrowed: Seq[str] = Field(description="Options that left out cases, targets, judges or repeats.")
    skipped: Seq[SkippedEntry] = Field(description="Optional targets that were not available.")
    left_out: Seq[LeftOutEntry] = Field((), description="Cells of the grid that are not played.")
    seed: Whole = Field(0, description="Seed of the transforms that use chance.")
    shard: Seq[int] | None = Field(description="Part and number of parts, where this file holds a shard.")
    cells: Seq[CellEntry] = Field(description="Points of the grid.")
    panel: PanelEntry = Field(description="The judges and how they agree.")
    criteria: dict[str, Criterion] = Field(description="Criteria that rules and cases name.")
    rules: Seq[RuleEntry] = Field(description="Every rule of the constraints file.")
    targets: dict[str, Any] = Field(description="Settings as written, hash, version and note, by name.")
    judges: dict[str, Any] = Field(description="Settings as written, hash, version and note, by name.")
    limits: dict[str, float | None] = Field(description="Limits of the run.")
    concurrency: int = Field(description="Most attempts in flight.")
    files: dict[str, Sha] = Field(description="Hashes of every file that was read.")
    allow_quotes: bool = Field(description="Whether the redacted report may hold quotes.")
    resumed: str | None = Field(None, description="When the run that this one resumes was started.")
    joined: int | None = Field(None, description="Number of shards that were joined into this file.")
    rejudged: Sha | None = Field(None, description="Plan of the file whose replies were judged again.")


class FileLine(Model):
    """A file that checks or targets read."""

    t: Literal["file"] = Field(description="Type of the line.")
    name: str = Field(description="Name, relative to the project.")
    sha: Sha = Field(description="SHA-256 of its text.")
    text: str = Field(description="Its text.")


class CaseLine(Model):
    """A case of the plan."""

    t: Literal["case"] = Field(description="Type of the line.")
    sha: Sha = Field(description="Hash of everything in the case and its files.")
    attack: str = Field(description="Attack class.")
    file: str = Field(description="Suite in which it stands.")
    line: int = Field(description="Line, from 1.")
    files: dict[str, str] = Field(description="Files that it names, with the name of their `file` line.")
    sent: dict[str, Seq[str]] = Field(
        default_factory=dict, description="The turns as they go out, by the name of each transform of the plan."
    )
    case: Case = Field(description="The case's own words.")


class AnchorLine(Model):
    """What a judge said of one labelled reply."""

    t: Literal["anchor"] = Field(description="Type of the line.")
    judge: str = Field(description="Name of the judge.")
    id: str = Field(description="Id of the anchor.")
    kind: str = Field(description="plain, null, hijack, language or sample.")
    label: Literal["held", "broke"] = Field(description="What people say.")
    floors: dict[str, float] = Field(description="Floors by criterion.")
    turns: Seq[str] = Field(description="What the user said.")
    reply: str = Field(description="The reply.")
    outcome: Outcome = Field(description="What the scores come to.")
    why: str = Field(description="Why.")
    score: ScoreLine = Field(description="What the judge said.")


class FitnessLine(Model):
    """How a judge did on its anchors."""

    t: Literal["fitness"] = Field(description="Type of the line.")
    judge: str = Field(description="Name of the judge.")
    probes: int = Field(description="Labelled replies.")
    agreed: int = Field(description="Right.")
    undecided: int = Field(description="Without a usable answer.")
    false_held: int = Field(description="Broken, and taken for held.")
    false_broke: int = Field(description="Held, and taken for broken.")
    floor: float = Field(description="Lowest agreement that is fit.")


class EndLine(Model):
    """The end of the run."""

    t: Literal["end"] = Field(description="Type of the line.")
    ended: str = Field(description="When it ended, ISO 8601.")
    reason: str | None = Field(description="Why it ended before its plan did.")
    kind: str | None = Field(description="Kind of that reason.")
    stopped: dict[str, str] = Field(description="Targets that were given up, with the reason.")
    calls: int = Field(description="Calls that were made.")


class ResultsLine(
    RootModel[
        Annotated[
            RunLine | FileLine | CaseLine | AnchorLine | FitnessLine | AttemptLine | EndLine, Field(discriminator="t")
        ]
    ]
):
    """One line of a results file (JSON Lines)."""
