"""Every check of every case has turned red, and lets a careful reply pass."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import yaml

from guardgate.checks import parts, settings
from guardgate.checks.base import Forbids, Hit, Part, Seen
from guardgate.decider import decider, turns_of
from guardgate.lint.samples import look, reply_of
from guardgate.model.suite import Case
from guardgate.record import Reply
from guardgate.verdict import decide
from tests.suites.persona.conftest import HERE, judged, persona, replies, twins
from tests.suites.ways import ways

DECIDED = [name for name, case in persona().cases.items() if not judged(case)]


def verdict(case: Case, last: str) -> tuple[str, str]:
    """What code says of a talk that ends with this reply, and why."""
    made = decider(persona().rule_of(case), case, {}, {})
    said = (*(Reply("Go on.", traced=False) for _ in turns_of(case)[1:]), Reply(last, traced=False))
    decision = decide(made, said, None)
    return decision.verdict, "; ".join(finding.why for finding in decision.findings if finding.outcome == "broke")


def pairs(colour: str) -> Iterator[tuple[str, str]]:
    for name in DECIDED:
        for text in replies()[name][colour]:
            yield name, text


def test_every_case_has_its_replies() -> None:
    assert set(replies()) == set(persona().cases)
    # A long text for a small screen is red by its number of words: test_length has it.
    silent = [name for name in DECIDED if not replies()[name]["red"] and not name.startswith("manner-")]
    assert silent == []
    assert [name for name in DECIDED if not replies()[name]["green"]] == []


@pytest.mark.parametrize(("name", "text"), list(pairs("red")))
def test_a_reply_that_gives_in_is_red(name: str, text: str) -> None:
    assert verdict(persona().cases[name], text)[0] == "broke"


@pytest.mark.parametrize(("name", "text"), list(pairs("green")))
def test_a_careful_reply_is_green(name: str, text: str) -> None:
    assert verdict(persona().cases[name], text) == ("held", "")


@pytest.mark.parametrize("name", [name for name in DECIDED if name.startswith("manner-")])
def test_length(name: str) -> None:
    assert verdict(persona().cases[name], "word " * 180)[0] == "held"
    assert verdict(persona().cases[name], "word " * 181)[0] == "broke"


def red(part: Part, texts: list[str]) -> bool:
    return any(isinstance(look(part, Seen(Reply(text, traced=False))), Hit) for text in texts)


@pytest.mark.parametrize("name", DECIDED)
def test_every_check_of_the_case_turns_red(name: str) -> None:
    """Those of the rule do by its samples; those of the case by the replies that are written for it."""
    case = persona().cases[name]
    idle = [part.name for part in parts(case.checks, {}) if not red(part, replies()[name]["red"])]
    assert idle == []


@pytest.mark.parametrize("name", persona().rules)
def test_every_check_of_the_rule_turns_red(name: str) -> None:
    rule = persona().rules[name]
    samples = [Seen(reply_of(sample)) for sample in rule.samples.broke]
    idle = [
        part.name for part in parts(rule.checks, {}) if not any(isinstance(look(part, one), Hit) for one in samples)
    ]
    assert idle == []


def changed(case: Case, kind: str, value: object) -> Case:
    return case.model_copy(update={"checks": case.checks.model_copy(update={kind: value})})


def without_one(singles: tuple[str, ...], apart: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each entry, and what is left without it. `apart`: each alternative of a pattern counts as an entry."""
    for place, single in enumerate(singles):
        every = ways(single) if apart else [single]
        for way in every:
            others = "|".join(one for one in every if one != way)
            yield way, (*singles[:place], *([others] if others else []), *singles[place + 1 :])


def lesser(case: Case) -> Iterator[tuple[str, Case]]:
    """The case less one thing it forbids, or one thing it asks for: each pattern, or all of which one is enough."""
    for kind, _, spec in settings(case.checks):
        whole = getattr(case.checks, kind)
        rest = tuple(one for one in (whole if isinstance(whole, tuple) else (whole,)) if one is not spec)
        alone = "any" if kind in ("not_regex", "not_contains") else "all"
        singles = getattr(spec, alone, None) or ()
        for single, left in without_one(singles, apart=kind == "not_regex"):
            kept = (spec.model_copy(update={alone: left}),) if left else ()
            yield f"{kind}: {single}", changed(case, kind, (*rest, *kept) or None)
        if not singles and kind != "length":
            yield kind, changed(case, kind, rest or None)


@pytest.mark.parametrize("name", DECIDED)
def test_whatever_a_case_asks_a_reply_is_red_by_that_alone(name: str) -> None:
    """No pattern of a case could be dropped unnoticed: neither the others nor the rule see that reply."""
    texts = replies()[name]["red"]
    dead = [
        one for one, case in lesser(persona().cases[name]) if all(verdict(case, text)[0] == "broke" for text in texts)
    ]
    assert dead == []


@pytest.mark.parametrize("name", twins())
def test_the_length_of_a_twin_alone_makes_a_good_reply_red(name: str) -> None:
    case = persona().cases[name]
    assert case.checks.length is not None
    long = " and ".join([replies()[name]["green"][0]] * 15)
    others = changed(changed(case, "length", None), "not_regex", None)
    assert verdict(others, long) == ("held", "")
    assert verdict(changed(case, "not_regex", None), long)[0] == "broke"


@pytest.mark.parametrize("rule", ["P02-claims", "P03-instructions", "P11-urgency"])
def test_a_prompt_that_is_read_out_is_red_without_the_canary(rule: str) -> None:
    """As far as prompts begin or end as most do; what is not seen is listed too."""
    prompts = yaml.safe_load((HERE / "prompts.yaml").read_text(encoding="utf-8"))
    forbids = [part for part in parts(persona().rules[rule].checks, {}) if isinstance(part, Forbids)]

    def seen(text: str) -> bool:
        return any(isinstance(part.look(Seen(Reply(text))), Hit) for part in forbids)

    assert {text: seen(text) for listed in prompts.values() for text in listed} == {
        **dict.fromkeys(prompts["seen"], True),
        **dict.fromkeys(prompts["unseen"] + prompts["harmless"], False),
    }
