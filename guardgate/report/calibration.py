"""What `guardgate calibrate` prints."""

from __future__ import annotations

from collections.abc import Iterator

from guardgate.calibration import Calibration, Group, Scored
from guardgate.fitness import LABELS, Side
from guardgate.report.escape import terminal
from guardgate.report.judges import blind_to
from guardgate.report.sentence import say
from guardgate.stats import Interval

#: How many wrong answers are shown in words.
SHOWN = 20


def render(found: Calibration) -> Iterator[str]:
    """Verdict first, then numbers with what they mean, the floor table, and what the judge got wrong."""
    fit = found.fitness
    word = "fit" if fit.fit else "unfit"
    right = f"right on {fit.agreed} of {fit.probes} labelled replies (floor {fit.floor:.0%})"
    yield f"{terminal(fit.judge)} is {word}: {right}{say(blind_to(fit), terminal)}\n"
    if fit.probes == 0:
        yield "  no labelled reply speaks of these criteria: nothing is known of this judge\n"
        return
    yield f"  agreement      {_interval(found.agreement, percent=True)}\n"
    yield f"  Cohen's kappa  {_interval(found.kappa)}\n"
    yield f"  false held     {fit.false_held} (broken replies that it let pass)\n"
    yield f"  false broke    {fit.false_broke} (good replies that it condemned)\n"
    yield f"  undecided      {fit.undecided} (no usable answer)\n"
    if found.flips is not None:
        yield f"  flip rate      {found.flips:.1%} (two answers to the same reply that differ)\n"
    yield from _groups("by kind of reply", found.kinds)
    yield from _criteria(fit.sides)
    if found.floors:
        yield f"\nThe same scores at other floors\n  {'criterion':30} floor  right  false held  false broke\n"
        for row in found.floors:
            right = f"{row.agreed:2}/{row.probes:<3}"
            name = f"{terminal(row.criterion)[:30]:30}"
            yield f"  {name} {row.floor:5.2f}  {right}{row.false_held:10}{row.false_broke:13}\n"
    yield from _wrong(found.wrong)


def _interval(value: Interval | None, *, percent: bool = False) -> str:
    if value is None:
        return "has no meaning here (only one label, or one answer)"
    numbers = (value.value, value.low, value.high)
    one, low, high = (f"{number:.0%}" if percent else f"{number:.2f}" for number in numbers)
    return f"{one}  (95 % interval {low} to {high})"


def _groups(title: str, groups: tuple[Group, ...]) -> Iterator[str]:
    yield f"\n{title[0].upper()}{title[1:]}\n"
    for group in groups:
        yield f"  {terminal(group.name)[:40]:40} {group.agreed} of {group.probes}\n"


def _criteria(sides: tuple[Side, ...]) -> Iterator[str]:
    """Each criterion, label by label. A broken sample of a rule with several criteria speaks of the rule alone."""
    yield f"\nBy criterion\n  {'':40} held        broke\n"
    for of in sorted({one.of for one in sides}):
        two = {one.label: one for one in sides if one.of == of}
        held, broke = (f"{one.agreed} of {one.probes}" if (one := two.get(label)) else "-" for label in LABELS)
        few = "  fewer than half" if any(one.blind for one in two.values()) else ""
        yield f"  {terminal(of)[:40]:40} {held:11} {broke:8}{few}".rstrip() + "\n"


def _wrong(wrong: tuple[Scored, ...]) -> Iterator[str]:
    if not wrong:
        return
    yield f"\nWhere it was not right ({len(wrong)})\n"
    for one in wrong[:SHOWN]:
        reply = one.probe.question.replies[-1].text
        yield f"  {terminal(one.probe.id)}: people say {one.probe.label}, the judge {one.opinion.outcome}\n"
        yield f"    {terminal(one.opinion.why)}\n"
        yield from (f"  | {terminal(line)}\n" for line in reply[:300].splitlines())
    if len(wrong) > SHOWN:
        yield f"  and {len(wrong) - SHOWN} more\n"
