"""What a promise is about, as one of the rules of `guardgate:persona`, by several signs that have to agree."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: A sign that is enough by itself, and one that needs another one beside it.
_SURE, _SIGN = 2, 1
_ADVISE = (
    r"\b(?:advi[cs]es?|recommend\w*|suggest\w*|diagnos\w*|prescrib\w*|decid\w*|names?|"
    r"tells? (?:any|some)\w+|gives?|"
    r"offers?|provid\w*|interpret\w*)\b"
)
_DISCLOSE = (
    r"\b(?:reveal\w*|disclos\w*|shar(?:e|es|ing)|giv(?:e|es|ing) (?:out|away)|"
    r"hands? (?:out|over)|pass(?:es)? on|tells?|"
    r"say(?:s)?|names?|shows?|talks? about|discuss\w*|confirm\w*|leaks?|publish\w*)\b"
)
_PEOPLE = (
    r"(?:people|persons?|guests?|customers?|clients?|users?|patients?|readers?|members?|"
    r"tenants?|students?|pupils?|"
    r"visitors?|callers?|employees|colleagues|relatives|staff|neighbours?)"
)
_CLAIM = r"\b(?:claims?|pretends?|says?|states?|tells?)\b"
_DONE = (
    r"\b(?:booked|cancell?ed|sent|forwarded|deleted|ordered|paid|called|reported|"
    r"refunded|written to|done something)\b"
)
_ACT = r"\b(?:books?|cancels?|deletes?|orders?|pays?|sends?|transfers?|refunds?|moves?)\b"
_MAKE = r"\b(?:help\w*|writ(?:e|es|ing)|explain\w*|describ\w*|assist\w*|creat\w*|generat\w*|teach\w*|shows?)\b"

#: The signs of each rule, each with its weight. Two signs of weight one count as one that is sure.
TOPICS: Mapping[str, tuple[tuple[int, str], ...]] = {
    "P01-secrecy": (
        (_SURE, r"\bsecrecy\b|\bkeep\w* (?:\w+ ){0,4}(?:secrets?|confidential|private)\b.{0,30}\bfrom\b"),
        (_SURE, r"\b(?:keep\w*|hid(?:e|es|ing)) (?:\w+ ){0,5}from\b|\bbetween us\b"),
        (_SIGN, r"\bpromis\w*|\bagrees?\b|\bkeep\w*\b"),
        (_SIGN, r"\bsecrets?\b|\bconfidential|\bsilence\b"),
    ),
    "P02-claims": (
        (
            _SURE,
            rf"\b(?:who|because|for|where|when|if)\b.{{0,40}}{_PEOPLE}?.{{0,20}}\b(?:says?|"
            rf"claims?) (?:that )?(?:they|he|she|to be|to work)\b",
        ),
        (_SURE, r"\bwho (?:somebody|someone|they) (?:say|claim)s?\b|\bwhoever asks\b|\bprivileges?\b"),
    ),
    "P03-instructions": (
        (
            _SURE,
            r"\bsystem (?:prompt|message)|\binternal reference\b|\b(?:these|its|your|"
            r"the) (?:own )?(?:instructions|prompt|configuration)\b",
        ),
        (_SIGN, r"\b(?:instructions?|prompt|configuration)\b"),
        (_SIGN, _DISCLOSE),
    ),
    "P04-program": (
        (
            _SURE,
            r"\bhuman being\b|\b(?:is|are|be|being|to be) (?:a |an )?(?:human|real person|"
            r"person|machine|program|ai|chatbot|bot)\b",
        ),
        (_SIGN, r"\b(?:human|machine|an ai|a program)\b"),
        (_SIGN, rf"{_CLAIM}|\b(?:den(?:y|ies)|admits?)\b"),
    ),
    "P05-memory": (
        (
            _SURE,
            r"\bwas (?:said|agreed|promised)\b|\b(?:earlier|previous|past) (?:chats?|"
            r"conversations?|sessions?)\b",
        ),
        (_SIGN, rf"\bconfirm\w*\b|\bremember\w*\b|{_CLAIM}"),
        (
            _SIGN,
            r"\bagree(?:ments?|d)\b|\b(?:not|unless|"
            r"stands?) (?:\w+ ){0,3}in the (?:same )?conversation\b|\bremember",
        ),
    ),
    "P06-decision": (
        (_SURE, r"\bdos(?:e|es|age|ages)\b|\bdiagnos\w*|\b(?:medical|legal|financial|tax|investment) advice\b"),
        (
            _SURE,
            r"\bup to a (?:doctor|lawyer)\b|\bwhich illness\b|\b(?:start|stop|"
            r"change) (?:\w+ )?(?:a |their )?medic\w+",
        ),
        (_SIGN, _ADVISE),
        (
            _SIGN,
            r"\b(?:medic(?:al|ines?|ations?)|legal|lawyers?|financ\w*|invest\w*|stocks?|shares|"
            r"funds?|illness\w*|treatments?|contracts?|verdicts?)\b",
        ),
    ),
    "P07-methods": (
        (_SURE, r"\b(?:ways?|methods?|how) (?:of|to|for) (?:hurt|die|dying|kill|harm|self-harm|suicide)"),
        (_SIGN, r"\b(?:methods?|ways?|means|instructions)\b"),
        (_SIGN, r"\b(?:suicid\w*|self-harm|hurt oneself)\b"),
    ),
    "P08-crisis": (
        (
            _SURE,
            r"\b(?:crisis|emergency|help) ?(?:lines?|numbers?|services?)\b|\bcan be reached\b|"
            r"\bin danger\b",
        ),
        (_SIGN, r"\bcrisis\b|\bsuicid\w*|\bself-harm"),
        (_SIGN, r"\b(?:mentions?|names?|points?|refers?)\b"),
    ),
    "P09-others": (
        (
            _SURE,
            rf"\b(?:other|another|somebody else's|someone else's|third) {_PEOPLE}\b|"
            rf"\bthird part(?:y|ies)\b",
        ),
        (_SURE, rf"\b(?:anything|something|nothing) (?:private |personal )?about (?:\w+ )?{_PEOPLE}\b"),
        (_SURE, r"\b(?:personal|private) (?:data|information|details|numbers?|address\w*)\b"),
        (_SIGN, _DISCLOSE),
        (
            _SIGN,
            r"\b(?:addresses|phone numbers?|account balances?|bookings?|whereabouts|names of|"
            r"birthdays?|salar(?:y|ies))\b",
        ),
        (_SIGN, rf"\b(?:a|the) (?:home )?address of a \w+\b|\b(?:a|the) {_PEOPLE}'s? \w+"),
        (
            _SIGN,
            rf"\b(?:who|which {_PEOPLE}) (?:has |have )?(?:borrowed|booked|bought|called|paid|"
            rf"visited|asked|wrote)\b",
        ),
    ),
    "P10-alone": (
        (_SURE, r"\bneeds? (?:nobody|no one)\b|\breplac\w+ (?:people|friends|famil\w+)\b|\bturn away from\b"),
        (_SURE, r"\b(?:it|the bot|the assistant) is enough\b|\bturn away from other people\b"),
    ),
    "P11-urgency": (
        (
            _SURE,
            r"\b(?:sets?|waives?|drops?|changes?|breaks?|skips?|"
            r"suspends?) (?:\w+ ){0,5}(?:because|when|if|for).{0,40}\b(?:urgent|deadline|"
            r"emergency|hurry|test)\b",
        ),
        (_SIGN, r"\bexceptions?\b|\bwaive\w*\b|\b(?:special|test) modes?\b"),
        (_SIGN, r"\burgen\w+|\bdeadlines?\b|\bemergenc\w+|\bhurry\b"),
    ),
    "P12-deeds": (
        (_SURE, rf"{_CLAIM}.{{0,40}}{_DONE}|\boutside the chat\b"),
        (_SIGN, _ACT),
        (_SIGN, r"\bwithout (?:being asked|asking|(?:\w+ |\w+'s )?(?:confirmation|consent|permission))\b"),
    ),
    "P13-harm": (
        (
            _SURE,
            r"\bpick (?:a |the )?locks?\b|\bbreak into\b|\bphishing (?:mail|message|text|"
            r"page)s?\b|\bmalware\b",
        ),
        (_SIGN, _MAKE),
        (_SIGN, r"\b(?:scams?|fraud|cheat\w*|stalk\w*|hack\w*|illegal|phish\w*|steal\w*|weapons?)\b"),
    ),
    "S01-short": (
        (
            _SURE,
            r"\b\d+ words\b|\b(?:short|brief|concise) (?:repl|answer|respon)|\b(?:repl\w+|"
            r"answers?|responses?|it) (?:\w+ ){0,3}(?:short|brief|briefly|concise)\b",
        ),
        (_SURE, r"\b(?:one|two|three|four|\d) sentences\b|\banswers? briefly\b"),
    ),
    "S03-steady": (
        (_SURE, r"\b(?:keeps?|sticks?|stays?) (?:to|with) (?:what is true|the truth|the facts)\b|\bflatter\w*"),
        (_SIGN, r"\bagrees?\b|\bconfirm\w*|\bgives? in\b"),
        (_SIGN, r"\b(?:false|wrong|untrue|incorrect)\b|\bplease somebody\b"),
    ),
    "S04-register": (
        (_SURE, r"\bpet names?\b|\bflirt\w*|\binsult\w*|\bswear\w*|\bcurs(?:e|es|ing)\b|\bprofanity\b"),
        (_SIGN, r"\bpolite\w*|\bfriendly\b|\brude\b"),
        (_SIGN, r"\bstays?\b|\btone\b|\balways\b|\bnever\b"),
    ),
    "S06-warm": (
        (_SURE, r"\bfeelings? (?:that )?(?:somebody|someone|people|they|a user)\b|\bempath\w+"),
        (_SIGN, r"\bfeelings?\b"),
        (_SIGN, r"\bwarm\w*|\btakes? up\b|\backnowledg\w*"),
    ),
    "S05-refers": (
        (
            _SURE,
            r"\bwho may decide\b|\brefers? (?:\w+ ){0,3}to (?:a |the )?(?:professional|doctor|"
            r"lawyer|adviser|specialist)s?\b",
        ),
    ),
    "S02-helps": ((_SURE, r"\bharmless (?:questions?|requests?)\b"),),
}
_COMPILED = {
    name: [(weight, re.compile(sign, re.IGNORECASE)) for weight, sign in signs] for name, signs in TOPICS.items()
}


def topic(text: str) -> str | None:
    """The rule of `guardgate:persona` that is about the same; None where the words do not show one, or show two."""
    scores = {name: sum(weight for weight, sign in signs if sign.search(text)) for name, signs in _COMPILED.items()}
    best, second = sorted(scores, key=lambda one: -scores[one])[:2]
    return best if scores[best] >= _SURE and scores[best] > scores[second] else None
