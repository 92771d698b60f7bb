"""What the scanner reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Severity = Literal["low", "medium", "high"]
Family = Literal[
    "override",
    "new_orders",
    "role",
    "reveal",
    "forced_output",
    "addressed",
    "fake_turn",
    "command",
    "exfiltration",
    "tool",
    "memory",
    "trigger",
    "active_markup",
    "hidden_markup",
    "hidden_characters",
    "encoded",
    "undecoded",
]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
FAMILIES: tuple[Family, ...] = get_args(Family)


@dataclass(frozen=True, slots=True)
class Finding:
    """A pattern of an injection. `line` counts from 1; `decoded_by`: what was undone to read it, outermost first.

    `words`: the exact words of the file, or of the decoded text, at most `WORDS` characters.
    """

    path: str
    line: int
    family: Family
    severity: Severity
    words: str
    decoded_by: tuple[str, ...] = ()


#: Longer words are cut.
WORDS = 200


def at_least(severity: Severity, floor: Severity) -> bool:
    """Whether a severity is the floor or above it."""
    return SEVERITIES.index(severity) >= SEVERITIES.index(floor)
