"""What the headings over a passage say of it: how firm its entries are, or why they cannot be taken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from guardgate.drafting.audience import speaks_to_users
from guardgate.drafting.grammar import ABILITY, Strength, strength_of_heading

#: A heading over both kinds says of no entry which one it is.
_BOTH = re.compile(r"\bdo'?s (?:and|&|or|/) don'?ts\b", re.IGNORECASE)
_DO = re.compile(r"\W*(?:(?:the|our|please) )?(?:do|do'?s)\W*$", re.IGNORECASE)
_WILL = re.compile(r"\W*(?:[\w']+ ){1,3}will\W*$", re.IGNORECASE)
#: Two negations: what stands below is to be kept.
_KEPT = re.compile(
    r"\b(?:don't|not|never|cannot|can't)\b.{0,30}?\b(?:break|broken|forget|forgotten|ignored?|violated?)\b",
    re.IGNORECASE,
)
_UNCLEAR = re.compile(
    r"\W*(?:[\w']+ ){0,3}(?:boundar(?:y|ies)|limits|limitations|restrictions?|out of scope|scope|guardrails?)\W*$",
    re.IGNORECASE,
)
_RULES = re.compile(
    r"\W*(?:[\w']+ ){0,3}(?:rules?|guidelines?|polic(?:y|ies)|promises?|principles?|requirements?|instructions)\W*$",
    re.IGNORECASE,
)
NOT_PROMISED = "its heading names what is not promised or not possible"
NOT_FIRM = "no word says how firm it is"
TO_USERS = "it speaks to the user"


@dataclass(frozen=True, slots=True)
class Over:
    """The heading that decides over an entry, how firm it makes it, or why it leaves it open. Empty: none decides."""

    words: str = ""
    strength: Strength | None = None
    why: str = ""


def over(headings: Sequence[str]) -> Over:
    """The nearest heading that says something decides; below "For guests", "Never" speaks to them too."""
    if users := next(filter(speaks_to_users, headings), ""):
        return Over(users, None, TO_USERS)
    return next((found for words in reversed(headings) if (found := _one(words)) != Over()), Over())


def _one(words: str) -> Over:
    if _BOTH.search(words):
        return Over(words, None, "its heading is about both kinds")
    if _KEPT.search(words):
        return Over("", "hard")
    if firm := strength_of_heading(words):
        return Over(words, firm)
    if _DO.match(words) or _WILL.match(words):
        return Over(words, "soft")
    if ABILITY.search(words):
        return Over(words, None, NOT_PROMISED)
    if _UNCLEAR.match(words):
        return Over(words, None, "its heading does not say whether it is wanted or forbidden")
    return Over(words, None, NOT_FIRM) if _RULES.match(words) else Over()
