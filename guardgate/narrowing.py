"""What options leave out of what a run says: its targets, its judges, its repeats. Such a run speaks of less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guardgate.model.project import Run

#: How options are named among what narrowed a run.
JUDGE = "--judge"
SHARD = "--shard"
#: Why the cells of a target that the run names are not played.
OTHERS = "--target names others"


def left_out_targets(said: Run | None, chosen: Sequence[str]) -> tuple[str, ...]:
    """The targets that the run names and `--target` does not."""
    return _without(said.targets, chosen) if said is not None else ()


def narrowed_targets(said: Run | None, chosen: Sequence[str]) -> Iterator[str]:
    """How `--target` narrowed the run; nothing where it plays every target that the run names."""
    yield from _told("--target", chosen, left_out_targets(said, chosen))


def narrowed_judges(said: Run | None, chosen: Sequence[str]) -> Iterator[str]:
    """How `--judge` narrowed the run; nothing where every judge of the run still scores."""
    yield from _told(JUDGE, chosen, _without(said.judges, chosen) if said is not None else ())


def narrowed_repeats(said: Run | None, chosen: int | None) -> Iterator[str]:
    """How `--repeats` narrowed the run; nothing where cases are played as often as the run says, or more often."""
    if said is not None and chosen is not None and chosen < said.repeats:
        yield f"--repeats {chosen} (the run says {said.repeats})"


def _without(named: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in named if one not in chosen)) if chosen else ()


def _told(option: str, chosen: Sequence[str], gone: Sequence[str]) -> Iterator[str]:
    if gone:
        yield f"{option} {', '.join(chosen)} (leaves out {len(gone)}: {', '.join(gone)})"
