"""The step summary: over 1 MiB the runner drops it without a word, so it is cut between blocks before that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

#: Bytes that the summaries of one step may have.
MOST = 900 * 1024
CUT = "\n**Cut here: the rest is in the report, see the output `report-path`.**\n"


def bounded(blocks: Iterable[str], most: int = MOST) -> str:
    """As many whole blocks as fit into so many bytes, and a line that says so where one did not."""
    kept: list[str] = []
    size = len(CUT.encode())
    for block in blocks:
        size += len(block.encode("utf-8", "replace"))
        if size > most:
            return "".join([*kept, CUT])
        kept.append(block)
    return "".join(kept)


def write(environ: Mapping[str, str], text: str) -> str | None:
    """Append to the summary of this step; the reason where that failed. Elsewhere there is no such file."""
    path = environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return None
    try:
        with open(path, "a", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        return f"the step summary could not be written: {error.strerror}"
    return None
