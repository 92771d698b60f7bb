"""Anchors of the headings of a Markdown file, as GitHub makes them."""

from __future__ import annotations

import unicodedata
from itertools import pairwise


def anchors(text: str) -> list[str]:
    """The anchors in order; a heading that comes again gets -1, -2 and so on."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 25 ms, and only where a rule names its source

    tokens = MarkdownIt("commonmark").parse(text)
    seen: dict[str, int] = {}
    found = []
    for before, token in pairwise(tokens):
        if before.type != "heading_open":
            continue
        words = "".join(child.content for child in token.children or () if child.type in ("text", "code_inline"))
        anchor = _slug(words)
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        found.append(f"{anchor}-{count}" if count else anchor)
    return found


def _slug(words: str) -> str:
    """Lower case; letters, digits, marks, - and _ stay; a space becomes -."""
    kept = (char for char in words.strip().lower() if char in " -_" or unicodedata.category(char)[0] in "LNM")
    return "".join(kept).replace(" ", "-")
