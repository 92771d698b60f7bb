"""What became weaker in the rest of the project file: targets, judges, anchors, translations, quotes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

from guardgate.loaded import Loaded
from guardgate.model.anchors import Anchor
from guardgate.model.project import Target
from guardgate.softening.placed import placed, spot_of
from guardgate.softening.record import Change, Softening, Spot
from guardgate.softening.runs import find_runs
from guardgate.softening.sides import Sides
from guardgate.softening.values import shown
from guardgate.source import fingerprint

#: How fast it may be asked and what it costs.
NEUTRAL = frozenset({"concurrency", "max_rpm", "price"})
#: Files that tell a judge how to judge. Those of a target are the bot itself, which is what a run tries.
FILES = ("system", "script")
DEFAULT_FLOOR = 0.9


def _systems(section: Literal["targets", "judges"]) -> Callable[[Sides], Iterator[Softening]]:
    on = section.removesuffix("s")

    def find(sides: Sides) -> Iterator[Softening]:
        after: Mapping[str, Target] = getattr(sides.head.project, section)
        before: Mapping[str, Target] = getattr(sides.base.project, section)
        for name, base in before.items():
            if name not in after:
                spot = spot_of(sides.base, section, on, name, base=True)
                yield placed(Change(f"{on}-removed", "backend", base.backend), spot)
                continue
            spot = spot_of(sides.head, section, on, name)
            for change in _of_system(base, after[name], sides, on):
                yield placed(change, spot)

    return find


def _of_system(base: Target, head: Target, sides: Sides, on: str) -> Iterator[Change]:
    if head.optional and not base.optional:
        yield Change("optional", "optional", "false", "true")
    for name in dict.fromkeys((*type(base).model_fields, *type(head).model_fields)):
        if name in NEUTRAL or name == "optional":
            continue
        old, new = getattr(base, name, None), getattr(head, name, None)
        read = on == "judge" and name in FILES
        before = _content(old, sides.base) if read else old
        after = _content(new, sides.head) if read else new
        if before != after:
            yield Change(f"{on}-changed", name, shown(old), shown(new) if old != new else "other words in it")


def _content(name: Any, loaded: Loaded) -> Any:
    return None if name is None else loaded.hashes.get(str(name), name)


def _anchors(sides: Sides) -> Iterator[Softening]:
    kept, ids = {_label(one) for one in sides.head.anchors}, {one.id: one for one in sides.head.anchors}
    for one in sides.base.anchors:
        if _label(one) not in kept:
            instead = ids.get(one.id)
            kind = "anchors-removed" if instead is None else "anchors-changed"
            yield placed(Change(kind, one.criterion, _said(one), "" if instead is None else _said(instead)),
                         _spot(sides.head, "anchor", one.id))  # fmt: skip
    old, new = (_floor(side) for side in (sides.base, sides.head))
    if new < old:
        yield placed(Change("anchors-floor", "floor", shown(old), shown(new)), _spot(sides.head, "anchors", "floor"))


def _label(one: Anchor) -> str:
    """What people said of which reply; not what the entry is called, nor why."""
    return fingerprint(one.model_dump(mode="json", exclude={"id", "why"}))


def _said(one: Anchor) -> str:
    return shown(f"{one.label}: {one.reply}")


def _floor(loaded: Loaded) -> float:
    return loaded.project.anchors.floor if loaded.project.anchors is not None else DEFAULT_FLOOR


def _translations(sides: Sides) -> Iterator[Softening]:
    for name, old in sides.base.translations.items():
        new = sides.head.translations.get(name)
        changed = [turn for turn in old if new is not None and new.get(turn) != old[turn]]
        if new is not None and changed:
            change = Change("translation-changed", changed[0], shown(old[changed[0]]), shown(new.get(changed[0])))
            yield placed(change, _spot(sides.head, "translation", name))


def _quotes(sides: Sides) -> Iterator[Softening]:
    if sides.head.project.allow_quotes and not sides.base.project.allow_quotes:
        yield placed(Change("quotes-allowed", "allow_quotes", "false", "true"), _spot(sides.head, "project", "quotes"))


def _spot(loaded: Loaded, on: str, name: str) -> Spot:
    return Spot(on, name, loaded.file, 1)


#: Every field of a project file by which a gate can become weaker.
FIELDS: Mapping[str, Callable[[Sides], Iterator[Softening]]] = MappingProxyType(
    {
        "targets": _systems("targets"),
        "judges": _systems("judges"),
        "runs": find_runs,
        "anchors": _anchors,
        "translations": _translations,
        "allow_quotes": _quotes,
    }
)
#: Seen in the rules and cases themselves, or a description for readers.
ELSEWHERE = frozenset({"version", "constraints", "suites", "attacks"})
