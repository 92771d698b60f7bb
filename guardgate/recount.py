"""A results file counted again: everything from the stored words, under the stored rules or others, and with marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from guardgate.counting import counted
from guardgate.decider import Decider
from guardgate.gate import Gate, gate
from guardgate.marks import Marks, marked
from guardgate.plan import Plan
from guardgate.record import Attempt, Finding
from guardgate.results import Results
from guardgate.summary import MET, Summary, redecided, summarise


def summary_of(results: Results, plan: Plan | None = None, marks: Marks | None = None) -> tuple[Summary, Gate]:
    """Everything recomputed from the stored words, under the stored rules or those of `plan`, and with marks."""
    playing = plan or results.plan
    signed = marks or Marks(())
    end, fit = results.end(), results.fitness
    if plan is not None:
        from guardgate.refit import refitted  # noqa: PLC0415 - only under other floors

        fit = refitted(results, plan)
    if signed:
        summary = summarise(playing, decided(results, playing, signed), end, fit)
    else:
        summary = counted(results, playing).done(end, fit)
    summary = replace(summary, remarks=signed.notes(), ended=end is not None)
    return summary, gate(summary)


def decided(
    results: Results, plan: Plan, marks: Marks, verdicts: bytes = b"", whole: Callable[[int], bool] | None = None
) -> Iterator[Attempt]:
    """Each attempt as its stored words, and a mark where there is one, decide it now.

    `verdicts`: a summary's, from the same words and without marks. What held there is decided anew only where `whole`
    says so of its number; elsewhere it comes with the finding of its first check, and nobody waits for the others.
    """
    for stored in results.attempts():
        if whole is not None and not marks and verdicts[stored.n : stored.n + 1] == _HELD and not whole(stored.n):
            yield replace(stored, verdict="held", findings=_first(plan.deciders[plan.at(stored.n).case]))
            continue
        attempt = redecided(plan, stored)
        mark = marks.of(plan, attempt) if marks else None
        yield attempt if mark is None else marked(attempt, mark)


_HELD = bytes([MET["held"]])


def _first(decider: Decider) -> tuple[Finding, ...]:
    """What stands first among the findings of an attempt that held; nothing where judges alone decided it."""
    names = [*(part.name for part in decider.forbids), *(part.name for part in decider.requires)]
    return tuple(Finding(f"check:{name}", "held") for name in names[:1])
