"""What the numbers can tell: each line, and when it is there."""

from __future__ import annotations

from dataclasses import replace

from guardgate.gate import gate
from guardgate.judging.panel import Panel
from guardgate.plan import Cell, Plan
from guardgate.record import Attempt, Finding, Reply, Score
from guardgate.report.sentence import Raw
from guardgate.report.sure import sure
from guardgate.summary import Summary, summarise
from tests.core.making import BAD, GOOD, attempt, case, plan, rule

END = {"t": "end", "reason": None}


def said(summary: Summary) -> list[str]:
    return [
        "".join(part.text if isinstance(part, Raw) else part for part in one) for one in sure(summary, gate(summary))
    ]


def told(of: Plan, letters: str) -> list[str]:
    """What is said of a plan whose attempts held (h) or broke (b), over and over."""
    tries = [attempt(of, n, GOOD if letters[n % len(letters)] == "h" else BAD) for n in range(len(of))]
    return said(summarise(of, tries, END))


def having(lines: list[str], start: str) -> str:
    (line,) = [one for one in lines if one.startswith(start)]
    return line


def test_no_break_says_what_stays_possible_by_case_and_not_by_attempt() -> None:
    rules = [rule("A"), rule("B")]
    cases = [*(case(f"a{n}", "A") for n in range(5)), *(case(f"b{n}", "B") for n in range(20))]
    lines = [one for one in told(plan(rules, cases, repeats=5), "h") if one.startswith("no break")]
    assert lines == [
        "no break in 5 cases still leaves it open (95 %) that up to 45.1% of such attacks break the rule: A",
        "no break in 20 cases still leaves it open (95 %) that up to 14% of such attacks break the rule: B",
    ]


def test_the_cell_with_the_fewest_cases_counts() -> None:
    cells = (Cell(0, "bot"), Cell(1, "bot", "leet"))
    of = plan([rule("A")], [case("a1", "A"), case("a2", "A", transform=False)], cells)
    cases = (replace(of.cases[0], sent={"leet": ("7311 m3.",)}), of.cases[1])
    of = replace(of, cases=cases)
    tries = [attempt(of, n, GOOD, sent=of.sent(of.at(n))) for n in range(len(of))]
    assert "no break in 1 case" in having(said(summarise(of, tries, END)), "no break")


def test_a_threshold_inside_the_interval_is_named() -> None:
    few = told(plan([rule("S", 0.9)], [case(f"s{n}", "S") for n in range(10)]), "h")
    assert having(few, "too few attempts to tell").endswith("threshold): S 69-100% around 90%")
    odd = told(plan([rule("S", 0.995)], [case(f"s{n}", "S") for n in range(10)]), "h")
    assert having(odd, "too few attempts to tell").endswith("S 69-100% around 99.5%")
    many = told(plan([rule("S", 0.9)], [case(f"s{n}", "S") for n in range(100)]), "h")
    assert not [one for one in many if one.startswith("too few")]


def test_a_flaky_case_is_the_bot() -> None:
    of = plan([rule("A")], [case("a1", "A"), case("a2", "A")], repeats=3)
    letters = {0: "hhb", 1: "bbb"}
    tries = [attempt(of, n, {"h": GOOD, "b": BAD}[letters[of.at(n).case][of.at(n).repeat]]) for n in range(6)]
    lines = said(summarise(of, tries, END))
    assert having(lines, "flaky: 1 case held").endswith("differed: a1 (2/3)")
    assert not [one for one in lines if one.startswith("the judge flipped")]


JUDGED = rule("J", checks={}, judge={"required_scores": {"polite": 1.0}})
POLITE = {"polite": {"ask": "Is polite.", "kind": "requires"}}


def judged(of: Plan, n: int, words: str, verdict: str) -> Attempt:
    """An attempt that a judge decided."""
    spot = of.at(n)
    finding = Finding("judge:strict", verdict, 1, None, "so it says")  # type: ignore[arg-type]
    return Attempt(
        n, of.cases[spot.case].case.id, spot.cell, spot.repeat, replies=(Reply(words),), verdict=verdict,  # type: ignore[arg-type]
        findings=(finding,), scores=(Score("strict", {"polite": 1.0}),),
    )  # fmt: skip


def judged_plan(cases: int, repeats: int, panel: Panel) -> Plan:
    from guardgate.model.constraints import Criterion  # noqa: PLC0415

    criteria = {name: Criterion.model_validate(one) for name, one in POLITE.items()}
    return plan([JUDGED], [case(f"j{n}", "J") for n in range(cases)], repeats=repeats, criteria=criteria, panel=panel)


def test_the_same_words_with_both_verdicts_are_the_judge_and_other_words_are_the_bot() -> None:
    of = judged_plan(2, 2, Panel(("strict", "second")))
    tries = [
        judged(of, 0, "Yes.", "held"),
        judged(of, 1, "Yes.", "held"),
        judged(of, 2, "Yes.", "broke"),
        judged(of, 3, "No.", "broke"),
    ]
    lines = said(summarise(of, tries, END))
    assert having(lines, "the judge flipped: 1 case in which the same words got both").endswith("target: j0 (1/2)")
    assert having(lines, "flaky: 1 case").endswith("differed: j1 (1/2)")


def test_one_judge_over_many_replies_is_a_risk_and_two_are_not_told() -> None:
    of = judged_plan(60, 5, Panel(("strict",)))
    tries = [judged(of, n, "Yes.", "held") for n in range(len(of))]
    assert "300 attempts on hard rules" in having(said(summarise(of, tries, END)), "one judge alone")
    assert having(said(summarise(of, tries, END)), "one judge alone").endswith("comes with probability 95%")
    two = judged_plan(60, 5, Panel(("strict", "second")))
    assert not [one for one in said(summarise(two, tries, END)) if one.startswith("one judge")]


def test_a_cell_that_is_worse_than_the_others_stands_out_and_is_called_exploratory() -> None:
    cells = tuple(Cell(n, "bot", params={"t": n}) for n in range(6))
    of = plan([rule("S", 0.1), rule("H")], [*(case(f"s{n}", "S") for n in range(12)), case("h", "H")], cells)
    tries = [attempt(of, n, BAD if of.at(n).cell == 4 and of.at(n).case < 9 else GOOD) for n in range(len(of))]
    line = having(said(summarise(of, tries, END)), "exploratory (6 comparisons")
    assert line.endswith("worse than the same cases in the other cells: S in c4")
    assert not [one for one in told(of, "h") if one.startswith("exploratory")]
