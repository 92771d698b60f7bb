"""The suite is broad: classes, turns, languages, twins; and no two cases are near-copies."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest

from guardgate.attacks import TABLE
from guardgate.checks.pattern import found
from guardgate.criteria import SHIPPED
from guardgate.normalize import plain
from tests.suites.persona.conftest import attacks, judged, persona, twins
from tests.suites.ways import ways

CLASSES = [name for name, row in TABLE.items() if row.channel == "conversation"]
#: The share of 5-grams that two cases may have in common.
ALIKE = 0.5


def test_every_class_has_its_share() -> None:
    counts = Counter(case.attack for case in attacks().values())
    assert set(counts) == set(CLASSES)
    assert min(counts.values()) >= 4
    assert len(attacks()) >= 90


def test_a_third_of_the_attacks_takes_its_time() -> None:
    turns = [len(case.turns) for case in attacks().values()]
    assert sum(3 <= count <= 6 for count in turns) * 3 >= len(turns)
    assert max(turns) <= 6


def test_some_attacks_take_all_the_turns_there_are() -> None:
    """A slow climb, in four classes and more."""
    assert len({case.attack for case in attacks().values() if len(case.turns) == 6}) >= 4


def test_many_shots_are_many() -> None:
    """Pasted talks with a dozen invented exchanges, and an answer that is still missing."""
    exchange = re.compile(r"^(?:me: .+\nyou: .+|Q: .+ A: .+)$", re.MULTILINE)
    open_end = re.compile(r"(?:^you:|A:)\Z", re.MULTILINE)
    texts = ["\n".join(case.turns) for case in attacks().values() if case.attack == "refusal_suppression_manyshot"]
    assert sum(len(exchange.findall(text)) >= 12 and bool(open_end.search(text)) for text in texts) >= 2


def test_every_rule_is_attacked_and_most_are_hard() -> None:
    rules = persona().rules
    assert len(rules) >= 16
    assert {case.rule.partition("/")[2] for case in persona().cases.values()} == set(rules)
    assert Counter(rule.severity for rule in rules.values()).most_common(1)[0][0] == "hard"


def test_every_class_has_a_twin() -> None:
    assert {persona().cases[(case.twin_of or "").partition("/")[2]].attack for case in twins().values()} == set(CLASSES)


def test_other_languages_come_with_a_translation_for_the_reviewer() -> None:
    foreign = [case for case in persona().cases.values() if any(tag.startswith("lang:") for tag in case.tags)]
    assert len(foreign) >= 12
    assert all((case.note or "").startswith("Back-translation: ") for case in foreign)
    strange = {case.id for case in persona().cases.values() if re.search(r"[^\W\d_a-zA-Z]", " ".join(case.turns))}
    assert strange <= {case.id for case in foreign}


def test_voices_differ() -> None:
    """Capitals, length and tidiness vary: not every user writes like the author."""
    first = [case.turns[0] for case in attacks().values()]
    assert 0.25 < sum(text[0].islower() for text in first) / len(first) < 0.75
    lengths = [len(" ".join(case.turns).split()) for case in attacks().values()]
    assert min(lengths) <= 12
    assert max(lengths) >= 60


def grams(text: str) -> set[tuple[str, ...]]:
    """Its runs of five words; of a text with fewer, the text."""
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + 5]) for at in range(max(1, len(words) - 4))}


def test_no_two_cases_are_near_copies() -> None:
    seen = {name: grams("\n".join(case.turns)) for name, case in persona().cases.items()}
    close = [
        (one, other)
        for one, other in combinations(seen, 2)
        if len(seen[one] & seen[other]) >= ALIKE * len(seen[one] | seen[other])
    ]
    assert close == []


def test_code_decides_nearly_everything() -> None:
    assert sum(judged(case) for case in persona().cases.values()) <= 5
    for rule in persona().rules.values():
        assert set(rule.judge.required_scores if rule.judge else ()) <= set(SHIPPED)


@pytest.mark.parametrize("name", persona().rules)
def test_every_pattern_of_a_rule_turns_a_broken_sample_red(name: str) -> None:
    rule = persona().rules[name]
    texts = [sample if isinstance(sample, str) else sample.text for sample in rule.samples.broke]
    assert not isinstance(rule.checks.not_regex, tuple)
    patterns = rule.checks.not_regex.any if rule.checks.not_regex else ()
    views = [view for text in texts for view in (plain(text), text)]
    assert [pattern for pattern in patterns if not any(found(pattern, view) for view in views)] == []
    assert rule.samples.held
    assert rule.samples.broke


@pytest.mark.parametrize("name", persona().rules)
def test_every_pattern_that_a_rule_asks_for_is_met_by_a_held_sample(name: str) -> None:
    rule = persona().rules[name]
    texts = [plain(sample if isinstance(sample, str) else sample.text) for sample in rule.samples.held]
    assert not isinstance(rule.checks.regex, tuple)
    wanted = rule.checks.regex.any or () if rule.checks.regex else ()
    assert [pattern for pattern in wanted if not any(found(pattern, text) for text in texts)] == []


@pytest.mark.parametrize("name", persona().rules)
def test_every_way_of_a_pattern_has_a_broken_sample_that_it_alone_sees(name: str) -> None:
    """So that no pattern, and no alternative of one, could be dropped unnoticed."""
    rule = persona().rules[name]
    texts = [sample if isinstance(sample, str) else sample.text for sample in rule.samples.broke]
    assert not isinstance(rule.checks.not_regex, tuple)
    every = [way for pattern in (rule.checks.not_regex.any if rule.checks.not_regex else ()) for way in ways(pattern)]
    seen = {text: [one for one in every if found(one, plain(text)) or found(one, text)] for text in texts}
    assert set(every) - {by[0] for by in seen.values() if len(by) == 1} == set()
