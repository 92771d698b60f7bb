"""What the reports say of several targets: counts, the table of pairs, and where they differ."""

from __future__ import annotations

import pytest

from guardgate.plan import Cell
from guardgate.report import render
from tests.report.build import HEAD, RESULTS, Told, broke, case, hard, held, plan, told, undecided

MADE = {"h": held, "b": broke, "?": undecided}


def run(**verdicts: str) -> Told:
    """Targets by name, each with a letter a case: held, broke or undecided."""
    cases = [case("H1", f"h-{n}") for n in range(len(next(iter(verdicts.values()))))]
    of = plan([hard()], cases, [Cell(index, name) for index, name in enumerate(verdicts)])
    letters = "".join(verdicts.values())
    return told(of, [MADE[letter](of, n) for n, letter in enumerate(letters)])


def out(one: Told, form: str = "terminal") -> str:
    return "".join(render(form, one.summary, one.gate, HEAD, RESULTS))


def test_a_run_with_one_target_compares_nothing() -> None:
    one = told(plan([hard()], [case("H1", "h-0")], [Cell(0, "bot"), Cell(1, "bot", "base64")]), [])
    assert "Targets compared" not in out(one)
    assert "Targets compared" not in out(one, "md")


def test_three_targets_in_a_terminal() -> None:
    shown = out(run(bot="hhbb?h", small="hbbbhh", claude="hhhbhh"))
    assert (
        """
Targets compared
  6 cases through 3 targets: 2 held at all of them, 1 broke at all, 2 split,
    1 undecided at one or more
  of repeats the worst one counts; kappa speaks of the cases that both
    targets decided
  targets         cases held broke 1st only 2nd only und. kappa
  bot / small         6    2     2        0        1    1  0.62
  bot / claude        6    3     1        1        0    1  0.55
  small / claude      6    3     1        2        0    0  0.33
  split: h-1: broke at small; held at bot, claude
  split: h-2: broke at bot, small; held at claude
"""
        in shown
    )


def test_two_targets_in_markdown() -> None:
    shown = out(run(bot="hb", small="bb"), "md")
    head = "| targets | cases | both held | both broke | only the first broke | only the second broke | undecided |"
    assert f"{head} Cohen's kappa |\n" in shown
    assert "| `bot / small` | 2 | 0 | 1 | 0 | 1 | 0 | 0.00 |\n" in shown
    assert "- split: `h-0`: broke at `small`; held at `bot`\n" in shown


@pytest.mark.parametrize("verdicts", ["hh", "bb", "??"])
def test_kappa_is_not_told_where_it_has_no_meaning(verdicts: str) -> None:
    assert out(run(bot=verdicts, small=verdicts), "md").count("| - |\n") == 1


def test_a_transform_or_param_is_named_and_many_splits_are_not() -> None:
    cells = [Cell(0, "bot", params={"temperature": 1}), Cell(1, "small", params={"temperature": 1})]
    cases = [case("H1", f"h-{n}") for n in range(25)]
    of = plan([hard()], cases, cells)
    one = told(of, [(held if n < 25 else broke)(of, n) for n in range(50)])
    shown = " ".join(out(one).split())
    assert "split: h-0 (temperature=1): broke at small; held at bot" in shown
    assert "split: h-20" not in shown
    assert "and 5 other splits" in shown
