"""A results file as a baseline: what it is compared with, and when another one may take its place."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from guardgate.comparison import Comparison, Side, compare, some
from guardgate.errors import Refused
from guardgate.marks import Marks
from guardgate.plan import Plan
from guardgate.recount import summary_of
from guardgate.results import Results, open_results


@dataclass(frozen=True)
class Against:
    """A run held against its baseline: the comparison, both runs, and the code of the head's own gate."""

    comparison: Comparison
    base: Side
    head: Side

    @property
    def code(self) -> int:
        """The gate's code, raised by the baseline where that is worse. Never lower than the gate's own."""
        return self.comparison.raised(self.head.gate.code)


def against(base: Path, head: Path, marks: Marks | None = None) -> Against:
    """Compare two results files under the head's severities, thresholds and floors. Raises Refused."""
    new, old = open_results(head), open_results(base)
    sides = (_side(old, _under(old.plan, new.plan), marks), _side(new, new.plan, marks))
    return Against(compare(*sides), *sides)


def _side(results: Results, plan: Plan, marks: Marks | None) -> Side:
    summary, gated = summary_of(results, plan, marks)
    return Side(str(results.path), summary, gated, results.head)


def _under(old: Plan, new: Plan) -> Plan:
    """The old plan with the new severities, thresholds and floors of every rule that is still the same."""
    rules = []
    for one in old.rules:
        now = new.rule_index.get(one.rule.id)
        rules.append(replace(now, files=one.files) if now is not None and now.sha == one.sha else one)
    return replace(old, rules=tuple(rules), criteria={**new.criteria, **old.criteria})


def why_not(head: Side, comparison: Comparison | None) -> str | None:
    """Why a run may not become the baseline; None: it may. `comparison`: with the one that is there, if any."""
    if head.gate.code != 0:
        return f"its own gate says {head.gate.code}"
    plan = head.summary.plan
    if plan.shard is not None or plan.narrowed or plan.skipped:
        return "it speaks of less than the whole project"
    if comparison is not None and comparison.code != 0:
        return f"the comparison with the baseline says {comparison.code}"
    if comparison is not None and comparison.gone:
        return f"it has no attempt in a cell of the baseline: {some(comparison.gone)}"
    return None


def take(base: Path, head: Path) -> None:
    """Put a copy of `head` in the place of `base`, whole or not at all. Raises Refused."""
    written = base.with_name(f"{base.name}.{os.getpid()}.new")
    try:
        base.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(head, written)
        os.replace(written, base)
    except OSError as error:
        with suppress(OSError):
            written.unlink(missing_ok=True)
        raise Refused(
            str(base), f"a baseline that cannot be written ({error.strerror})", "a folder with room",
            "make room, or choose another file",
        ) from error  # fmt: skip


def first(head: Path, marks: Marks | None = None) -> Side:
    """The run that may become the first baseline. Raises Refused for what is no results file."""
    results = open_results(head)
    return _side(results, results.plan, marks)
