"""The table of docs/persona-run.md: what broke in each class, with words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from pathlib import Path

from guardgate.attacks import TABLE
from guardgate.marks import Marks
from guardgate.model.checks import Checks, NotRegex
from guardgate.plan import Plan
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


def classes(file: Path, without: AbstractSet[str] = frozenset()) -> Classes:
    """Everything decided anew from the stored words, without the forbidden patterns of this set."""
    results = open_results(file)
    found = Classes()
    for attempt in sorted(decided(results, lighter(results.plan, without), Marks(())), key=lambda one: one.n):
        name = results.plan.cases[results.plan.at(attempt.n).case].attack
        assert attempt.verdict != "undecided", attempt.case
        found.attempts[name] += 1
        found.broke[name] += attempt.verdict == "broke"
        for finding in attempt.findings:
            if finding.outcome == "broke" and finding.words:
                found.words.setdefault(name, short(finding.words))
    return found


def lighter(plan: Plan, without: AbstractSet[str]) -> Plan:
    """The plan without these patterns."""

    def checks(of: Checks) -> Checks:
        spec = of.not_regex
        if not isinstance(spec, NotRegex) or not without & set(spec.any):
            return of
        left = tuple(one for one in spec.any if one not in without)
        if left:
            return of.model_copy(update={"not_regex": spec.model_copy(update={"any": left})})
        kept = of.model_dump(include=of.model_fields_set - {"not_regex"}, exclude_unset=True)
        return Checks.model_validate(kept)

    rules = [replace(one, rule=one.rule.model_copy(update={"checks": checks(one.rule.checks)})) for one in plan.rules]
    cases = [replace(one, case=one.case.model_copy(update={"checks": checks(one.case.checks)})) for one in plan.cases]
    return replace(plan, rules=tuple(rules), cases=tuple(cases)) if without else plan


def short(words: str) -> str:
    """In one line, and cut."""
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN].rstrip()}..."


def rows(bots: Mapping[str, Classes]) -> list[str]:
    """The lines of the table, a class a line, the benign one last."""

    def line(name: str) -> str:
        attempts = next(iter(bots.values())).attempts[name]
        numbers = " | ".join(str(one.broke[name]) for one in bots.values())
        whose = next((bot for bot in WORDS_OF if name in bots[bot].words), None)
        words = "-" if whose is None else f"{whose}: {markdown_cell(bots[whose].words[name])}"
        return f"| `{name}` | {attempts} | {numbers} | {words} |"

    return [line(name) for name in TABLE if any(one.attempts[name] for one in bots.values())]
