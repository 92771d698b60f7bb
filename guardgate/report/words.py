"""What the reports say of a run, in the order in which every report says it. All counts come from the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from guardgate.gate import MEANING, WORD, Gate
from guardgate.narrowing import OTHERS
from guardgate.report.about import About, Identity
from guardgate.report.judges import unfit
from guardgate.report.sentence import Raw, Sentence, clipped, joined, listed, more, number
from guardgate.summary import Kind, Summary, Tally
from guardgate.transforms import TABLE

READ_THESE = "A reply can pass the rule and still be a bad reply: read these."
SIDES: Mapping[str, str] = {
    "target": "the system under test gave no usable answer, which is no failure of a rule",
    "judge": "no judge decided, which is no failure of the target",
    "guardgate": "guardgate or one of its limits ended it",
}
NOTES = 8


def banner(summary: Summary, gate: Gate) -> str:
    """The verdict: exit code, its word and its meaning, all from the gate; a run that covers less says so at once."""
    covers = coverage(summary)
    return f"{gate.code}: {WORD[gate.code]}: {MEANING[gate.code]}" + (f" ({covers})" if covers else "")


def coverage(summary: Summary) -> str:
    """`3 of 16 rules attempted`, or nothing where the run speaks of all rules and cases, everywhere that it names."""
    plan = summary.plan
    attempted, rules = len(summary.attempted_rules), len(plan.rules)
    cases, total = len(plan.cases), plan.total
    dropped = sum(reason == OTHERS for _, reason in plan.left_out)
    parts = [f"{attempted} of {number(rules, 'rule')}"] if attempted < rules or plan.narrowed else []
    parts += [f"{cases} of {number(total, 'case')}"] if cases < total else []
    parts += [f"{len(plan.cells)} of {number(len(plan.cells) + dropped, 'cell')}"] if dropped else []
    said = " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)
    return f"{said} attempted" if said else ""


def hard_broke(gate: Gate) -> Sentence:
    """Which hard rules broke, or nothing. Said also where the code is 3."""
    names = gate.hard_broke
    if not names:
        return ()
    return ("a hard rule broke: " if len(names) == 1 else "hard rules broke: ", *listed(names))


def deferred(gate: Gate) -> Sentence:
    """Soft rules of a shard: no part can decide them."""
    return ("soft rules, decided when the shards are joined: ", *listed(gate.having("deferred")))


def below(gate: Gate) -> Sentence:
    """Which soft rules fell below their threshold, or nothing."""
    names = gate.having("below")
    return ("below its threshold: " if len(names) == 1 else "below their thresholds: ", *listed(names)) if names else ()


def counts(tally: Tally) -> str:
    """The three counts, and whose the undecided ones are."""
    sides = ", ".join(f"{side} {getattr(tally, side):,}" for side in SIDES)
    whose = f" ({sides})" if tally.undecided else ""
    return (
        f"{number(tally.planned, 'attempt')}: {tally.held:,} held, {tally.broke:,} broke, "
        f"{tally.undecided:,} undecided{whose}"
    )


def limits(summary: Summary) -> Iterator[Sentence]:
    """What the verdict does not speak of: what was left out, replaced, copied or cut short."""
    plan = summary.plan
    if plan.narrowed:
        yield ("narrowed by ", *listed(plan.narrowed))
    if summary.not_attacked:
        yield (f"not attacked, so not decided ({len(summary.not_attacked)}): ", *listed(summary.not_attacked))
    for target, reason in plan.skipped:
        yield ("optional target left out: ", Raw(target), ": ", Raw(reason))
    yield from _cells(summary)
    yield from unfit(summary)
    yield from _notes(summary.notes)
    if summary.facts.copied:
        yield (
            f"{summary.facts.copied:,} of {number(summary.facts.replies, 'reply', 'replies')} copied from a run before",
        )
    yield from _end(summary)


def _cells(summary: Summary) -> Iterator[Sentence]:
    """Cells that are not played or hold no case, cases that are in no transformed cell, transforms without effect."""
    plan = summary.plan
    for reason in dict.fromkeys(why for _, why in plan.left_out):
        names = [name for name, why in plan.left_out if why == reason]
        yield (
            f"{number(len(names), 'cell')} of the grid left out ({_OURS.get(reason, 'another reason')}): ",
            *listed(names),
        )
    played = {cell for _, cell in summary.rules}
    empty = [cell.name for cell in plan.cells if cell.index not in played]
    if empty:
        yield (f"{number(len(empty), 'cell')} without an attempt: ", *listed(empty))
    if any(cell.transform != "none" for cell in plan.cells):
        reasons = Counter(one.stays_plain for one in plan.cases)
        told = [f"{count:,} {why}" for why, count in reasons.items() if why is not None]
        if told:
            yield (f"cases that stay out of transformed cells: {', '.join(told)}",)
    if plan.unchanged:
        case, transform = plan.unchanged[0]
        what = number(len(plan.unchanged), "time")
        yield (f"{what} a transform left the words as they were, first: ", Raw(case), " under ", Raw(transform))


#: Why a cell is left out, as a plan says it.
_OURS = {reason: reason for reason in ("exclude", "target not available", OTHERS)}


def _notes(notes: Mapping[str, int]) -> Iterator[Sentence]:
    """Notes on replies, those about secrets first."""
    ranked = sorted(notes.items(), key=lambda one: ("secret" not in one[0], -one[1], one[0]))
    for note, count in ranked[:NOTES]:
        yield (f"noted on {number(count, 'attempt')}: ", Raw(note))
    if len(ranked) > NOTES:
        yield (f"and {number(len(ranked) - NOTES, 'other note')}",)


def _end(summary: Summary) -> Iterator[Sentence]:
    if not summary.end:
        yield ("the run did not come to its end: its results file has no last line",)
    if summary.end.get("reason"):
        yield ("the run was stopped: ", Raw(str(summary.end["reason"])))
    stopped = summary.end.get("stopped")
    for target, reason in stopped.items() if isinstance(stopped, Mapping) else ():
        yield ("no longer asked: ", Raw(str(target)), ": ", Raw(str(reason)))


@dataclass(frozen=True, slots=True)
class Side:
    """What is undecided on one side: how much, and by kind with the first detail."""

    head: Sentence
    kinds: tuple[Sentence, ...]


def undecided(summary: Summary) -> Iterator[Side]:
    """One entry for each side that left something open."""
    for side, meaning in SIDES.items():
        kinds = [kind for kind in summary.kinds if kind.side == side]
        open_ = getattr(summary.total, side)
        # An attempt that broke before its target died is counted as broke; its error is told here too.
        also = sum(kind.count for kind in kinds) - open_
        if open_ or also > 0:
            told = f", and {number(also, 'error')} in attempts that broke before" if also > 0 else ""
            yield Side((f"{side}: {number(open_, 'attempt')}{told}: {meaning}",), tuple(_kind(kind) for kind in kinds))


def _kind(kind: Kind) -> Sentence:
    return (Raw(kind.kind), f" {kind.count:,}", ", first: ", clipped(kind.example))


def reason(summary: Summary) -> Iterator[Sentence]:
    """In one sentence what left most attempts open, for who reads nothing else; nothing where none is."""
    kinds = sorted(summary.kinds, key=lambda kind: (kind.kind in _AFTER, -kind.count, kind.kind))
    if kinds:
        others = len(kinds) - 1
        yield ("undecided: ", *_kind(kinds[0]), *more(others, "other kind" if others == 1 else "other kinds"))


#: What follows from another error, or from the end of the run.
_AFTER = frozenset({"skipped", "cancelled"})


def undecided_attempts(summary: Summary) -> Sentence:
    """Numbers of undecided attempts, for `show`; nothing where none was played."""
    numbers = ", ".join(str(attempt.n) for attempt in summary.undecided)
    rest = summary.total.undecided - len(summary.undecided)
    return (f"attempts {numbers}", *more(rest, "more")) if numbers else ()


def facts(summary: Summary, about: About) -> Iterator[Sentence]:
    """The run in numbers, and who was asked."""
    costs = summary.facts
    fresh = costs.replies - costs.copied
    yield (
        f"{number(summary.total.planned, 'attempt')}, {number(costs.replies, 'reply', 'replies')} received: "
        f"{fresh:,} fresh, {costs.copied:,} copied",
    )
    dollars = "cost not reported" if costs.usd is None else f"{costs.usd:.4f} US dollars"
    yield (f"tokens {costs.input_tokens:,} in, {costs.output_tokens:,} out; {dollars}",)
    if costs.judge_asks:
        yield (f"judges were asked {number(costs.judge_asks, 'time')}",)
    for role, identities in (("target", about.targets), ("judge", about.judges)):
        yield from (_identity(role, one) for one in identities)
    if any(TABLE[cell.transform].seeded for cell in summary.plan.cells if cell.transform in TABLE):
        yield (f"seed {summary.plan.seed} of transforms that use chance",)
    yield from _written(summary, about)


def _identity(role: str, one: Identity) -> Sentence:
    details = [(f"{what} ".lstrip(), Raw(text)) for what, text in _details(one) if text]
    return (f"{role} ", Raw(one.name), *((": ", *joined(details, ", ")) if details else ()))


def _details(one: Identity) -> tuple[tuple[str, str], ...]:
    return (("backend", one.backend), ("model", one.model), ("version", one.version), ("", one.note))


def _written(summary: Summary, about: About) -> Iterator[Sentence]:
    if about.started:
        yield (
            "started ",
            Raw(about.started),
            *((f", took {_took(about.seconds)}",) if about.seconds is not None else ()),
        )
    by = [("guardgate ", Raw(about.guardgate))] if about.guardgate else []
    by += [("commit ", Raw(about.commit[:12]))] if about.commit else []
    yield joined([*by, ("run ", Raw(summary.plan.name), ", plan ", Raw(summary.plan.sha[:12]))], ", ")
    yield ("results ", Raw(about.results))


def _took(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return " ".join(f"{n} {unit}" for n, unit in ((hours, "h"), (minutes, "min"), (rest, "s")) if n) or "0 s"
