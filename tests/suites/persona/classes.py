"""The table of docs/persona-run.md: what broke in each class, with words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

from guardgate.attacks import TABLE
from guardgate.marks import Marks
from guardgate.recount import decided
from guardgate.report.escape import markdown_cell
from guardgate.results import open_results

#: So many characters of the words are shown.
SHOWN = 60
#: Whose words are shown, first found first.
WORDS_OF = ("bare", "told", "careless")


@dataclass
class Classes:
    """Of one results file: attempts and breaks by class, and the first words of each class that broke a rule."""

    attempts: Counter[str] = field(default_factory=Counter)
    broke: Counter[str] = field(default_factory=Counter)
    words: dict[str, str] = field(default_factory=dict)


def classes(file: Path, no_break: AbstractSet[int] = frozenset()) -> Classes:
    """Everything decided anew from the stored words, but that these attempts count as no break."""
    results = open_results(file)
    found = Classes()
    for attempt in sorted(decided(results, results.plan, Marks(())), key=lambda one: one.n):
        name = results.plan.cases[results.plan.at(attempt.n).case].attack
        assert attempt.verdict != "undecided", attempt.case
        found.attempts[name] += 1
        if attempt.verdict != "broke" or attempt.n in no_break:
            continue
        found.broke[name] += 1
        broke = [one.words for one in attempt.findings if one.outcome == "broke" and one.words]
        if broke:  # one pattern may show the end of what another shows whole
            found.words.setdefault(name, short(max(broke, key=len)))
    return found


def short(words: str) -> str:
    """In one line, and cut."""
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN].rstrip()}..."


def rows(bots: Mapping[str, Classes], spoken: Mapping[str, Classes]) -> list[str]:
    """The lines of the table, a class a line, the benign one last. `spoken`: whose words are shown."""

    def line(name: str) -> str:
        numbers = " | ".join(f"{one.broke[name]} of {one.attempts[name]}" for one in bots.values())
        whose = next((bot for bot in WORDS_OF if name in spoken[bot].words), None)
        words = "-" if whose is None else f"{whose}: {markdown_cell(spoken[whose].words[name])}"
        return f"| `{name}` | {numbers} | {words} |"

    return [line(name) for name in TABLE if any(one.attempts[name] for one in bots.values())]
