"""Evidence is verbatim or void: a quote must stand in the reply of the turn that it names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from guardgate.checks.tool_calls import as_text
from guardgate.normalize import blank
from guardgate.record import Quote, Reply

#: Fewer letters and digits than this show nothing, unless they are the whole reply. A Chinese one counts for two.
LEAST = 4


def folded(text: str) -> str:
    """NFC with white space folded: the only freedom that a quote has."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def stands_in(quote: str, reply: Reply) -> bool:
    """Whether the words are words of this reply or of one of its tool calls."""
    wanted = folded(quote)
    if blank(wanted):
        return False
    text = folded(reply.text)
    if wanted == text:
        return True
    calls = (folded(as_text(call.arguments)) for call in reply.tools if call.arguments is not None)
    return _letters(wanted) >= LEAST and any(wanted in one for one in (text, *calls))


def _letters(text: str) -> int:
    """Letters, digits and the signs that belong to them; a wide one (Chinese, Japanese, Korean) says more."""
    signs = (char for char in text if unicodedata.category(char)[0] in "LNM")
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in signs)


def verified(quotes: Iterable[Quote], replies: Sequence[Reply]) -> tuple[Quote, ...]:
    """The quotes, each marked as found or not. Turns count from 1."""
    return tuple(
        replace(quote, verified=1 <= quote.turn <= len(replies) and stands_in(quote.text, replies[quote.turn - 1]))
        for quote in quotes
    )
