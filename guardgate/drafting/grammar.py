"""How firm a sentence is: which strong words stand in its main clause, and whether they are about the bot."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from guardgate.drafting.subject import of_others, of_the_bot

Strength = Literal["hard", "soft"]

#: These promise whoever is named: "Addresses must not leave the chat." does not name the bot.
_MUST = (  # "shall" is "must", as in RFC 2119
    r"(?<!\ba )must(?:n't)?(?!-)|under no circumstances|shall|(?:not|isn't|aren't) (?:be )?(?:allowed|permitted)|"
    r"(?:essential|crucial|imperative|vital|mandatory) (?:that|to)|"
    r"forbidden|prohibited|banned|off[- ]limits|out of bounds|not (?:ok|okay|acceptable|appropriate|an option)|"
    r"(?:nobody|no one) (?:may|can|should)|(?<!and )(?<!& )don'?ts|"
    r"(?:is|are|be|kept|stays?|remains?) (?:\w+ly )?(?:confidential|classified)"
)
_NEVER = r"never"
#: These only tell what is so, unless the bot is the one who does not: "The bank cannot guarantee returns."
_FACTS = (
    r"may not|(?:does|do|will) not|doesn't|don't|won't|cannot|can't|can not|refuses?|declines?|(?:has|have) to|"
    r"(?:is|are) not to"
)
_SHOULD = r"should(?:n't)?"
AT_MOST = r"at most|within|under|no more than|fewer than|up to|max\.?|maximum|a maximum of|not exceed|never exceeds?"
_AS_A_RULE = (
    r"always|aims? to|tries to|as a rule|avoids?|refrains? from|makes? sure|ensures?|steers? clear|"
    rf"(?:{AT_MOST}) (?:a |one )?\w+ words"
)
_FIRM = re.compile(rf"\b(?:{_MUST}|{_NEVER}|{_FACTS})\b", re.IGNORECASE)
_LOOSE = re.compile(rf"\b(?:{_SHOULD}|{_AS_A_RULE})\b", re.IGNORECASE)
_MUST_WORDS = re.compile(rf"\b(?:{_MUST})\b", re.IGNORECASE)
_NEVER_WORDS = re.compile(rf"\b(?:{_NEVER})\b", re.IGNORECASE)
_FACT_WORDS = re.compile(rf"\b(?:{_FACTS})\b", re.IGNORECASE)
_SHOULD_WORDS = re.compile(rf"\b(?:{_SHOULD})\b", re.IGNORECASE)
_RULE_WORDS = re.compile(rf"\b(?:{_AS_A_RULE})\b", re.IGNORECASE)
#: "No emojis." forbids; "No one" and the like are somebody or something else.
_NO = re.compile(
    r"(?:^\W*|[:;(]\s*)(?:(?:absolutely|strictly|please|and|there (?:is|are|must be)) )?"
    r"no (?!(?:one|body|matter|doubt|problem|worries|wonder|more|longer)\b)[^\W\d]+",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"(?P<before>.{0,60}?)\bonly (?:ever )?(?:talk|answer|discuss|speak|use|repl(?:y|ie)|respond|share|give|help|refer|"
    r"recommend|suggest|quote|cite|provide|offer|send|ask|write|say|tell|act|do|work|handle|name|show)(?:e?s)?\b",
    re.IGNORECASE,
)
#: What is forbidden is shown by words that are there; what is asked for, by words that are missing.
FORBIDS = re.compile(
    r"\b(?:never|no|not|nobody|mustn't|isn't|aren't|doesn't|don't|won't|cannot|can't|shouldn't|forbidden|prohibited|"
    r"banned|off[- ]limits|out of bounds|without|only|avoids?|refrains?|refuses?|declines?|steers? clear|don'?ts|"
    r"confidential|classified)\b",
    re.IGNORECASE,
)
#: These may tell what the bot keeps to itself, or what is so: "The clinic is private."
_CLOSED = re.compile(
    r"\b(?:is|are|stays?|remains?) (?:\w+ly )?(?:private|secret|internal|sensitive|for (?:staff|internal use) only|"
    r"not (?:public|for (?:users|customers|guests|patients)|(?:its|his|her|their|your) (?:field|business|job)))\b",
    re.IGNORECASE,
)
_WHEN = (
    r"if|when|whenever|unless|because|while|although|though|until|since|once|where|wherever|in case|as (?:long|soon) as"
)


def _clause(first: str) -> re.Pattern[str]:
    """A clause that begins with one of these words."""
    return re.compile(rf"(?:^\W*|(?<=[\s,;:(]))((?:{first})\b[^.!?;:,]*)", re.IGNORECASE)


#: A clause that says when, or why: it promises nothing.
_CONDITION = _clause(f"{_WHEN}|before|after|whether|how|why")
_CONDITION_OF_HEADING = _clause("if|when|unless|because|while")
#: One that says when a promise holds.
_HOLDS = _clause("if|when|whenever|in case|once|as soon as")
#: A clause that describes something, such as "a code that must stay inside": the bot promises nothing in it. After
#: "make sure" and the like, "that" begins the promise itself.
_BEFORE_A_PROMISE = (
    "sure",
    "important",
    "essential",
    "ensure",
    "ensures",
    "say",
    "says",
    "clear",
    "know",
    "tell",
    "see",
)
_RELATIVE = re.compile(
    r"(?<=\w) (?:"
    + "".join(f"(?<!{word} )" for word in (*_BEFORE_A_PROMISE, "means"))
    + r"that|which|whom?|whose|what(?:ever)?)\b[^.!?;:,]*",
    re.IGNORECASE,
)
#: "what it cannot do" names an ability, "what it doesn't promise" the lack of one: neither promises anything.
ABILITY = re.compile(
    r"\b(?:what|that|which|whatever|who)(?: \w+){0,3}? (?:cannot|can't|may not|can ?not|"
    r"(?:does not|doesn't|do not|don't|cannot|can't) (?:promise|guarantee|offer))\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'"[^"]*"')
_SAYING = re.compile(r"\bnever (?:say never|mind|too late)\b|\bdon't worry\b", re.IGNORECASE)
_IMPERATIVE = re.compile(
    r"\W*(?:(?:please|then|also|and) )*(?:add|admit|answer|apologi[sz]e|ask|be|begin|call|check|cite|confirm|contact|"
    r"decline|direct|encourage|end|explain|focus|follow|give|greet|guide|hand|help|inform|introduce|keep|leave|limit|listen|"
    r"maintain|mention|name|offer|point|prefer|provide|quote|recommend|redirect|refer|refuse|remain|remember|remind|"
    r"reply|respect|respond|say|send|show|speak|start|state|stay|stick|suggest|summari[sz]e|support|talk|tell|thank|"
    r"treat|try|turn|use|wait|warn|write)\b(?! ?:)",
    re.IGNORECASE,
)

#: Without "within" and "under" of `AT_MOST`, which mostly tell of places and ages.
_LIMIT = re.compile(
    r"\b(?:(?:at most|no more than|fewer than|up to|(?:a )?maximum of) (?:an? )?\d|(?:nothing|and no) more\b)",
    re.IGNORECASE,
)


def main_clause(text: str) -> str:
    """The sentence without quotations, and without clauses that say when or why, or describe something."""
    return ABILITY.sub("", _RELATIVE.sub("", _CONDITION.sub("", _QUOTED.sub("", text))))


def strength(text: str, who: re.Pattern[str]) -> Strength | None:
    """How firm the bot promises something in the main clause; None: it does not."""
    main = main_clause(text)
    if is_saying(text):
        return None
    if (
        _MUST_WORDS.search(main)
        or _any(_NEVER_WORDS, main, lambda place: not of_others(main, place))
        or _any(_FACT_WORDS, main, lambda place: of_the_bot(main, place, who))
        or _NO.search(main)
        or _only(main, who)
    ):
        return "hard"
    if _SHOULD_WORDS.search(main) or _any(_RULE_WORDS, main, lambda place: not of_others(main, place)):
        return "soft"
    return None


def _any(words: re.Pattern[str], main: str, holds: Callable[[int], bool]) -> bool:
    return any(holds(match.start()) for match in words.finditer(main))


def _only(main: str, who: re.Pattern[str]) -> bool:
    match = _ONLY.match(main)
    return match is not None and (not re.search(r"\w", match["before"]) or who.match(match["before"]) is not None)


def loud(text: str) -> bool:
    """Whether a strong word stands anywhere in it."""
    return bool(_FIRM.search(text) or _LOOSE.search(text))


def about_others(text: str) -> bool:
    """Whether a strong word stands in the main clause; where `strength` finds none, it is not about the bot."""
    return loud(main_clause(text))


def is_saying(text: str) -> bool:
    return _SAYING.search(text) is not None


def imperative(text: str) -> bool:
    """Whether it asks for something without a word that says how firm: "Be kind.", "If she cries, be kind."."""
    return any(map(_IMPERATIVE.match, (text, main_clause(text), text.partition(":")[2])))


def limits(text: str) -> bool:
    """Whether it says how much at most, without a word that says how firm."""
    return _LIMIT.search(main_clause(text)) is not None


def condition(text: str) -> str:
    """The clause that says when a promise holds: "when a card is stolen"; "": always."""
    match = _HOLDS.search(_QUOTED.sub("", text))
    return match[1].strip() if match else ""


def closed(text: str) -> bool:
    """Whether it says that something is private or internal, without a word that says what the bot does about it."""
    return _CLOSED.search(main_clause(text)) is not None


def strength_of_heading(words: str) -> Strength | None:
    """How firm the entries below are: "What it never does" needs no subject, and is no clause of something else."""
    bare = ABILITY.sub("", _CONDITION_OF_HEADING.sub("", words))
    if _FIRM.search(bare):
        return "hard"
    return "soft" if _LOOSE.search(bare) else None


def conditional(words: str) -> bool:
    """Whether a heading says when: "If somebody may be in danger, it must:"."""
    return _CONDITION_OF_HEADING.search(words) is not None
