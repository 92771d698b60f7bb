"""The promises in a Markdown text: sentences with never, always, must and the like, and lists under such headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from guardgate.lint.headings import anchors

#: Words that promise without exception, and words that promise as a rule. Where both stand, the first count.
FIRM = re.compile(
    r"\b(?:never|must(?:n't)?|under no circumstances|may not|(?:does|do|will|shall) not|doesn't|don't|won't|cannot|"
    r"can't|not allowed|forbidden|(?<!and )(?<!& )don'?ts)\b",
    re.IGNORECASE,
)
LOOSE = re.compile(r"\b(?:always|should(?:n't)?|shall|will always|aims? to|tries to|as a rule)\b", re.IGNORECASE)
#: What is forbidden is shown by words that are there; what is asked for, by words that are missing.
FORBIDS = re.compile(
    r"\b(?:never|no|not|mustn't|doesn't|don't|won't|cannot|can't|shouldn't|forbidden|without|don'?ts)\b",
    re.IGNORECASE,
)
#: A promise is cut after so many characters.
LONGEST = 400
#: A heading before it, after so many.
_LONGEST_HEADING = 100
#: Words of a promise, at least: "Never." says nothing. Below a heading that promises one is enough: "Lie."
FEWEST = 2
#: "what it cannot do" names an ability, "what it doesn't promise" the lack of one: neither promises anything.
_ABILITY = re.compile(
    r"\b(?:what|that|which|whatever|who)(?: \w+){0,3}? (?:cannot|can't|may not|can ?not|"
    r"(?:does not|doesn't|do not|don't|cannot|can't) (?:promise|guarantee|offer))\b",
    re.IGNORECASE,
)
#: A heading over both kinds says of no entry which one it is.
_BOTH = re.compile(r"\bdo'?s (?:and|&|or|/) don'?ts\b", re.IGNORECASE)
#: "You must not share your password" is asked of the user, unless the persona speaks to the bot.
_TO_THE_USER = re.compile(r"\W*you\b", re.IGNORECASE)
_TO_THE_BOT = re.compile(r"(?:^[\s#*>-]*|[.!?:]\s+)you are\b", re.IGNORECASE | re.MULTILINE)
#: "Users: you must not" and "Users must not" are asked of the users; "users must never be told" is asked of the bot.
_USERS = r"(?:users?|customers?|clients?|guests?|patients?|visitors?|callers?|members?|students?|tenants?|readers?)"
_BY_USERS = re.compile(
    rf"\W*(?:(?:dear |to |for )?(?:our |the |all )*{_USERS}\s*[:,-]+\s*(?:you|please|never|always|do not|don't)\b|"
    rf"(?:our |the |all |every |each |a )*{_USERS} (?:must|should|shall|may not|cannot|can't)"
    r"(?>(?:n't| not| never| always)*)"
    r"(?! (?:be|get|feel|have|need|see|wait|lose|wonder)\b))",
    re.IGNORECASE,
)
#: A heading over what is said to users: "For users", "House rules for guests", "What we ask of customers".
_USERS_PART = re.compile(rf"\b(?:for|to|of|with) (?:our |the |all |you,? )*{_USERS}\s*$", re.IGNORECASE)
#: A clause that describes something, such as "a code that must stay inside": the bot promises nothing in it. After
#: "make sure" and the like, "that" begins the promise itself.
_RELATIVE = re.compile(
    r"(?<=\w) (?:"
    r"(?<!sure )(?<!ensure )(?<!say )(?<!says )(?<!clear )(?<!know )(?<!tell )(?<!see )(?<!means )that|"
    r"which|whom?|whose|what(?:ever)?)\b[^.!?;:,]*",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?])\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise: its words, how firm they are, and the anchor of the heading that it stands under ("": none)."""

    text: str
    severity: Literal["hard", "soft"]
    forbids: bool
    anchor: str


def promises(markdown: str) -> Iterator[Promise]:
    """Every promise, in order, each once. Code, tables, quotations and questions hold none."""
    seen: set[str] = set()
    for anchor, heading, found, why in _all(markdown):
        said = _said(found, heading)
        short = said if len(said) <= LONGEST else f"{said[:LONGEST].rstrip()}..."
        if why is None and short.casefold() not in seen:
            seen.add(short.casefold())
            firm = _firm(found, heading)
            yield Promise(short, "hard" if firm else "soft", _forbids(found, heading), anchor)


