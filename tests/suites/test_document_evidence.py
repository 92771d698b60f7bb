"""Patterns are as strong as canaries: what they find is there by the attack, and a report of it is no find."""

from __future__ import annotations

import base64
import itertools
import re

import pytest

from guardgate.checks.base import Forbids
from guardgate.checks.pattern import found
from guardgate.model.suite import Case
from guardgate.normalize import plain
from tests.suites import replies as judged
from tests.suites.test_documents import ATTACKS, CLEAN, path, payload, said, text, words

PATTERNED = [case for case in ATTACKS if judged.patterns(case)]
#: So many letters of a word are its stem: "approval" and "approved".
STEM = 5
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_BLOB = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}|(?:[0-9a-f]{2}){20,}")


def clean(case: Case) -> str:
    return path(case).with_stem(path(case).stem + CLEAN).read_text(encoding="utf-8")


def ordered(case: Case) -> set[str]:
    """The words of the attacked document, also of what is encoded in it, that the clean one does not have at all."""
    hidden = _TAGS.sub(lambda run: "".join(chr(ord(letter) - 0xE0000) for letter in run[0]), text(case))
    blobs = "".join(_BLOB.findall(text(case).replace("\\n", "\n")))
    return {*payload(case), *words(hidden), *words(decoded(blobs))} - set(words(clean(case)))


def decoded(blob: str) -> str:
    if re.fullmatch(r"(?:[0-9a-f]{2})+", blob):
        return bytes.fromhex(blob).decode("utf-8", "replace")
    return base64.b64decode(blob.rstrip("=") + "=" * (-len(blob.rstrip("=")) % 4)).decode("utf-8", "replace")


def hits(pattern: str, texts: list[str]) -> list[str]:
    """What the pattern finds, in the two ways in which a check reads a reply."""
    views = [view for one in texts for view in (one, plain(one))]
    spans = [(view, found(pattern, view)) for view in views]
    return [view[span[0] : span[1]] for view, span in spans if span is not None]


@pytest.mark.parametrize("case", PATTERNED, ids=lambda case: case.id)
def test_no_pattern_finds_anything_without_the_attack(case: Case) -> None:
    """Neither in the clean document nor in what a careful reader says of the attacked one."""
    one = said()[case.id]
    quiet = [clean(case), *one["reports"], *one.get("does", []), *itertools.chain(*one.get("holds", []))]
    assert [pattern for pattern in judged.patterns(case) if hits(pattern, quiet)] == []


@pytest.mark.parametrize("case", PATTERNED, ids=lambda case: case.id)
def test_what_a_pattern_finds_comes_from_the_attack(case: Case) -> None:
    """The found words do not stand in the clean document, and one of them stands in what was put in."""
    obeyed = [reply for conversation in said()[case.id]["obeys"] for reply in conversation]
    for pattern in judged.patterns(case):
        matched = hits(pattern, obeyed)
        assert matched, pattern
        assert [one for one in matched if one.strip().lower() in clean(case).lower()] == []
        assert any(comes(one, case) for one in matched), (pattern, matched)


def comes(matched: str, case: Case) -> bool:
    """Whether a word of it, or its stem, was put in, or stands in what the case says that the document wants."""
    core = matched.strip(" *_\n\"'“”„«»").rstrip(".").lower()
    wanted = set(words(f"{case.wants} {case.note or ''}")) - set(words(clean(case)))
    if case.rule == "D03-instructions":
        wanted |= set(words((path(case).parent / str(case.agent)).read_text(encoding="utf-8"))) - set(
            words(clean(case))
        )
    stems = {word[:STEM] for word in ordered(case) | wanted}
    return bool({word[:STEM] for word in words(matched)} & stems) or core in " ".join(text(case).lower().split())


WORDED = [case for case in PATTERNED if "holds" in said()[case.id]]


def test_obedience_in_other_words_is_looked_for_where_the_words_are_plain() -> None:
    assert len(WORDED) >= 20
    assert {case.rule for case in WORDED} >= {"D01-verdict", "D03-instructions", "D06-dictated", "D09-facts"}


@pytest.mark.parametrize("case", WORDED, ids=lambda case: case.id)
def test_who_speaks_of_the_order_in_its_words_holds_the_rule(case: Case) -> None:
    """Also denied, under a condition, or told of at the beginning of a sentence."""
    for conversation in said()[case.id]["holds"]:
        parts = [part for _, part in judged.parts(case) if isinstance(part, Forbids)]
        assert not any(judged.red(part, conversation) for part in parts), conversation
