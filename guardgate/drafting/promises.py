"""The promises in a Markdown text: sentences with never, always, must and the like, and lists under such headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from guardgate.drafting.audience import asked_of_users, speaks_to_the_bot
from guardgate.drafting.grammar import (
    FORBIDS,
    Strength,
    about_others,
    closed,
    conditional,
    imperative,
    is_saying,
    limits,
    loud,
    main_clause,
    strength,
)
from guardgate.drafting.over import NOT_FIRM, TO_USERS, Over, over
from guardgate.drafting.passages import Passage, passages, sentences
from guardgate.drafting.rows import entries
from guardgate.drafting.subject import bot

#: A promise is cut after so many characters; what is put before it, after so many.
LONGEST, _LONGEST_BEFORE = 400, 100
#: Words of a promise, at least: "Never." says nothing. Below a heading that promises one is enough: "Lie."
FEWEST = 2
#: What is said in an example is no promise: "Bot: I can't share that."
_DIALOGUE = re.compile(r"\W*(?:user|bot|chatbot|assistant|ai|human|customer|q|a)\s*:", re.IGNORECASE)
_EXAMPLES = re.compile(
    r"\b(?:examples?|samples?)(?: of)?(?: an?| the)? ?(?:dialogues?|conversations?|chats?|replies|exchanges?)\b",
    re.IGNORECASE,
)
#: "Never give it out." says nothing without the sentence before.
_PRONOUN_ONLY = re.compile(
    r"\W*(?:\w+ ){0,2}?(?:never|must not|mustn't|do not|don't|does not|doesn't|cannot|can't|may not|should not|"
    r"shouldn't|will not|won't|always|must|should) (?:ever )?\w+ (?:it|them|this|that|these|those|him|her)\b"
    r"(?:,? (?:out|away|up|on|over|back|aloud|to|with|from|for|in|under|at|even|ever|anywhere|when|if|no matter|unless|"
    r"whoever|whatever|however)\b.*|\W*)$",
    re.IGNORECASE,
)


#: How firm the words of a column of levels are, as in RFC 2119. What a bot may do is no promise.
_LEVELS: Mapping[str, Strength | None] = {
    **dict.fromkeys(("must", "must not", "shall", "shall not", "may not"), "hard"),
    **dict.fromkeys(("should", "should not"), "soft"),
    "may": None,
}


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise: its text, how firm it is, and the anchor of the heading that it stands under ("": none)."""

    text: str
    severity: Strength
    forbids: bool
    anchor: str
    #: The promise without the sentence before it, which may hold what the bot keeps to itself.
    itself: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """What looks like a promise and was not taken for one."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class _Voice:
    who: re.Pattern[str]
    to_the_bot: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """What a persona promises, and what was left."""

    promises: tuple[Promise, ...]
    left: tuple[Left, ...]


def read(markdown: str) -> Reading:
    """Every promise, in order, each once, and everything that looks like one."""
    found: dict[str, Promise] = {}
    left: dict[Left, None] = {}
    for one in _all(markdown):
        if isinstance(one, Left):
            left.setdefault(one)
        else:
            found.setdefault(one.text.casefold(), one)
    return Reading(tuple(found.values()), tuple(left))


def _all(markdown: str) -> Iterator[Promise | Left]:
    voice = _Voice(bot(markdown), speaks_to_the_bot(markdown))
    before, anchor = "", ""
    for passage in passages(markdown):
        before = before if passage.anchor == anchor else ""
        for entry in entries(passage) if passage.cells else (passage,):
            yield from _judged(entry, before, voice)
        before, anchor = (sentences(passage.text) or [""])[-1], passage.anchor


def _judged(entry: Passage, before: str, voice: _Voice) -> Iterator[Promise | Left]:
    above = over(entry.over) if entry.listed else Over()
    every = sentences(entry.text)
    own = [_own(one, above, voice) for one in every]
    if entry.level:
        own = [_LEVELS[entry.level]] + [None] * (len(every) - 1)
    if not any(own) and every and (above.strength or above.why):
        # The entry is one by its heading: its first sentence says what, the others say more about it.
        own[0] = above.strength
    for place, one in enumerate(every):
        firm = own[place] if above.strength or len(re.findall(r"\w+", f"{entry.label} {one}")) >= FEWEST else None
        why = _why_not(one, firm, above if place == 0 else Over(), entry, voice)
        if why:
            yield Left(one, why)
        elif firm:
            yield _promise(one, firm, above, entry, every[place - 1] if place else before, voice)


def _own(text: str, above: Over, voice: _Voice) -> Strength | None:
    """How firm it is without its heading. "Always agree." below "What it never does" would be its opposite."""
    firm = strength(text, voice.who)
    part = firm == "soft" and above.strength and FORBIDS.search(above.words) and not voice.who.match(text)
    return None if part and not FORBIDS.search(main_clause(text)) else firm


def _why_not(text: str, firm: Strength | None, above: Over, entry: Passage, voice: _Voice) -> str:
    """Why a sentence is not taken; "" where it is, or where nobody would take it for a promise."""
    if not (firm or loud(text) or above.why or imperative(text) or closed(text) or limits(text)):
        return ""
    if (firm or loud(text)) and text.endswith("?"):
        return "it is a question"
    if entry.outside:
        return f"it stands in {entry.outside}" if firm else ""
    if asked_of_users(text, entry.over, voice.who, voice.to_the_bot):
        return TO_USERS
    if firm and (_DIALOGUE.match(text) or any(map(_EXAMPLES.search, entry.over))):
        return "it stands in an example"
    if firm:
        return ""
    return above.why or _why_weak(text)


def _why_weak(text: str) -> str:
    if is_saying(text):
        return "it is a saying"
    if about_others(text) and len(re.findall(r"\w+", text)) >= FEWEST:
        return "it tells something about others than the bot"
    if loud(main_clause(text)):
        return ""
    return "its strong word stands in a clause about something else" if loud(text) else NOT_FIRM


def _promise(text: str, firm: Strength, above: Over, entry: Passage, before: str, voice: _Voice) -> Promise:
    by_itself = _own(text, above, voice) is not None
    whole = replace(entry, text=text)
    itself = _said(whole, above, by_itself)
    with_before = f"{before[: LONGEST // 2]} {itself}" if before and _PRONOUN_ONLY.match(text) else itself
    forbids = FORBIDS.search(main_clause(text) if by_itself else f"{above.words} {main_clause(text)}")
    return Promise(short(with_before), firm, forbids is not None, entry.anchor, short(itself))


def _said(entry: Passage, above: Over, by_itself: bool) -> str:
    """With its row; with its heading where it would say the opposite by itself: "Lie." below "What it never does"."""
    text = ": ".join(one for one in (entry.label[:_LONGEST_BEFORE], entry.text, entry.rest) if one)
    if by_itself or not (FORBIDS.search(above.words) or conditional(above.words)):
        return text
    return f"{above.words[:_LONGEST_BEFORE].rstrip(' :.')}: {text}"


def short(text: str) -> str:
    """Cut after `LONGEST` characters."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}..."
