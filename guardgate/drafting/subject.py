"""Whom a clause is about: the bot, or others, of whom a strong word only tells what is so."""

from __future__ import annotations

import re

_PROGRAM = (
    r"(?:[\w-]+ ){0,2}?"
    r"(?:bot|assistant|agent|chatbot|companion|model|program|persona|tutor|coach|helper|guide|concierge|ai)"
)
_BOT = (
    rf"(?:it|you|i|he|she|(?:the|this|our|your|a|an) {_PROGRAM}|(?:(?:the|its|your|all|each|every|no) )?"
    r"(?:replies|answers|responses)|(?:the|its|your|each|every|no) (?:reply|answer|response)"
)
#: Who else does something: what they cannot do is a fact, and no promise of the bot.
_OTHERS = re.compile(
    rf"\W*(?:(?:and|but|so|also) )*(?:we|they|there|our (?!{_PROGRAM}\b)\w+|(?:the|a|an|every|most|some) "
    r"(?:[\w-]+ ){0,2}?(?:bank|company|shop|store|hotel|clinic|hospital|practice|team|staff|service|firm|library|"
    r"school|system|website|app|office|branch|law|market|price)(?:e?s)?)\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,.;:()]|\b(?:and|or|but|so)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\b(?:and|or|but)\W*$", re.IGNORECASE)
_JOINED = re.compile(r"(?:^|[\s,])(?:and|or|but|so|please|also|then)\W*$", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:\b(?:[Yy]ou are|[Yy]ou're|I am|I'm|called|named|name is|Persona:)|^#+)\s+([A-Z]\w+)"
    r"(?=\s*(?:[,.;:]|$)|\s+(?:and|the|is)\b)",
    re.MULTILINE,
)
_IS_A = re.compile(r"^[^\w\n]*([A-Z]\w+) is (?:a|an|the|our)\b", re.MULTILINE)
_NO_NAMES = frozenset({"It", "This", "The", "That", "There", "He", "She", "Here", "Who", "What"})


def bot(markdown: str) -> re.Pattern[str]:
    """How a clause begins that is about the bot: with "it", "the assistant" and the like, or with its name."""
    found = {match[1] for one in (_NAMED, _IS_A) for match in one.finditer(markdown)} - _NO_NAMES
    names = "".join(f"|{re.escape(name)}" for name in sorted(found))
    return re.compile(rf"\W*(?:(?:and|but|so|then|also|please|or) )*{_BOT}{names})\b", re.IGNORECASE)


def _clause(main: str, place: int) -> tuple[str, str]:
    """The words before a place, and those of them that stand in its clause."""
    before = main[max(0, place - 200) : place]
    return before, _CLAUSES.split(before)[-1]


def of_others(main: str, place: int) -> bool:
    """Whether the clause is about others, or goes on about them: "The bank closes and never opens on Sundays."."""
    before, clause = _clause(main, place)
    goes_on = not re.search(r"\w", clause) and _GOES_ON.search(before)
    return _OTHERS.match(main if goes_on else clause) is not None


def of_the_bot(main: str, place: int, who: re.Pattern[str]) -> bool:
    """Whether the clause is about the bot, or about nobody: "Do not argue.", "It listens and does not argue."."""
    before, clause = _clause(main, place)
    if re.search(r"\w", clause):
        return who.match(clause) is not None or _JOINED.search(before) is not None
    return not (_GOES_ON.search(before) and _OTHERS.match(main))
