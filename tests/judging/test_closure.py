"""What an open attempt may decide: the gate with judges' open ends, against every way in which they could end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate.fitness import Fitness
from guardgate.gate import Gate
from tests.report.build import END, broke, case, hard, held, plan, soft, told, undecided

#: One letter an attempt: held, broke, left open by a judge, no answer of the target, not played by us.
Letters = str
THRESHOLDS = (0.25, 0.5, 0.75, 0.9, 1.0)
KINDS = {"j": "disagreement", "t": "timeout", "g": "budget"}


def gated(rules: Sequence[tuple[float | None, Letters]], **more: Any) -> Gate:
    """The gate of a run with these rules (None: hard, else a threshold) and attempts."""
    made = [hard(f"R{n}") if threshold is None else soft(f"R{n}", threshold) for n, (threshold, _) in enumerate(rules)]
    cases = [case(f"R{n}", f"c{n}-{at}") for n, (_, letters) in enumerate(rules) for at in range(len(letters))]
    of = plan(made, cases)
    every = "".join(letters for _, letters in rules)
    make = {"h": held, "b": broke}
    attempts = [
        make[one](of, n) if one in make else undecided(of, n, KINDS[one]) for n, one in enumerate(every) if one != "-"
    ]
    return told(of, attempts, **more).gate


def endings(rules: Sequence[tuple[float | None, Letters]]) -> Iterator[list[tuple[float | None, Letters]]]:
    """The run with each open attempt of a judge held or broken, in every combination."""
    count = sum(letters.count("j") for _, letters in rules)
    for ends in product("hb", repeat=count):
        left = iter(ends)
        yield [
            (threshold, "".join(next(left) if one == "j" else one for one in letters)) for threshold, letters in rules
        ]


def possible(rules: Sequence[tuple[float | None, Letters]]) -> set[int]:
    """Every code that the run could still come to."""
    return {gated(ended).code for ended in endings(rules)}


rule = st.tuples(st.none() | st.sampled_from(THRESHOLDS), st.text("hhhbj", min_size=1, max_size=6))
judged_runs = st.lists(rule, min_size=1, max_size=2).filter(lambda run: sum(one.count("j") for _, one in run) <= 5)
FEW = settings(deadline=None, max_examples=150)


@FEW
@given(judged_runs)
def test_a_code_that_is_no_3_is_the_code_of_every_ending(run: list[tuple[float | None, Letters]]) -> None:
    code = gated(run).code
    if code != 3:
        assert possible(run) == {code}


@FEW
@given(judged_runs)
def test_a_3_by_judges_alone_could_end_in_two_ways(run: list[tuple[float | None, Letters]]) -> None:
    if gated(run).code == 3:
        states = {tuple(one.state for one in gated(ended).rules) for ended in endings(run)}
        assert len(states) > 1


@FEW
@given(judged_runs, st.data())
def test_a_break_in_place_of_a_hold_never_improves_anything(run: list[tuple[float | None, Letters]], data: Any) -> None:
    places = [(n, at) for n, (_, letters) in enumerate(run) for at, one in enumerate(letters) if one == "h"]
    if not places:
        return
    n, at = data.draw(st.sampled_from(places))
    threshold, letters = run[n]
    worse = [*run[:n], (threshold, letters[:at] + "b" + letters[at + 1 :]), *run[n + 1 :]]
    _no_better(run, worse)


@FEW
@given(judged_runs, st.data())
def test_one_more_attempt_that_breaks_never_improves_anything(
    run: list[tuple[float | None, Letters]], data: Any
) -> None:
    n = data.draw(st.integers(0, len(run) - 1))
    worse = [*run[:n], (run[n][0], run[n][1] + "b"), *run[n + 1 :]]
    _no_better(run, worse)


def _no_better(run: list[tuple[float | None, Letters]], worse: list[tuple[float | None, Letters]]) -> None:
    before, after = gated(run).code, gated(worse).code
    assert after != 0 or before == 0, "it became green"
    assert not (before == 2 and after in (0, 1)), "a hard break was washed out"
    assert min(possible(worse)) >= min(possible(run))
    assert max(possible(worse)) >= max(possible(run))


@FEW
@given(judged_runs, st.sampled_from("tg-"), st.data())
def test_nothing_closes_over_an_attempt_that_was_not_answered(
    run: list[tuple[float | None, Letters]], hole: str, data: Any
) -> None:
    n = data.draw(st.integers(0, len(run) - 1))
    threshold, letters = run[n]
    at = data.draw(st.integers(0, len(letters) - 1))
    assert gated([*run[:n], (threshold, letters[:at] + hole + letters[at + 1 :]), *run[n + 1 :]]).code == 3


@pytest.mark.parametrize(
    ("threshold", "letters", "code"),
    [
        (None, "hj", 3), (None, "bj", 2), (None, "bt", 3), (None, "bg", 3), (None, "j", 3),
        (0.9, "h" * 19 + "j", 0), (0.9, "h" * 18 + "jj", 0), (0.9, "h" * 17 + "jjj", 3), (0.9, "h" * 16 + "bbbj", 1),
        (0.5, "bj", 3), (0.5, "bbj", 1), (1.0, "hj", 3), (1.0, "bj", 1), (0.75, "hhhj", 0), (0.75, "hhj", 3),
    ],
)  # fmt: skip
def test_the_closure_by_example(threshold: float | None, letters: Letters, code: int) -> None:
    assert gated([(threshold, letters)]).code == code


def test_tenths_are_tenths() -> None:
    """0.7 of 10 is 7, though the float 0.7 is a little less."""
    assert gated([(0.7, "h" * 7 + "bbb")]).code == 0
    assert gated([(0.7, "h" * 6 + "bbb" + "j")]).code == 3
    assert gated([(0.7, "h" * 6 + "bbbb")]).code == 1


GONE = {**END, "reason": "the judge strict can only fail: HTTP 401", "kind": "unreachable"}
UNFIT = {**END, "reason": "the judge strict is unfit", "kind": "unfit"}


@pytest.mark.parametrize("end", [GONE, UNFIT])
@pytest.mark.parametrize(
    "rules", [[(None, "hb--")], [(0.9, "hb--------")], [(0.5, "hhh-")], [(None, "h"), (0.5, "hhh-")], [(None, "----")]]
)
def test_what_a_judge_s_end_left_unplayed_is_closed_by_nothing(rules: Any, end: dict[str, Any]) -> None:
    """No target was asked there: a break or a threshold elsewhere says nothing of it."""
    found = gated(rules, end=end)
    assert found.code == 3
    assert found.hard_broke == (("R0",) if rules == [(None, "hb--")] else ())


@pytest.mark.parametrize("rules", [[(0.9, "h" * 19 + "j")], [(None, "bhj")], [(0.5, "bbj")]])
def test_a_judge_that_is_gone_after_the_last_attempt_leaves_the_closure_as_it_is(rules: Any) -> None:
    assert gated(rules, end=GONE).code == gated(rules).code != 3


def test_an_unfit_judge_is_3_whatever_code_decided() -> None:
    fit = Fitness("strict", 10, 9, 0, 1, 0, 0.9)
    assert gated([(None, "bh")], fit=(fit,)).code == 2
    assert gated([(None, "bh")], fit=(fit, replace(fit, judge="other", agreed=8, false_held=2))).code == 3
