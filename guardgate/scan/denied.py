"""Prohibitions and reminders in other languages: "do not ignore the instructions", "do not forget to read them"."""

from __future__ import annotations

import re

#: Words of an English order: "no" before it denies nothing.
_ENGLISH = re.compile(rb"\b(?:the|all|any|your|you|previous|prior|above)\b")
_BEFORE = re.compile(
    (
        r"(?:(?:^|[\s\"'(>*_:,.;!?/-])(?:n'|(?:ne|no|non|não|niet|nie|nunca|jamais|mai)\s)"
        r"(?:(?:se|te|me|vous|os)\s)?"
        r"|(?:^|\s)(?:не|никогда не|inte|đừng|không)\s"
        r"|不要|勿|别|別|不得|不可|不应)\s*$"
    ).encode()
)
_WITHIN = re.compile(
    rb"[^a-z\x80-\xff]{0,3}[^\s]{1,24}(?: (?:sie|bitte|ihr|u|je|jij|vous|usted))* (?:bitte )?"
    rb"(?:niemals|nicht|nie|niet|nooit|pas)\b"
    rb"|[^a-z\x80-\xff]{0,3}negeer\b[^.!?\n]{0,90}\bniet\b"
)
#: What ends a verb that is denied, in Japanese, Korean and Turkish.
_ENDINGS = tuple(
    word.encode()
    for word in ("ないで", "ないこと", "てはいけ", "지마", "지 마", "지않", "지 않", "mayın", "meyin", "mayin")
)
_SENTENCE = re.compile(rb"[^.!?\n]{0,130}")
_NEAR = 40


def denied(data: bytes, start: int, end: int) -> bool:
    """Whether the words of a cue that is not English are denied before, within or right behind it."""
    if _ENGLISH.search(data, start, end):
        return False
    near = end + _NEAR
    if _BEFORE.search(data[max(0, start - _NEAR) : start]) or _WITHIN.match(data, start, near):
        return True
    sentence = _SENTENCE.match(data, start, near)
    return sentence is not None and any(ending in sentence[0] for ending in _ENDINGS)
