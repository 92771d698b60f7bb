"""What guardgate writes down: frozen records, without I/O, formatting or clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

Side = Literal["target", "judge", "guardgate"]
Outcome = Literal["held", "broke", "undecided"]
Retry = Literal["no", "resend", "restart"]

#: Every kind of `undecided`, and whose error it is. The list is closed.
KINDS: Mapping[str, Side] = MappingProxyType(
    {
        "no_answer": "target",
        "blank": "target",
        "timeout": "target",
        "connection": "target",
        "http_error": "target",
        "bad_request": "target",
        "auth": "target",
        "not_found": "target",
        "quota": "target",
        "rate_limited": "target",
        "cut_stream": "target",
        "malformed": "target",
        "too_large": "target",
        "blocked": "target",
        "raw_output": "target",
        "error_text": "target",
        "forgotten": "target",
        "not_delivered": "target",
        "no_trace": "target",
        "no_state": "target",
        "crashed": "target",
        "app_error": "target",
        "skipped": "target",
        "unavailable": "target",
        "no_judge": "judge",
        "unreachable": "judge",
        "unparseable": "judge",
        "scores_invalid": "judge",
        "quote_not_found": "judge",
        "disagreement": "judge",
        "unfit": "judge",
        "budget": "guardgate",
        "cancelled": "guardgate",
        "crash": "guardgate",
    }
)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call that the target made, with its result where the trace shows one."""

    name: str
    arguments: Any = None
    result: Any = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call and their price in US dollars; None where it was not reported."""

    input: int | None = None
    output: int | None = None
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What one turn brought back. `ms` is its latency in milliseconds.

    `cut`: the answer broke off; what was received can break a rule, never hold one.
    `traced`: false where the target cannot show its tool calls, so that none seen proves nothing.
    """

    text: str
    tools: tuple[ToolCall, ...] = ()
    state: Any = None
    ms: int = 0
    usage: Usage | None = None
    model: str | None = None
    copied: bool = False
    cut: bool = False
    traced: bool = True


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no usable reply.

    `retry`: `resend` (refused before processing), `restart` (new conversation from turn 1) or `no`.
    `after`: seconds that the other side asked us to wait. `busy`: it is asked too much, so that
    every call to it slows down. `fatal`: each further call would fail alike (wrong key, no quota),
    so the target is stopped. `partial`: what was received before.
    """

    kind: str
    detail: str
    retry: Retry = "no"
    after: float | None = None
    fatal: bool = False
    turn: int | None = None
    tries: int = 1
    partial: Reply | None = None
    busy: bool = False

    @property
    def side(self) -> Side:
        """Whose error it is: target, judge or guardgate."""
        return KINDS[self.kind]


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation at the moment when its last turn waits for a reply.

    `turns` has one entry more than `replies`. `deadline` is a monotonic time in seconds. `alone`: the
    first try died with others around it, so a process that is shared must not be used again.
    """

    id: str
    turns: tuple[str, ...]
    replies: tuple[Reply, ...] = ()
    system: str | None = None
    task: str | None = None
    document: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    deadline: float = float("inf")
    alone: bool = False

    @property
    def turn(self) -> str:
        """The user's words that wait for a reply."""
        return self.turns[-1]


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a judge quoted for one criterion; `verified`: they stand in the reply of that turn."""

    criterion: str
    turn: int
    text: str
    verified: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """What one judge said of one attempt: scores (0 to 1) by criterion, or why there are none."""

    judge: str
    scores: Mapping[str, float] = field(default_factory=dict)
    quotes: tuple[Quote, ...] = ()
    says: str | None = None
    failure_mode: str | None = None
    raw: str = ""
    asks: int = 1
    usage: Usage | None = None
    model: str | None = None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check or judge decided. `turn` counts from 1; `words` are exact words of the reply."""

    by: str
    outcome: Outcome
    turn: int | None = None
    words: str | None = None
    why: str = ""
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One case, in one cell, one repeat: what was sent, what came back, and what was decided.

    `sent`: the turns as sent, where they differ from the case's own. `ms`: milliseconds in all.
    """

    n: int
    case: str
    cell: int
    repeat: int
    started: str = ""
    ms: int = 0
    sent: tuple[str, ...] | None = None
    delivered: str | None = None
    replies: tuple[Reply, ...] = ()
    failure: Failure | None = None
    scores: tuple[Score, ...] = ()
    verdict: Outcome = "undecided"
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
