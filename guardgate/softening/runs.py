"""What became weaker in the runs: one small function for each field."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from math import prod
from types import MappingProxyType
from typing import Any

from guardgate.model.project import Limits, Run
from guardgate.plan import Cell, cells
from guardgate.softening.placed import placed, spot_of, unclassed
from guardgate.softening.record import Change, Softening
from guardgate.softening.sides import Sides
from guardgate.softening.values import shown

#: Changes how fast a run is, and nothing that is played.
NEUTRAL = frozenset({"concurrency"})
#: A grid with more cells than this is not spelled out.
MOST_CELLS = 100_000
#: So many cells are named.
NAMED = 5


def _lost(field: str, kind: str) -> Callable[[Run, Run, Sides], Iterator[Change]]:
    """Each name of a list that is not there any more."""

    def find(base: Run, head: Run, _sides: Sides) -> Iterator[Change]:
        new = getattr(head, field)
        for name in dict.fromkeys(getattr(base, field)):
            if name not in new:
                yield Change(kind, field, name)

    return find


def _judges(base: Run, head: Run, sides: Sides) -> Iterator[Change]:
    """A further judge makes unanimity harder to reach, but a majority another one."""
    yield from _lost("judges", "run-judges")(base, head, sides)
    added = [name for name in head.judges if name not in base.judges]
    if added and base.judges and "majority" in (base.agreement, head.agreement):
        yield Change("run-panel", "judges", ", ".join(base.judges), ", ".join(head.judges))


def _cells(base: Run, head: Run, sides: Sides) -> Iterator[Change]:
    """Cells that are gone although their target and transform are still there."""
    if (base.params, base.exclude, base.targets, base.transforms) == (
        head.params, head.exclude, head.targets, head.transforms,
    ):  # fmt: skip
        return
    if max(_size(base), _size(head)) > MOST_CELLS:
        yield Change("unclassed", "cells", f"{_size(base)}", f"{_size(head)}")
        return
    kept = {_point(cell, sides) for cell in cells(head, head.targets)}
    gone = [
        cell.name
        for cell in cells(base, base.targets)
        if cell.target in head.targets and cell.transform in head.transforms and _point(cell, sides) not in kept
    ]
    if gone:
        more = f" and {len(gone) - NAMED} more" if len(gone) > NAMED else ""
        yield Change("run-cells", "cells", shown(", ".join(gone[:NAMED]) + more))


def _size(run: Run) -> int:
    return len(run.targets) * len(run.transforms) * prod(len(values) for values in run.params.values())


def _point(cell: Cell, sides: Sides) -> tuple[str, str, str]:
    """What a cell plays: a parameter that it does not name is the one of its target."""
    target = sides.base.project.targets.get(cell.target)
    own: dict[str, Any] = {} if target is None else dict(target.params)
    own |= {name: getattr(target, name) for name in ("model", "system") if getattr(target, name, None) is not None}
    return cell.target, cell.transform, json.dumps({**own, **cell.params}, sort_keys=True, default=shown)


def _repeats(base: Run, head: Run, _sides: Sides) -> Iterator[Change]:
    if head.repeats < base.repeats:
        yield Change("run-repeats", "repeats", shown(base.repeats), shown(head.repeats))


def _agreement(base: Run, head: Run, _sides: Sides) -> Iterator[Change]:
    if base.agreement == "unanimous" and head.agreement == "majority":
        yield Change("run-agreement", "agreement", base.agreement, head.agreement)


def _escalate(base: Run, head: Run, _sides: Sides) -> Iterator[Change]:
    """Without one, what the panel leaves open stays open."""
    if head.escalate is not None and head.escalate != base.escalate:
        yield Change("run-escalate", "escalate", shown(base.escalate), head.escalate)


def _seed(base: Run, head: Run, _sides: Sides) -> Iterator[Change]:
    if base.seed != head.seed:
        yield Change("run-seed", "seed", shown(base.seed), shown(head.seed))


def _limits(base: Run, head: Run, _sides: Sides) -> Iterator[Change]:
    for name in Limits.model_fields:
        old, new = getattr(base.limits, name), getattr(head.limits, name)
        if new is not None and (old is None or new < old):
            yield Change("run-limits", f"limits.{name}", shown(old), shown(new))


def _with_cells(_base: Run, _head: Run, _sides: Sides) -> Iterator[Change]:
    """Seen where the cells are."""
    yield from ()


#: Every field of a run that decides something.
FIELDS: Mapping[str, Callable[[Run, Run, Sides], Iterator[Change]]] = MappingProxyType(
    {
        "targets": _lost("targets", "run-targets"),
        "judges": _judges,
        "agreement": _agreement,
        "escalate": _escalate,
        "transforms": _lost("transforms", "run-transforms"),
        "params": _cells,
        "exclude": _with_cells,
        "repeats": _repeats,
        "seed": _seed,
        "limits": _limits,
    }
)


def find_runs(sides: Sides) -> Iterator[Softening]:
    """Runs that are gone or play less."""
    for name, base in sides.base.project.runs.items():
        head = sides.head.project.runs.get(name)
        if head is None:
            yield placed(Change("run-removed"), spot_of(sides.base, "runs", "run", name, base=True))
            continue
        spot = spot_of(sides.head, "runs", "run", name)
        for find in FIELDS.values():
            for change in find(base, head, sides):
                yield placed(change, spot)
        for change in unclassed(base, head, NEUTRAL | FIELDS.keys()):
            yield placed(change, spot)
