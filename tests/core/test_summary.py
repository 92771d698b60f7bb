"""The summary: three counts, none dropped, all from one fold, bounded whatever the run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.plan import Cell, Plan
from guardgate.record import KINDS, Attempt, Failure, Finding, Reply, Usage
from guardgate.summary import KEEP_BROKEN, KEEP_PASSES, KEEP_UNDECIDED, Summary, Tally, left_open, redecided, summarise
from tests.core.making import BAD, GOOD, attempt, case, plan, rule, summed

OF = plan(
    [rule("R1"), rule("R2", 0.5), rule("R3")],
    [case("c1"), case("c2"), case("c3", "R2"), case("c4", "R2")],
    [Cell(0, "one"), Cell(1, "two")],
    repeats=2,
)
SAYS = st.sampled_from([GOOD, BAD, "", "null"])


@st.composite
def runs(draw: st.DrawFn) -> list[Attempt]:
    """Attempts of the plan in any order, some of them missing, some with a failure."""
    numbers = draw(st.lists(st.integers(0, len(OF) - 1), unique=True))
    kinds = st.none() | st.sampled_from(sorted(KINDS))
    made = []
    for n in numbers:
        kind = draw(kinds)
        failure = None if kind is None else Failure(kind, f"why of {kind}", turn=1)
        usage = draw(st.none() | st.just(Usage(3, 4, 0.25)) | st.just(Usage(None, None, None)))
        made.append(attempt(OF, n, Reply(draw(SAYS), usage=usage), failure=failure))
    return made


@given(runs())
def test_every_planned_attempt_is_in_one_column(some: list[Attempt]) -> None:
    summary = summed(OF, some)
    for tally in (summary.total, *summary.rules.values(), *summary.classes.values(), *summary.cases.values()):
        assert tally.planned == tally.held + tally.broke + tally.target + tally.judge + tally.guardgate
    for parts in (summary.rules, summary.classes, summary.cases):
        assert sum(tally.planned for tally in parts.values()) == summary.total.planned == len(OF)
        assert sum(tally.broke for tally in parts.values()) == summary.total.broke


@given(runs())
def test_each_count_is_what_the_attempts_say(some: list[Attempt]) -> None:
    summary = summed(OF, some)
    assert summary.total.held == sum(one.verdict == "held" for one in some)
    assert summary.total.broke == sum(one.verdict == "broke" for one in some)
    sides = [KINDS[str(finding.kind)] for one in some if (finding := left_open(one)) is not None]
    missing = len(OF) - len(some)
    assert summary.total.target == sides.count("target")
    assert summary.total.judge == sides.count("judge")
    assert summary.total.guardgate == sides.count("guardgate") + missing
    assert summary.total.undecided == len(sides) + missing


@given(runs())
def test_an_error_is_counted_also_where_a_break_was_received_before(some: list[Attempt]) -> None:
    summary = summed(OF, some)
    holes = [one for one in some if any(finding.outcome == "undecided" for finding in one.findings)]
    assert sum(kind.count for kind in summary.kinds) == len(holes) + len(OF) - len(some)
    for kind in summary.kinds:
        assert KINDS[kind.kind] == kind.side


@given(runs(), st.randoms(use_true_random=False))
def test_the_order_of_lines_changes_no_count(some: list[Attempt], random: object) -> None:
    shuffled = list(some)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, two = summed(OF, some), summed(OF, shuffled)
    assert (one.total, one.rules, one.classes, one.cases, one.facts) == (
        two.total,
        two.rules,
        two.classes,
        two.cases,
        two.facts,
    )


@given(runs())
def test_the_facts_are_sums(some: list[Attempt]) -> None:
    facts = summed(OF, some).facts
    usages = [one.replies[0].usage for one in some]
    priced = [usage for usage in usages if usage is not None and usage.usd is not None]
    assert facts.replies == len(some)
    assert (facts.input_tokens, facts.output_tokens) == (3 * len(priced), 4 * len(priced))
    assert facts.usd == (0.25 * len(priced) if priced else None)


def many(count: int, say: str) -> tuple[Plan, list[Attempt]]:
    of = plan([rule("R1"), rule("R2")], [case("c1"), case("c2", "R2")], repeats=count)
    return of, [attempt(of, n, say) for n in range(len(of))]


@pytest.mark.parametrize("say", [GOOD, BAD, ""])
def test_what_is_kept_is_bounded(say: str) -> None:
    of, attempts = many(100, say)
    summary = summed(of, attempts)
    assert len(summary.broken) == (KEEP_BROKEN if say == BAD else 0)
    assert len(summary.undecided) == (0 if say else KEEP_UNDECIDED)
    assert len(summary.passes) == (KEEP_PASSES if say == GOOD else 0)


def test_the_sample_of_passes_is_the_same_for_the_same_plan() -> None:
    of, attempts = many(50, GOOD)
    assert summed(of, attempts).passes == summed(of, attempts).passes
    other = summed(replace(of, sha="f" * 64), attempts).passes
    assert other != summed(of, attempts).passes, "drawn by the plan's hash"


def test_each_broken_rule_is_shown_before_any_is_shown_twice() -> None:
    of = plan(
        [rule("S1", 0.5), *(rule(f"H{n}") for n in range(3))],
        [*(case(f"s{n}", "S1") for n in range(50)), *(case(f"h{n}", f"H{n}") for n in range(3))],
    )
    broken = summed(of, [attempt(of, n, BAD) for n in range(len(of))]).broken
    assert len(broken) == KEEP_BROKEN
    assert [one.case for one in broken[:4]] == ["h0", "h1", "h2", "s0"]


def test_a_rule_that_nothing_attacks_is_named_apart() -> None:
    summary = summed(OF, [])
    assert (summary.attempted_rules, summary.not_attacked) == (("R1", "R2"), ("R3",))
    assert (summary.severity("R1"), summary.severity("R2")) == ("hard", "soft")


def missing(end: dict[str, object] | None) -> Summary:
    return summarise(OF, [attempt(OF, 0, GOOD)], end)


def test_what_was_not_attempted_is_open_and_says_why() -> None:
    unended = missing(None)
    assert unended.total == Tally(planned=16, held=1, guardgate=15)
    assert unended.kinds[0].example == "not attempted: the run did not come to its end"
    stopped = missing({"reason": "limits.calls is spent", "kind": "budget"})
    assert [(kind.side, kind.kind, kind.count) for kind in stopped.kinds] == [("guardgate", "budget", 15)]


def test_what_a_stopped_target_left_is_its_own_error() -> None:
    summary = missing({"reason": None, "stopped": {"two": "the key is wrong"}})
    assert (summary.total.target, summary.total.guardgate) == (8, 7)
    assert {kind.kind: kind.example for kind in summary.kinds}["skipped"] == "two was stopped: the key is wrong"


def test_notes_of_the_intake_stay_and_notes_of_a_decision_are_made_again() -> None:
    once = attempt(OF, 0, f"{GOOD}<|im_end|>", notes=("a secret was replaced (reply 1)",))
    assert once.notes == ("a secret was replaced (reply 1)", "raw provider output in reply 1")
    assert redecided(OF, once) == once
    changed = redecided(OF, replace(once, replies=(Reply(GOOD),)))
    assert changed.notes == ("a secret was replaced (reply 1)",)


def test_the_first_open_finding_says_whose_error_it_is() -> None:
    judge = Finding("judge", "undecided", None, None, "no judge", "no_judge")
    target = Finding("check:state", "undecided", 1, None, "no state", "no_state")
    open_ = replace(attempt(OF, 0, GOOD), verdict="undecided", findings=(target, judge))
    summary = summed(OF, [open_])
    assert (summary.total.target, summary.total.judge) == (1, 0)
    assert left_open(replace(open_, verdict="broke")) is None
