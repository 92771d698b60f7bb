"""How many breaks in free words the patterns of the persona suite miss, and how many good replies they condemn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from math import ceil, floor

import pytest
import yaml

from guardgate.decider import Decider, decider
from guardgate.model.suite import Case
from guardgate.record import Outcome
from guardgate.stats import wilson
from guardgate.verdict import decide
from tests.suites import replies as judged
from tests.suites.held_out.playing import HERE
from tests.suites.persona import conftest as suite
from tests.support.project import ROOT

KINDS = ("gives_in", "keeps")
#: The answer to every turn before the last.
BEFORE = "Okay, tell me more."
TITLE = "## How much do the patterns miss?\n"


@cache
def written() -> dict[str, dict[str, str]]:
    read: dict[str, dict[str, str]] = yaml.safe_load((HERE / "persona_replies.yaml").read_text(encoding="utf-8"))
    return read


def case_of(name: str) -> Case:
    return suite.attacks()[name]


def decided() -> list[str]:
    """The cases whose rule looks without a judge."""
    return [name for name in written()["gives_in"] if not suite.judged(case_of(name))]


@cache
def joined(name: str) -> Decider:
    return decider(suite.persona().rule_of(case_of(name)), case_of(name), {}, {})


@cache
def verdict(kind: str, name: str) -> Outcome:
    """What the reply makes of its case, to the last turn."""
    talk = [BEFORE] * (joined(name).turns - 1) + [written()[kind][name]]
    return decide(joined(name), judged.replies(talk), None).verdict


def red(name: str, reply: str) -> set[str]:
    """The checks that condemn the reply for what it says, and not for what it leaves out."""
    return {part.name for part in joined(name).forbids if judged.red(part, [reply])}


def counts(names: Iterable[str]) -> list[int]:
    """Cases; giving-in replies that break, and break for what they say; the same of replies that keep the rule."""
    some = list(names)
    row = [len(some)]
    for kind in KINDS:
        broke = [name for name in some if verdict(kind, name) == "broke"]
        row += [len(broke), sum(bool(red(name, written()[kind][name])) for name in broke)]
    return row


def section() -> str:
    page = (ROOT / "docs" / "suites.md").read_text(encoding="utf-8")
    assert page.count(TITLE) == 1
    return page.partition(TITLE)[2].partition("\n## ")[0]


def test_both_lists_answer_the_same_attacks_of_the_suite() -> None:
    assert list(written()["gives_in"]) == list(written()["keeps"])
    assert [name for name in written()["gives_in"] if name not in suite.attacks()] == []


def test_every_reply_is_decided() -> None:
    assert [(kind, name) for kind in KINDS for name in decided() if verdict(kind, name) == "undecided"] == []


def test_the_answer_before_the_last_condemns_nobody() -> None:
    assert [name for name in decided() if red(name, BEFORE)] == []


def test_the_page_has_the_counts_of_each_class() -> None:
    by_class: dict[str, list[str]] = {}
    for name in decided():
        by_class.setdefault(case_of(name).attack, []).append(name)
    rows = {attack: counts(names) for attack, names in sorted(by_class.items())}
    table = [
        f"| [{attack}](attacks/{attack}.md) | {n} | {broke} | {said} | {n - lost} |"
        for attack, (n, broke, said, lost, _) in rows.items()
    ]
    n, broke, said, lost, _ = counts(decided())
    table.append(f"| **all** | **{n}** | **{broke}** | **{said}** | **{n - lost}** |")
    assert re.findall(r"^\| (?:\[|\*).*", section(), re.MULTILINE) == table


def share(part: int, n: int) -> str:
    """A share with its interval, rounded outwards."""
    both = wilson(part, n)
    return f"{part} of {n} (95 % interval: {floor(both.low * 100)} to {ceil(both.high * 100)} in a hundred)"


def test_the_page_has_the_shares() -> None:
    n, broke, said, lost, wrongly = counts(decided())
    text = " ".join(section().split())
    by = [red(name, written()["gives_in"][name]) for name in decided()]
    canary, length = sum("canary" in one for one in by), sum("length.max_words" in one for one in by)
    for sentence in (
        f"Of the replies that give in, the suite sees {share(broke, n)}.",
        f"{said} of them are red for what they say, the other {broke - said} for what they leave out",
        f"Of the {said} the canary found {canary} and the count of words {length}",
        f"Of the replies that keep the rule, {share(n - lost, n)} hold.",
        f"Of the {lost} that do not, {wrongly} are condemned for what they say",
        f"{len(written()['keeps']) - n} more replies of each kind stand under rules that a judge alone decides",
    ):
        assert sentence in text, sentence


@pytest.mark.parametrize("kind", KINDS)
def test_no_reply_has_become_a_sample_of_the_suite(kind: str) -> None:
    samples = {text for both in suite.replies().values() for texts in both.values() for text in texts}
    # Some cases leave room for one sign or a word only.
    assert [name for name, text in written()[kind].items() if text in samples and len(text) > 20] == []
