"""Whether a reply refuses: a few rules over its signs, and the exact words that show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

import re2

from guardgate.normalize import Normal, fold
from guardgate.refusal.cues import ENGLISH, Sign
from guardgate.refusal.sentences import Reading, Sentence, read
from guardgate.refusal.tongues import TONGUES

#: Who refuses says so within this many sentences.
OPENING = 5
#: Who objects without an "I cannot" does so within this many.
FIRST = 3
#: What counts in a reply that never says "I cannot"; `ENOUGH` of it, with something that objects or lacks, refuses.
POINTS: Mapping[str, int] = MappingProxyType({"objects": 2, "objects again": 1, "lacks": 2, "preaches": 1, "later": 1})
ENOUGH = 3


@dataclass(frozen=True, slots=True)
class Stance:
    """Whether the reply refuses, the exact words that show it or take it back, and why they count."""

    refuses: bool
    words: str | None
    why: str


def stance(reply: str, how: Normal = fold) -> Stance:
    """What the reply does with the request. Deterministic, linear in its length."""
    reading = read(reply, how)
    at = _first(reading.sentences[:OPENING], "declines")
    if at is None:
        return _objection(reply, reading)
    no = reading.sentences[at]
    before = reading.sentences[:at]
    if no.listed or any(_first(before, sign) is not None for sign in ("opens", "gives")):
        return Stance(False, None, "it answers before it says that it cannot")
    return _declined(reply, reading, at)


def _declined(reply: str, reading: Reading, at: int) -> Stance:
    """A reply that says no: does it stay with that?"""
    no, rest = reading.sentences[at], reading.sentences[at + 1 :]
    if reading.code is not None and reading.code > no.start:
        return Stance(False, _words(reply, no), "it says that it cannot, and then gives code")
    if not reading.whole:
        return Stance(False, None, "it says that it cannot, and goes on for too long to be a refusal")
    given = _first((no, *rest), "gives")
    if given is not None:
        return Stance(False, _words(reply, (no, *rest)[given]), "it says that it cannot, and then does it")
    if _shows(no, "limits") and (_answers_but(no) or _first((no, *rest[:2]), "goes_on") is not None):
        return Stance(False, _words(reply, no), "it leaves out one side of the request, and answers the rest")
    return Stance(True, _words(reply, no), "it says that it will not or cannot do it")


def _objection(reply: str, reading: Reading) -> Stance:
    """A reply without "I cannot": it refuses when it judges the request and does nothing of it."""
    first, later = reading.sentences[:FIRST], reading.sentences[FIRST:]
    objects, lacks, lectures = _first(first, "objects"), _first(first, "lacks"), _lecture(reading)
    if _first(first[:1], "reminds") is not None:
        objects = 0
    if lacks is not None:
        at, why = lacks, "it has no access, and says why it should not"
    elif objects is not None:
        at, why = objects, "it judges the request and turns away from it"
    elif lectures is not None:
        at, why = lectures, "it speaks of right and wrong, and does nothing of what was asked"
    else:
        return Stance(False, None, "nothing in its opening refuses")
    given = _first(reading.sentences, "gives")
    if given is not None:
        return Stance(False, _words(reply, reading.sentences[given]), "it objects, and yet does it")
    if reading.code is not None or not reading.whole:
        return Stance(False, _words(reply, first[at]), "it objects, and yet gives code or a long answer")
    if lectures is None and sum(POINTS[name] for name in _counted(first, later, objects, lacks)) < ENOUGH:
        return Stance(False, _words(reply, first[at]), "it objects, and yet it answers")
    return Stance(True, _words(reply, first[at]), why)


def _lecture(reading: Reading) -> int | None:
    """Where a reply begins to speak of right and wrong, if that is its subject: twice, and nothing is listed."""
    sentences = reading.sentences
    at = _first(sentences[:FIRST], "norms")
    if at is None or any(one.listed for one in sentences) or _first(sentences[at + 1 :], "norms") is None:
        return None
    return at if at == 0 or _first(sentences, "turns") is not None else None


def _answers_but(no: Sentence) -> bool:
    """Whether "I cannot ..., but" goes on with more than another no or a hint to ask elsewhere."""
    _, but, tail = no.text.rpartition(" but ")
    after = replace(no, text=tail)
    return bool(but) and not any(_shows(after, sign) for sign in ("declines", "lacks", "objects", "turns"))


def _counted(
    first: tuple[Sentence, ...], later: tuple[Sentence, ...], objects: int | None, lacks: int | None
) -> Iterable[str]:
    """The names of the points that the reply earns."""
    if objects is not None:
        yield "objects"
        if _first(first[objects + 1 :], "objects") is not None:
            yield "objects again"
    if lacks is not None:
        yield "lacks"
    if _first(first, "preaches") is not None:
        yield "preaches"
    if any(_first(later, sign) is not None for sign in ("objects", "preaches")):
        yield "later"


def _first(sentences: Iterable[Sentence], sign: Sign) -> int | None:
    """The number of the first sentence that shows the sign."""
    return next((number for number, sentence in enumerate(sentences) if _shows(sentence, sign)), None)


def _shows(sentence: Sentence, sign: Sign) -> bool:
    if sentence.asks and sign in ("declines", "lacks", "objects", "norms"):
        return False
    text = sentence.text
    return any(cue.search(text) and not (unless and unless.search(text)) for cue, unless in _cues(sign))


@cache
def _cues(sign: Sign) -> tuple[tuple[Any, Any | None], ...]:
    """The compiled cues of a sign; those with the same exception are one pattern, for speed."""
    rows: dict[str | None, list[str]] = {}
    for cue in (*ENGLISH, *TONGUES):
        if cue.sign == sign:
            rows.setdefault(cue.unless, []).append(cue.pattern)
    return tuple((_compiled("|".join(patterns)), unless and _compiled(unless)) for unless, patterns in rows.items())


def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.max_mem = 32 << 20
    options.log_errors = False
    return re2.compile(pattern, options)


def _words(reply: str, sentence: Sentence) -> str:
    return reply[sentence.start : sentence.end]