def passed_over(markdown: str) -> Iterator[tuple[str, str]]:
    """(words, why) of what looks like a promise and was not taken for one."""
    yield from ((found, why) for _, _, found, why in _all(markdown) if why is not None)


def _all(markdown: str) -> Iterator[tuple[str, str, str, str | None]]:
    """(anchor, heading, words, why it is not taken) of everything that looks like a promise."""
    to_the_bot = _TO_THE_BOT.search(markdown) is not None
    for anchor, heading, listed, text in _texts(markdown):
        for found, why in _sentences(heading, listed, text):
            to_user = why is None and _asked_of_users(found, heading, to_the_bot)
            yield anchor, heading, found, "it speaks to the user" if to_user else why


def _asked_of_users(text: str, heading: str, to_the_bot: bool) -> bool:
    if _BY_USERS.match(text):
        return True
    # Below "For users" even a persona that calls the bot "you" means the users.
    return _TO_THE_USER.match(text) is not None and (not to_the_bot or _USERS_PART.search(heading) is not None)


def _said(text: str, heading: str) -> str:
    """The promise by itself: "Lie." below "What it never does" would say the opposite without its heading."""
    if _by_itself(text) or not FORBIDS.search(heading):
        return text
    return f"{heading[:_LONGEST_HEADING].rstrip(' :.')}: {text}"


def _promises(text: str) -> bool:
    bare = _ABILITY.sub("", text)
    return bool(FIRM.search(bare) or LOOSE.search(bare))


def _by_itself(text: str) -> bool:
    """Whether it promises without its heading, and not only in a clause that describes something."""
    return _promises(_RELATIVE.sub("", text))


def _own(text: str, heading: str) -> str:
    """The words that say how firm the promise is, and whether it forbids."""
    if _by_itself(text):
        return _ABILITY.sub("", _RELATIVE.sub("", text))
    return heading if _promises(heading) else _ABILITY.sub("", text)


def _firm(text: str, heading: str) -> bool:
    return bool(FIRM.search(_own(text, heading)))


def _forbids(text: str, heading: str) -> bool:
    own = _own(text, heading)
    return bool(FORBIDS.search(own if _promises(own) else f"{heading} {text}"))


def _sentences(heading: str, listed: bool, text: str) -> Iterator[tuple[str, str | None]]:
    """The sentences that promise. An entry of a list below a heading that promises is one promise by itself."""
    every = [one for one in _END.split(text) if re.search(r"\w", one)]
    below = listed and _promises(heading) and not _BOTH.search(heading)
    found = [one for one in every if _promises(one) and (below or len(re.findall(r"\w+", one)) >= FEWEST)]
    if below and not found:
        found = every[:1]
    yield from ((one, "it is a question" if one.endswith("?") else None) for one in found)
    if listed and not found and _BOTH.search(heading):
        yield from ((one, "its heading is about both kinds") for one in every[:1])
    elif listed and not found and _ABILITY.search(heading):
        yield from ((one, "its heading names what is not promised or not possible") for one in every[:1])


def _texts(markdown: str) -> Iterator[tuple[str, str, bool, str]]:
    """(anchor, heading, whether it is an entry of a list, words) of each paragraph."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 25 ms, and only where a persona is read

    names = iter(anchors(markdown))
    anchor = heading = ""
    before, lists, quotes = "", 0, 0
    for token in MarkdownIt("commonmark").parse(markdown):
        lists += token.type in ("bullet_list_open", "ordered_list_open")
        lists -= token.type in ("bullet_list_close", "ordered_list_close")
        quotes += token.type == "blockquote_open"
        quotes -= token.type == "blockquote_close"
        if token.type == "inline":
            words = _words(token.children or [])
            if before == "heading_open":
                anchor, heading = next(names), words
            elif words and not quotes and not words.startswith("|"):
                yield anchor, heading, lists > 0, words
        before = token.type


def _words(children: Sequence[Any]) -> str:
    """The text of a paragraph in one line, without marks; what cannot be printed is left out."""
    kinds = {"softbreak": " ", "hardbreak": " "}
    parts = (
        kinds.get(child.type, child.content if child.type in ("text", "code_inline") else "") for child in children
    )
    joined = "".join(parts).replace("\u2019", "'")
    return " ".join("".join(char if char.isprintable() else " " for char in joined).split())
