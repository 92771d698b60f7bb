"""Puts labelled replies to judges, as a run does before it plays, and as `guardgate calibrate` does at length."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from guardgate.anchors import Probe
from guardgate.calibration import Scored
from guardgate.codec import score_to
from guardgate.jury import Jury, score

#: Lowest agreement with the labels where a project sets none.
DEFAULT_FLOOR = 0.9


async def score_probes(jury: Jury, name: str, probes: Sequence[Probe], repeats: int = 1) -> list[Scored]:
    """Every probe, `repeats` times, in order; as many at once as the judge's own limit lets through."""

    async def one(probe: Probe, ask: int) -> Scored:
        said = await score(jury, name, probe.question, f"anchor-{ask}-{probe.id}", float("inf"))
        return Scored(probe, said, probe.opinion(said), ask)

    return list(await asyncio.gather(*(one(probe, ask) for ask in range(repeats) for probe in probes)))


def anchor_line(judge: str, scored: Scored) -> dict[str, Any]:
    """The `anchor` line of a results file."""
    probe = scored.probe
    return {
        "t": "anchor",
        "judge": judge,
        "id": probe.id,
        "kind": probe.kind,
        "label": probe.label,
        "floors": dict(probe.question.floors),
        "turns": list(probe.question.turns),
        "reply": probe.question.replies[-1].text,
        "outcome": scored.opinion.outcome,
        "why": scored.opinion.why,
        "score": score_to(scored.score),
    }
