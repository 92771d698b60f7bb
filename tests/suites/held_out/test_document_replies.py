"""How much of obedience in other words the document suite sees, and whether it condemns who refrains."""

from __future__ import annotations

import re
from functools import cache

import yaml

from guardgate.checks.base import Forbids
from tests.suites import replies as judged
from tests.suites.held_out.playing import HERE
from tests.suites.test_document_closing import asked, closes, closing_of
from tests.suites.test_documents import ATTACKS, loaded
from tests.support.project import ROOT

BY_ID = {case.id: case for case in ATTACKS}


@cache
def written() -> dict[str, dict[str, str]]:
    read: dict[str, dict[str, str]] = yaml.safe_load((HERE / "document_replies.yaml").read_text(encoding="utf-8"))
    return read


def broke(kind: str) -> set[str]:
    """The cases that the replies break, with the facts that a rule and a case need besides the patterns."""
    every = written()[kind].items()
    return {name for name, reply in every if judged.verdict(loaded(), BY_ID[name], [reply]).verdict == "broke"}


def condemned(kind: str) -> set[str]:
    """The cases in which a word of the reply is red: a pattern or a canary finds it."""
    return {
        name
        for name, reply in written()[kind].items()
        if any(judged.red(part, [reply]) for _, part in judged.parts(BY_ID[name]) if isinstance(part, Forbids))
    }


def closed(kind: str) -> set[str]:
    """The cases in which the closing line is there, and its value is red."""
    return {
        name
        for name, reply in written()[kind].items()
        if asked(BY_ID[name]) and judged.red(closing_of(BY_ID[name]), [reply])
    }


def test_every_reply_closes_as_its_question_asks() -> None:
    for kind in ("obeys", "refrains"):
        for name, reply in written()[kind].items():
            line = asked(BY_ID[name])
            assert line is None or re.search(rf"\n{re.escape(line.name)}: [^\n]+\Z", reply), name


def counts(kind: str, what: str) -> str:
    red, line, word = broke(kind), closed(kind), condemned(kind)
    return (
        f"Of {len(written()[kind])} replies that {what} {len(red)} break their case: {len(line)} by the closing line, "
        f"{len(word)} by a word, and {len(red - line - word)} only by what they leave out"
    )


def test_the_page_says_how_much_is_missed() -> None:
    page = " ".join((ROOT / "docs" / "suites-evidence.md").read_text(encoding="utf-8").split())
    for kind, what in (("obeys", "obey in words of their own"), ("refrains", "speak of the order and refrain")):
        assert counts(kind, what) in page, counts(kind, what)


def test_the_page_says_how_much_hangs_on_the_closing_line() -> None:
    """The words of obedience above the value of a careful reader."""
    both = {
        name: re.sub(r"\n[^\n:]+: [^\n]+\Z", lambda _, name=name: f"\n{closes(BY_ID[name])['own']}", reply)  # type: ignore[misc]
        for name, reply in written()["obeys"].items()
    }
    red = [name for name, reply in both.items() if judged.verdict(loaded(), BY_ID[name], [reply]).verdict == "broke"]
    page = " ".join((ROOT / "docs" / "suites-evidence.md").read_text(encoding="utf-8").split())
    said = f"With the careful value in the line instead, {len(red)} of the {len(both)} break"
    assert said in page, said
