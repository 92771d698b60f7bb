"""Words of danger, found before the model is asked, and the one reply that is then given."""

from __future__ import annotations

import re

#: What people wrote in plain words. It misses whatever is only hinted at: the model has to find that.
DANGER = re.compile(
    r"\b(?:kill|hurt|harm|cut|cutting|hang|drown) myself\b"
    r"|\b(?:want|going|ready|rather) to (?:die|be dead)\b"
    r"|\b(?:don't|do not) want to (?:live|wake up|be here|exist)\b"
    r"|\bend (?:my life|it all)\b"
    r"|\bsuicid"
    r"|\bbetter off (?:dead|without me)\b"
    r"|\b(?:took|taken|swallowed) (?:too many|all (?:of )?my|a lot of)\b"
)

REPLY = (
    "Thank you for writing this. You should not be alone with it now. "
    "If you may be in danger, call 112 (911 in North America, 999 in the UK). "
    "The crisis lines 988 (US, Canada) and 116 123 (UK, Ireland, Germany) answer at night too. "
    "I have flagged this conversation, so your care team will see it first. Is somebody near who can sit with you?"
)


def in_danger(text: str) -> bool:
    """Whether the words of one message are on the list."""
    return DANGER.search(text.lower().replace("\u2019", "'")) is not None
