"""A pattern of several ways, taken apart: each of them has to prove itself."""

from __future__ import annotations

import re

#: What stands for itself (an escape, a class of characters), and what opens, closes or parts.
_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)


def ways(pattern: str) -> list[str]:
    """The alternatives of a pattern outside all brackets; the pattern itself where it has none."""
    depth, start, found = 0, 0, []
    for piece in _PIECE.finditer(pattern):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if piece[0] == "|" and not depth:
            found.append(pattern[start : piece.start()])
            start = piece.end()
    return [*found, pattern[start:]]
