"""Where two stretches of a text overlap: what the first one told is not told again by the second."""

from __future__ import annotations

from collections.abc import Iterable

from guardgate.scan.blocks import OVERLAP, Block
from guardgate.scan.finding import Finding, at_least
from guardgate.scan.weigh import NEAR

#: So many lines before the stretch may have been joined with what stands at its beginning.
_JOINED = 10


def told(finding: Finding, block: Block, before: Iterable[Finding]) -> bool:
    """Whether the stretch before told this already, at no lower severity.

    It is the same where the line is: cut in another place, the words may differ. It is the same with the same words on
    an earlier line, since a code of several lines was cut; and at the very beginning, next to what it was joined with.
    """
    if finding.line > _line(block, OVERLAP):
        return False
    beginning = finding.line <= _line(block, NEAR)
    return any(
        one.line == finding.line
        or (one.line < finding.line and one.words == finding.words)
        or (beginning and 0 < finding.line - one.line <= _JOINED)
        for one in before
        if (one.family, one.decoded_by) == (finding.family, finding.decoded_by)
        and at_least(one.severity, finding.severity)
    )


def _line(block: Block, characters: int) -> int:
    """The line on which the text stands that is so far into the stretch."""
    return block.line + block.text.count("\n", 0, characters)
