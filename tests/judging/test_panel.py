"""Several judges: agreement, ties, missing votes, escalation; and the simulated panel."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from guardgate.judged import Concordance
from guardgate.judging.panel import NOBODY, Panel, rule
from guardgate.judging.vote import Vote
from guardgate.record import Outcome
from guardgate.report.judges import judges
from guardgate.report.sentence import say
from guardgate.summary import summarise
from tests.judging import court

H: Outcome = "held"
B: Outcome = "broke"
U: Outcome = "undecided"


def votes(*outcomes: Outcome) -> list[Vote]:
    return [Vote(f"j{n}", one, "", kind="unparseable" if one == U else None) for n, one in enumerate(outcomes)]


def decided(agreement: str, *outcomes: Outcome) -> str:
    panel = Panel(tuple(f"j{n}" for n in range(len(outcomes))), agreement)  # type: ignore[arg-type]
    return rule(panel, votes(*outcomes)).vote.outcome


@pytest.mark.parametrize(
    ("outcomes", "unanimous", "majority"),
    [
        ((H,), H, H), ((B,), B, B), ((U,), U, U),
        ((H, H), H, H), ((B, B), B, B), ((H, B), U, U), ((H, U), U, U), ((B, U), U, U), ((U, U), U, U),
        ((H, H, H), H, H), ((H, H, B), U, H), ((H, B, B), U, B), ((H, H, U), U, H), ((B, B, U), U, B),
        ((H, B, U), U, U), ((H, U, U), U, U), ((H, H, B, B), U, U), ((H, H, H, U), U, H),
    ],
)  # fmt: skip
def test_agreement(outcomes: tuple[Outcome, ...], unanimous: str, majority: str) -> None:
    assert decided("unanimous", *outcomes) == unanimous
    assert decided("majority", *outcomes) == majority


def test_nobody_decides_nothing() -> None:
    assert rule(NOBODY, votes(H)).vote.kind == "no_judge"


def test_a_judge_that_is_not_named_has_no_vote() -> None:
    assert rule(Panel(("j0",)), [Vote("other", H, ""), *votes(B)]).vote.outcome == B


def test_a_named_judge_that_did_not_vote_is_missing() -> None:
    assert rule(Panel(("j0", "j1")), votes(H)).vote.outcome == U


def test_the_order_of_votes_does_not_matter() -> None:
    for outcomes in product((H, B, U), repeat=3):
        panel = Panel(("j0", "j1", "j2"), "majority")
        found = {rule(panel, order).vote.outcome for order in (votes(*outcomes), votes(*outcomes)[::-1])}
        assert len(found) == 1


def test_escalation_decides_only_what_the_panel_leaves_open() -> None:
    panel = Panel(("j0", "j1"), escalate="top")
    top = Vote("top", B, "")
    split = rule(panel, [*votes(H, B), top])
    assert (split.vote.outcome, split.escalated) == (B, True)
    agreed = rule(panel, [*votes(H, H), top])
    assert (agreed.vote.outcome, agreed.escalated) == (H, False)
    assert rule(panel, votes(H, B)).vote.kind == "disagreement"


def simulated(seed: int, escalate: bool) -> int:
    """300 attempts on a hard rule that never breaks; two judges, each wrong on 2 %, a third that is right."""
    dice = random.Random(seed)
    panel = Panel(("one", "two"), escalate="top" if escalate else None)
    codes = set()
    for _ in range(300):
        said = [Vote(name, B if dice.random() < 0.02 else H, "") for name in ("one", "two")]
        outcome = rule(panel, [*said, Vote("top", H, "")]).vote.outcome
        codes.add({H: 0, B: 2, U: 3}[outcome])
    return 3 if 3 in codes else max(codes)


def test_with_escalation_a_panel_ends_with_the_true_code() -> None:
    right = sum(simulated(seed, escalate=True) == 0 for seed in range(200))
    assert right >= 0.85 * 200
    assert sum(simulated(seed, escalate=False) == 0 for seed in range(200)) == 0


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((8, 1, 1, 0), "Cohen's kappa 0.62"),
        ((8, 0, 2, 0), "Cohen's kappa has no meaning here"),
        ((8, 0, 0, 2), "Cohen's kappa has no meaning here"),
        ((0, 8, 2, 0), "Cohen's kappa has no meaning here"),
        ((9, 0, 0, 0), "Cohen's kappa has no meaning here"),
        ((4, 0, 1, 1), "Cohen's kappa -0.20"),
    ],
)
def test_kappa_of_two_judges_is_told_where_both_used_both_words(counts: tuple[int, ...], said: str) -> None:
    of = court.plan([court.rule()], ["R1"], Panel(("one", "two")))
    summary = replace(summarise(of, ()), concordance=(Concordance("one", "two", *counts),))
    assert said in say(next(judges(summary)), str)
