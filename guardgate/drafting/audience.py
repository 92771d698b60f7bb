"""Whom a sentence speaks to. What users are asked for is no promise of the bot."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guardgate.drafting.grammar import imperative

#: "You must not share your password" is asked of the user, unless the persona speaks to the bot.
_TO_THE_BOT = re.compile(
    r"(?:^[ \t#*>-]*|[.!?:]\s)(?:you are|you're (?!welcome|right)|your (?:name|role|task|job) is)\b",
    re.IGNORECASE | re.MULTILINE,
)
_YOU = re.compile(r"\W*(?:(?:please|and|but|so),? )*you\b", re.IGNORECASE)
_YOU_ANYWHERE = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
_USERS = (
    r"(?:users?|customers?|clients?|guests?|patients?|visitors?|callers?|members?|students?|tenants?|readers?|pupils?|"
    r"parents?|children|employees?|participants?|passengers?|travellers?|subscribers?|applicants?|buyers?)"
)
#: "Users: you must not" and "Users must not" are asked of the users; "users must never be told" is asked of the bot.
_BY_USERS = re.compile(
    rf"\W*(?:(?:dear |to |for )?(?:our |the |all )*{_USERS}\s*[:,-]+\s*(?:you|please|never|always|do not|don't)\b|"
    rf"(?:our |the |all |every |each |a )*{_USERS} (?:(?:must|should|shall|may not|cannot|can't)"
    r"(?>(?:n't| not| never| always)*)"
    r"(?! (?:be|get|feel|have|need|see|wait|lose|wonder)\b)|"
    r"(?:are not|is not|aren't|isn't) (?:allowed|permitted)\b))",
    re.IGNORECASE,
)
#: A heading over what is said to users: "For users", "House rules for guests", "What we ask of customers", "What users
#: must not do". "What it does for users" is about the bot.
_USERS_PART = re.compile(
    r"(?!.*\b(?:do|does|say|says|never|always|can|will|talk\w*|speak\w*)\b)(?:"
    rf"\W*(?:[\w']+ )*?(?:for|of) (?:our |the |all |you,? )*{_USERS}\W*$|"
    rf"\W*(?:[\w']+ )??to (?:our |the |all )*{_USERS}\W*$)|"
    rf"\W*(?:what )?(?:our |the |all )*{_USERS} (?:must|should|shall|may not|cannot|can't|may)\b(?! (?:not )?be\b)",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"\W*(?:(?:please|and|also|but) )*(?:never|always|do not|don't|only|no|avoid|make sure|ensure|refrain)\b",
    re.IGNORECASE,
)
#: What only users have. "You must not name a dose" is asked of the bot, wherever it stands.
_YOURS = re.compile(
    r"\b(?:passwords?|passcodes?|your (?:\w+ )?(?:pins?|cards?|accounts?|orders?|bookings?|data|details|logins?|"
    r"credentials|identity|bills?|payments?|luggage|seats?|tickets?|child|children|phones?|devices?|contracts?|room|key))\b",
    re.IGNORECASE,
)
_LONGEST_HEADING = 200


def speaks_to_the_bot(markdown: str) -> bool:
    """Whether its "you" is the bot: "You are Pip."."""
    return _TO_THE_BOT.search(markdown) is not None


def speaks_to_users(heading: str) -> bool:
    """Whether what stands below a heading is said to users."""
    return _USERS_PART.match(heading[:_LONGEST_HEADING]) is not None


def asked_of_users(text: str, headings: Sequence[str], who: re.Pattern[str], to_the_bot: bool) -> bool:
    """Whether users are asked for it. Below "For users" every command is, and whatever has a "you" in it."""
    if _BY_USERS.match(text):
        return True
    if any(map(speaks_to_users, headings)):
        command = _COMMAND.match(text) or imperative(text)
        return bool(_YOU.match(text)) or (not who.match(text) and bool(command or _YOU_ANYWHERE.search(text)))
    return _YOU.match(text) is not None and not to_the_bot and _YOURS.search(text) is not None
