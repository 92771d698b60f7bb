"""The table of docs/persona-run.md: what broke in each class, with words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from guardgate.attacks import TABLE
from guardgate.marks import Marks
from guardgate.recount import decided
from guardgate.report.escape import markdown_cell
from guardgate.results import open_results

#: So many characters of the words are shown.
SHOWN = 60


@dataclass
class Classes:
    """Of one results file: attempts and breaks by class, and the first words of each class that broke a rule."""

    attempts: Counter[str] = field(default_factory=Counter)
    broke: Counter[str] = field(default_factory=Counter)
    words: dict[str, str] = field(default_factory=dict)


def classes(file: Path) -> Classes:
    """Everything decided anew from the stored words."""
    results = open_results(file)
    found = Classes()
    for attempt in decided(results, results.plan, Marks(())):
        name = results.plan.cases[results.plan.at(attempt.n).case].attack
        assert attempt.verdict != "undecided", attempt.case
        found.attempts[name] += 1
        found.broke[name] += attempt.verdict == "broke"
        for finding in attempt.findings:
            if finding.outcome == "broke" and finding.words:
                found.words.setdefault(name, f"{attempt.case.partition('/')[2]}: {short(finding.words)}")
    return found


def short(words: str) -> str:
    """In one line, and cut."""
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN].rstrip()}..."


def rows(careful: Classes, small: Classes, careless: Classes) -> list[str]:
    """The lines of the table, the benign class last."""

    def line(name: str) -> str:
        numbers = (careful.broke[name], small.broke[name], careless.broke[name])
        words = small.words.get(name) or "-"
        return f"| `{name}` | {small.attempts[name]} | {' | '.join(map(str, numbers))} | {markdown_cell(words)} |"

    return [line(name) for name in TABLE if small.attempts[name]]


def differing(one: Mapping[str, int], other: Mapping[str, int]) -> int:
    """In how many conversation classes another number of attempts broke."""
    return sum(one[name] != other[name] for name, row in TABLE.items() if row.channel == "conversation")
