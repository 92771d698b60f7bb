"""From a change to a softening: its place and its weight; and what no function explains."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from guardgate.loaded import Loaded
from guardgate.model.base import Model
from guardgate.softening.kinds import KINDS
from guardgate.softening.record import Change, Softening, Spot, Weight
from guardgate.softening.values import shown


def placed(change: Change, spot: Spot, of_rule: Weight = "other") -> Softening:
    """The change where it stands. `of_rule`: how grave it is on the rule that it weakens."""
    own = KINDS[change.kind].weight
    weight = change.weight or (of_rule if own == "rule" else own)
    return Softening(
        change.kind, weight, spot.on, spot.name, change.part, change.before, change.after,
        spot.file, spot.line, spot.side,
    )  # fmt: skip


def spot_of(loaded: Loaded, section: str, on: str, name: str, *, base: bool = False) -> Spot:
    """An entry of a section of the project file, or the top of the file."""
    line = loaded.documents[loaded.file].lines.get((section, name), 1) if loaded.file in loaded.documents else 1
    return Spot(on, name, loaded.file, line, "base" if base else "head")


def unclassed(base: Model, head: Model, known: Collection[str], kind: str = "unclassed") -> Iterator[Change]:
    """Every field that differs and that nobody knows."""
    for name in dict.fromkeys((*type(base).model_fields, *type(head).model_fields)):
        if name not in known and getattr(base, name, None) != getattr(head, name, None):
            yield Change(kind, name, shown(getattr(base, name, None)), shown(getattr(head, name, None)))
