"""What a comparison of two runs says, as blocks for every format that people read, and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from math import ceil
from typing import Any

from guardgate.comparison import MEANING, Comparison, Move, RuleChange, State
from guardgate.report.content import Block, Heading, Lines, Mood
from guardgate.report.sentence import Raw, Sentence, joined, listed, more, number
from guardgate.report.tables import ROWS, Column, Row, Table, share

WORD = {0: "not worse", 1: "worse", 2: "newly broken", 3: "incomplete"}
#: How many cases of one kind are named.
NAMED = 20
_COLUMNS = (
    Column("rule", "rule"),
    Column("severity", "sev."),
    Column("cases", "cases", number=True),
    Column("base", "base", number=True),
    Column("head", "head", number=True),
    Column("change", "change", number=True),
    Column("95 % interval", "95 %", number=True),
    Column("p", "p", number=True),
    Column("smallest visible drop", "visible", number=True),
    Column("verdict", "verdict"),
)
_ORDER = ("newly broken", "worse", "open", "cannot tell", "same", "better")
_MOODS: Mapping[int, Mood] = {0: "good", 1: "bad", 2: "bad", 3: "open"}


def verdict(found: Comparison) -> str:
    """The code, its word and its meaning, in our own words."""
    return f"{found.code}: {WORD[found.code]}: {MEANING[found.code]}"


def blocks(found: Comparison) -> Iterator[Block]:
    """The verdict, what moved, what cannot be compared, and the table of rules."""
    yield Heading(verdict(found), _MOODS[found.code], first=True)
    hard = tuple(dict.fromkeys(one.rule for one in found.rules if one.verdict == "newly broken"))
    if hard:
        yield Lines((("hard rules with a case that newly broke: ", *listed(hard)),), "bad")
    yield Lines((*((Raw(reason),) for reason in (*found.lacks, *found.less)), *_counts(found)))
    yield from _moved(found)
    if found.rules:
        yield Heading("Rules against the base")
        yield table(found.rules)
        yield Lines(tuple(_meaning(found)))
    yield Heading("The two runs")
    differs: list[Sentence] = [("differs: ", Raw(one)) for one in found.other]
    yield Lines((("base ", Raw(found.base)), ("head ", Raw(found.head)), *differs))


def _counts(found: Comparison) -> Iterator[Sentence]:
    told = ", ".join(f"{len(found.having(state)):,} {words}" for state, words in _STATES)
    yield (f"{number(len(found.moves), 'case')} compared, once for each cell: {told}",)
    if found.apart:
        yield (f"{number(len(found.apart), 'case')} not comparable: ", *_apart(found))


_STATES: tuple[tuple[State, str], ...] = (
    ("newly broken", "newly broken"), ("fixed", "fixed"), ("still broken", "still broken"),
    ("held", "held in both"), ("open", "open"),
)  # fmt: skip


def _apart(found: Comparison) -> Sentence:
    reasons = list(dict.fromkeys(one.why for one in found.apart))
    told: list[Sentence] = []
    for why in reasons:
        names = list(dict.fromkeys(one.case for one in found.apart if one.why == why))
        told.append((Raw(why), ": ", *listed(names, NAMED)))
    return joined(told, "; ")


def _moved(found: Comparison) -> Iterator[Block]:
    for state, name in _HEADS:
        moves = found.having(state)
        if moves:
            yield Heading(f"{name} ({len(moves):,})")
            rest = len(moves) - NAMED
            yield Lines(
                (*(_move(found, one) for one in moves[:NAMED]), *(((f"and {rest:,} more",),) if rest > 0 else ()))
            )


_HEADS: tuple[tuple[State, str], ...] = (
    ("newly broken", "Newly broken"), ("still broken", "Still broken"), ("fixed", "Fixed"),
)  # fmt: skip


def _move(found: Comparison, one: Move) -> Sentence:
    several = len({move.cell for move in found.moves}) > 1
    cell: Sentence = (", cell ", Raw(one.cell)) if several else ()
    counts = f": held {one.before.held} of {one.before.planned}, now {one.after.held} of {one.after.planned}"
    return (Raw(one.case), f", {one.severity} rule ", Raw(one.rule), *cell, counts)


def table(rules: Sequence[RuleChange]) -> Table:
    """One row a rule, the worst first."""
    ranked = sorted(rules, key=lambda one: (_ORDER.index(one.verdict), one.severity, one.change.mean))
    return Table(_COLUMNS, tuple(map(_row, ranked[:ROWS])), max(0, len(ranked) - ROWS))


def _row(one: RuleChange) -> Row:
    found = one.change
    visible = "none" if found.visible is None else str(_up(min(found.visible, 1) * 100))
    # Drawing from two or three cases shows those again, and nothing of the cases that were not asked.
    interval = "-" if found.visible is None else f"{-_up(-found.low * 100):+d} to {_up(found.high * 100):+d}"
    p = f"{_up(found.p * 1000) / 1000:.3f}"  # what is over 0.05 never looks as if it were not
    return (
        Raw(one.rule), one.severity, str(found.cases), share(one.before), share(one.after),
        f"{found.mean * 100:+.1f}", interval, p, visible, one.verdict,
    )  # fmt: skip


def _up(value: float) -> int:
    """The next whole number, unless the value is one but for the last bits of a float."""
    return ceil(value - 1e-9)


def _meaning(found: Comparison) -> Iterator[Sentence]:
    yield ("change: points of the pass rate, mean over the cases, with its 95 % interval (bootstrap over cases)",)
    yield (
        "p: how often noise alone makes a drop this large (signs of the cases' differences flipped); 0.05 and less is "
        "beyond noise",
    )
    yield ("visible: the smallest drop that so many cases show in 4 of 5 comparisons; a smaller one may stay unseen",)
    if found.cells:
        named: list[Sentence] = [(Raw(rule), " in ", Raw(cell)) for rule, cell in found.cells[:NAMED]]
        yield (
            "exploratory (one comparison a cell, Benjamini-Hochberg at 5 %): fell in single cells: ",
            *joined(named, "; "), *more(len(found.cells) - NAMED, "more"),
        )  # fmt: skip


def as_json(found: Comparison, gate_code: int) -> dict[str, Any]:
    """The comparison for programs. `raised`: what a gate with this baseline comes to."""
    return {
        "code": found.code,
        "verdict": WORD[found.code],
        "meaning": MEANING[found.code],
        "gate": gate_code,
        "raised": found.raised(gate_code),
        "lacks": list(found.lacks),
        "less": list(found.less),
        "differs": list(found.other),
        "compared": len(found.moves),
        **{state.replace(" ", "_"): [_named(one) for one in found.having(state)] for state in _TOLD},
        "not_comparable": [asdict(one) for one in found.apart],
        "rules": [
            {"rule": one.rule, "severity": one.severity, "before": one.before, "after": one.after,
             **asdict(one.change), "verdict": one.verdict}
            for one in found.rules
        ],
        "base": found.base,
        "head": found.head,
    }  # fmt: skip


_TOLD: tuple[State, ...] = ("newly broken", "fixed", "still broken", "open")


def _named(one: Move) -> dict[str, str]:
    return {"case": one.case, "rule": one.rule, "severity": one.severity, "cell": one.cell}
