"""Texts that want to be something else, and runs that carry them in every field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from guardgate.concordance import Across, Split, TargetPair
from guardgate.errors import Problem
from guardgate.fitness import Fitness, Side
from guardgate.model.constraints import Rule
from guardgate.model.suite import Case
from guardgate.plan import Cell
from guardgate.record import Attempt, Failure, Finding, Outcome, Quote, Reply, Score, ToolCall, Usage
from guardgate.report.about import About, Identity
from tests.report.build import END, Told, plan, planned, told

# fmt: off
PIECES = (
    "@octocat", "@org/team", "#1", "GH-1", "org/repo#1", "![x](https://x.example/y.png)", "[a](https://x.example)",
    "https://x.example", "www.x.example", "<img src=x>", "<script>", "</details>", "<!--", "-->", "&lt;", "`", "``",
    "```", "````", "~~~", "|", "\\|", "\\", "\\`", "*", "**", "_", "~~", "$x$", "# h", "\n# h\n", "\n\n## h\n\n",
    "\n---\n", "\n===\n", "- ", "1. ", "    ", "> ", "\n", "\r\n", "\r", "\t", "\x00", "\x07", "\x1b[31m",
    "\x1b]0;t\x07", "\x7f", "\x9b", "\x85", "\u2028", "\u2029", "\u202e", "\u2066", "\u200b", "\ufeff", "\U000e0041",
    "\ud800", "::", ":", "::error::x", "\n::error::x", " ::set-output name=a::b", "##[", "##", "[", "##[error]x",
    "##vso[task.setvariable]x", "%0A", "%", ",", "漢字", "é", "x", " ", "the secret", "{", "}",
)
# fmt: on

texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=12).map("".join)

_COMMAND = re.compile(r"^\s*::", re.MULTILINE)
_UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff\ud800-\udfff]"
)


def faults(out: str) -> Iterator[str]:
    """What a terminal or a log would do with the text beside showing it."""
    if found := _UNSEEN.search(out):
        yield f"the character {found[0]!r}"
    if found := _COMMAND.search(out):
        yield f"a workflow command at {out[found.start() : found.start() + 20]!r}"
    if found := re.search(r"##[\w.]*\[", out):
        yield f"the old form of a workflow command: {found[0]!r}"


@dataclass(frozen=True)
class Hostile:
    """A run whose every text may be anything, and what stands around it."""

    told: Told
    about: About
    attempts: tuple[Attempt, ...]


def run(text: Iterator[str]) -> Hostile:
    """A run that takes each of its texts from `text`: two broken, one held, one undecided on each side, one missing."""

    def rule(n: int, severity: Any, least: float | None) -> Rule:
        return Rule.model_construct(None, id=f"{next(text)}{n}", severity=severity, threshold=least, rule=next(text))

    rules = [rule(1, "hard", None), rule(2, "soft", 0.5), rule(3, "hard", None)]
    cases = [
        planned(
            Case.model_construct(
                None, id=f"{next(text)}{n}", attack=f"{next(text)}{n}", rule=rules[n % 2].id,
                turns=(next(text) + "asked", next(text) + "again"), task=None, transform=True,
                wants=next(text), agent=next(text), document=None if n else next(text),
            ),
            next(text), n,
        )
        for n in range(3)
    ]  # fmt: skip
    moved = f"{next(text)}t"
    cells = [Cell(0, f"{next(text)}0"), Cell(1, f"{next(text)}1", moved, {next(text): next(text)})]
    cases = [cases[0], *(replace(one, sent={moved: (next(text), next(text) + " as sent")}) for one in cases[1:])]
    of = plan(rules, cases, cells, total=9, narrowed=(next(text),), skipped=((next(text), next(text)),))
    of = replace(of, left_out=((next(text), "exclude"), (next(text), next(text) + ".")))
    judges = [f"{next(text)}{n}" for n in range(2)]
    attempts = tuple(_attempt(text, n, cases[of.at(n).case].case.id, n // 3, judges) for n in range(5))
    end = {**END, "reason": next(text) + ".", "stopped": {next(text) + "!": next(text)}}
    who = Identity(next(text), next(text) + ".", next(text) + ".", next(text) + ".", None, next(text) + ".")
    blind = (Side(next(text), "broke", 5, 0), Side(next(text), "held", 1, 0))
    fit = (Fitness(next(text), 10, 3, 1, 2, 4, 0.9, blind), Fitness(next(text), 0, 0, 0, 0, 0, 0.9))
    one = told(of, attempts, end, fit)
    one = replace(one, summary=replace(one.summary, across=_across(text), remarks=(next(text) + ".",)))
    return Hostile(one, About(next(text), next(text) + ".", 3, "x", "y", (who,), (who,)), attempts)


def _across(text: Iterator[str]) -> Across:
    names = (next(text), next(text), next(text))
    differ = (Split(next(text), next(text) + ".", names[:1], names[1:]), Split(next(text), "", names[1:], names[:1]))
    return Across(names, 9, 1, 2, 3, 3, (TargetPair(next(text), next(text), 1, 2, 1, 0, 5),), differ)


_VERDICTS: tuple[Outcome, ...] = ("broke", "broke", "held", "undecided", "undecided")
_KINDS = ("timeout", "crash", None, "timeout", "no_judge")


def _attempt(text: Iterator[str], n: int, case: str, cell: int, judges: list[str]) -> Attempt:
    call = ToolCall(next(text), {next(text): next(text)}, next(text))
    replies = tuple(
        Reply(next(text), (call,), {next(text): next(text)}, 5, Usage(1, 2, 0.5), next(text) + ".") for _ in range(2)
    )
    findings = [Finding(f"check:{next(text)}", "broke", 2, next(text) + "\x01", next(text))] * (
        5 if _VERDICTS[n] == "broke" else 0
    )
    if _VERDICTS[n] == "held":  # by a person's mark
        findings = [Finding(f"mark:{next(text)}", "held", None, None, next(text))]
        findings += [Finding(f"overruled:check:{next(text)}", "broke", 1, next(text), next(text))]
    findings += [
        Finding(f"check:{next(text)}", "undecided", 1, None, next(text), kind) for kind in _KINDS[n : n + 1] if kind
    ]
    quote = Quote(next(text), 1, next(text), True, next(text))
    scores = tuple(
        Score(judge, {next(text): 0.5}, (quote,), next(text), next(text), next(text), 2, None, next(text))
        for judge in judges
    )
    findings += [Finding(f"vote:{score.judge}", "held", 1, None, next(text)) for score in scores]
    return Attempt(
        n, case, cell, 0, next(text), 12, None, next(text), replies, Failure("timeout", next(text), turn=2), scores,
        _VERDICTS[n], tuple(findings), (next(text),) if n == 0 else (),
    )  # fmt: skip


@st.composite
def runs(draw: st.DrawFn) -> Hostile:
    """Runs with arbitrary text everywhere."""
    pool = draw(st.lists(texts, min_size=1, max_size=8))
    random = Random(draw(st.integers(0, 2**32)))

    def endless() -> Iterator[str]:
        while True:
            yield random.choice(pool)

    return run(endless())


def tame() -> Hostile:
    """The same run with harmless text."""

    def endless() -> Iterator[str]:
        while True:
            yield "word"

    return run(endless())


problems = st.lists(
    st.builds(
        Problem, file=texts, path=st.just(()), found=texts, expected=texts, todo=texts, code=texts,
        severity=st.sampled_from(["error", "warning", "note"]), line=st.integers(0, 99), col=st.integers(0, 99),
    ),
    max_size=4,
)  # fmt: skip
