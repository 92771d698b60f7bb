"""A results file counted again: everything from the stored words, under the stored rules or others, and with marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from guardgate.counting import counted
from guardgate.gate import Gate, gate
from guardgate.marks import Marks, marked
from guardgate.plan import Plan
from guardgate.record import Attempt
from guardgate.results import Results
from guardgate.summary import Summary, redecided, summarise


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


def decided(results: Results, plan: Plan, marks: Marks) -> Iterator[Attempt]:
    """Each attempt as its stored words, and a mark where there is one, decide it now."""
    for stored in results.attempts():
        attempt = redecided(plan, stored)
        mark = marks.of(plan, attempt) if marks else None
        yield attempt if mark is None else marked(attempt, mark)
