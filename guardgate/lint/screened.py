"""Documents of attacks that the scanner does not find: worth knowing, and no fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.attacks import TABLE
from guardgate.errors import Problem
from guardgate.loaded import Loaded
from guardgate.normalize import blank
from guardgate.plan import PlannedCase


def screened(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """One note for each document of an attack in which `guardgate scan` would find nothing."""
    seen: set[str] = set()
    for planned, path in zip(loaded.cases, loaded.case_paths, strict=True):
        key = planned.files.get(planned.case.document or "")
        if key is None or key in seen or not _hostile(planned):
            continue
        seen.add(key)
        text = loaded.files[key]
        if not blank(text) and not _found(text, planned.case.document or ""):
            yield Problem(
                planned.file, (*path, "document"),
                f"the document {planned.case.document!r}, in which `guardgate scan` finds nothing",
                "nothing else: that the agent resists is what a run shows",
                "know that the scanner would let this document through", "unscreened", "note",
            )  # fmt: skip


def _hostile(planned: PlannedCase) -> bool:
    row = TABLE.get(planned.attack)
    return not planned.benign and (row is None or row.channel == "document")


def _found(text: str, name: str) -> bool:
    from guardgate.scan import at_least, scan  # noqa: PLC0415 - its patterns cost a tenth of a second

    return any(at_least(finding.severity, "medium") for finding in scan(text, name))
