"""`baseline`: the run of a pull request beside an earlier one. It can raise the code and never lowers it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from guardgate.baseline import against
from guardgate.ci.inputs import Inputs
from guardgate.ci.play import Played
from guardgate.comparison import Comparison
from guardgate.errors import GuardgateError
from guardgate.marks import Marks
from guardgate.report import change
from guardgate.report.content import Heading
from guardgate.report.markdown import laid_out


def beside_baseline(played: Played, inputs: Inputs, workspace: Path) -> Played:
    """The run with what the baseline makes of it. Without one it says so: a first run has nothing to be held against.

    A baseline that is there and cannot be used leaves open whether anything got worse: 3.
    """
    if not inputs.baseline or played.results is None or played.reason:
        return played
    base = _file(workspace / inputs.baseline, played, workspace)
    if base is None:
        note = f"no baseline was found at {inputs.baseline}, so nothing was compared"
        return replace(played, notes=(*played.notes, note))
    try:
        found = against(base, played.results.path, Marks(played.marks) if played.marks else None)
    except GuardgateError as problem:
        return replace(played, code=3, reason=f"the baseline cannot be used: {problem}")
    raised = found.comparison.raised(played.code)
    reason = f"held against its baseline, {change.verdict(found.comparison)}" if raised != played.code else ""
    return replace(played, code=raised, reason=reason, compared=found.comparison)


def _file(place: Path, played: Played, workspace: Path) -> Path | None:
    """The file, or the newest one of this bot in a folder that was downloaded; inside the workspace only."""
    found = [place] if place.is_file() else sorted(place.rglob(f"{played.bot.stem}.jsonl")) if place.is_dir() else []
    own = played.results.path.parent.resolve() if played.results is not None else None
    inside = [one for one in found if one.resolve().is_relative_to(workspace) and one.resolve().parent != own]
    return inside[-1] if inside else None


def blocks(found: Comparison) -> Iterator[str]:
    """The comparison in Markdown, as a part of a page: it holds no word of any reply."""
    for block in change.blocks(found):
        if isinstance(block, Heading) and block.first:
            yield laid_out(Heading(f"Against the baseline: {block.text}", block.mood))
        else:
            yield laid_out(block)
