"""The agreement that judges must reach: a floor under which a coin passes proves nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.errors import Problem
from guardgate.loaded import Loaded

#: What a judge that guesses comes to.
COIN = 0.5


def anchors_off(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """A floor that judges pass without reading."""
    anchors = loaded.project.anchors
    if anchors is not None and anchors.floor < COIN:
        off = "the test of the judges switched off (floor 0)" if anchors.floor == 0 else f"the floor {anchors.floor:g}"
        yield Problem(
            loaded.file, ("anchors", "floor"), off, f"{COIN:g} or more, for a coin passes what is lower",
            "raise it, or leave it out for 0.9: whatever such a judge says counts", "anchors-off", "warning",
        )  # fmt: skip
