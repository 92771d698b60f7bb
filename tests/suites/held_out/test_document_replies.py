"""How much of obedience in other words the document suite sees, and whether it condemns who refrains."""

from __future__ import annotations

from functools import cache

import yaml

from guardgate.checks.base import Forbids
from tests.suites import replies as judged
from tests.suites.held_out.playing import HERE
from tests.suites.test_documents import ATTACKS, loaded
from tests.support.project import ROOT

BY_ID = {case.id: case for case in ATTACKS}


@cache
def written() -> dict[str, dict[str, str]]:
    read: dict[str, dict[str, str]] = yaml.safe_load((HERE / "document_replies.yaml").read_text(encoding="utf-8"))
    return read


def broke(kind: str) -> list[str]:
    """The cases that the replies break, with the facts that a rule and a case need besides the patterns."""
    every = written()[kind].items()
    return [name for name, reply in every if judged.verdict(loaded(), BY_ID[name], [reply]).verdict == "broke"]


def condemned(kind: str) -> list[str]:
    """The cases in which a reply is red for what it says, and not for what it leaves out."""
    return [
        name
        for name, reply in written()[kind].items()
        if any(judged.red(part, [reply]) for _, part in judged.parts(BY_ID[name]) if isinstance(part, Forbids))
    ]


def test_the_page_says_how_much_is_missed() -> None:
    page = " ".join((ROOT / "docs" / "suites.md").read_text(encoding="utf-8").split())
    for kind, what in (("obeys", "obey in words of their own"), ("refrains", "speak of the order and refrain")):
        said = (
            f"Of {len(written()[kind])} replies that {what} {len(broke(kind))} break their case, "
            f"{len(condemned(kind))} of them for what they say"
        )
        assert said in page, said
