"""What makes two plans two plans, by name: for whoever would put their results together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from guardgate.plan import Plan

#: How many names of one kind are told.
SHOWN = 5


def changes(old: Plan, new: Plan, old_head: Mapping[str, Any], new_head: Mapping[str, Any]) -> tuple[str, ...]:
    """Everything that differs; nothing where results of one belong to the other. The heads tell what a plan hashes."""
    found = [*_content(old, new), *_settings(old_head, new_head), *_shape(old, new), *_commit(old_head, new_head)]
    if not found and old.sha != new.sha:
        found = [*_files(old_head, new_head)] or ["something that a hash covers"]
    return tuple(found)


def _content(old: Plan, new: Plan) -> Iterator[str]:
    before = {case.case.id: case.sha for case in old.cases}
    after = {case.case.id: case.sha for case in new.cases}
    yield from _named("new cases", (name for name in after if name not in before))
    yield from _named("cases gone", (name for name in before if name not in after))
    yield from _named("cases changed", (name for name in after if name in before and after[name] != before[name]))
    if list(before) != list(after) and sorted(before) == sorted(after):
        yield "the order of the cases"
    yield from _named("rules changed", _differing(_rules(old), _rules(new)))


def _rules(plan: Plan) -> dict[str, str]:
    return {one.rule.id: one.sha for one in plan.rules}


def _settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Targets and judges with their settings, system prompts, scripts, prompt versions and anchors."""
    for what in ("targets", "judges"):
        before = {name: one["sha"] for name, one in old[what].items()}
        after = {name: one["sha"] for name, one in new[what].items()}
        yield from _named(f"{what} changed", _differing(before, after))


def _shape(old: Plan, new: Plan) -> Iterator[str]:
    if [cell.name for cell in old.cells] != [cell.name for cell in new.cells]:
        yield "the cells"
    yield from _named("what is sent for", _differing(_sent(old), _sent(new)))
    if old.repeats != new.repeats:
        yield f"repeats {old.repeats} -> {new.repeats}"
    if (old.panel.judges, old.panel.agreement, old.panel.escalate) != (
        new.panel.judges, new.panel.agreement, new.panel.escalate,
    ):  # fmt: skip
        yield "how the judges agree"


def _sent(plan: Plan) -> dict[str, str]:
    """Of cases that both plans have: how their transforms write them."""
    return {f"{one.case.id} ({name})": "\0".join(turns) for one in plan.cases for name, turns in one.sent.items()}


def _commit(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """The app may be another one at another commit, and no hash of a plan covers its code."""
    before, after = old.get("git"), new.get("git")
    if before and after and before != after:
        yield f"the commit {before[:12]} -> {after[:12]}"


def _files(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    yield from _named("files changed", _differing(old.get("files") or {}, new.get("files") or {}))
    if old.get("guardgate") != new.get("guardgate"):
        yield f"guardgate {old.get('guardgate')} -> {new.get('guardgate')}"


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    return (name for name in {**before, **after} if before.get(name) != after.get(name))


def _named(what: str, names: Iterable[str]) -> Iterator[str]:
    found = list(names)
    if found:
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        yield f"{what}: {', '.join(found[:SHOWN])}{more}"
