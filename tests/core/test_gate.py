"""The gate: 3, then 2, then 1, then 0, in each cell; the worst rule in the worst cell decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.gate import MEANING, WORD, Gate
from guardgate.plan import Cell, Plan
from guardgate.record import KINDS, Attempt, Failure, Finding
from tests.core.making import BAD, GOOD, attempt, case, gated, plan, rule

#: One kind for each side whose error leaves an attempt open.
OPEN = {"t": "timeout", "j": "disagreement", "g": "cancelled"}


def played(of: Plan, letters: str) -> list[Attempt]:
    """Attempts in order: h held, b broke, t, j and g left open by target, judge and guardgate; - has no line."""
    made = []
    for n, letter in enumerate(letters):
        if letter in "hb":
            made.append(attempt(of, n, GOOD if letter == "h" else BAD))
        elif letter in OPEN:
            kind = OPEN[letter]
            finding = Finding(f"transcript:{KINDS[kind]}", "undecided", 1, None, "why", kind)
            failure = None if letter == "j" else Failure(kind, "why", turn=1)
            made.append(replace(attempt(of, n, failure=failure), verdict="undecided", findings=(finding,)))
    return made


def run(*rules: tuple[float | None, str]) -> Gate:
    """The gate of rules (None: hard, else the threshold) with their attempts."""
    made = [rule(f"R{n}", threshold) for n, (threshold, _) in enumerate(rules)]
    cases = [case(f"c{n}-{at}", f"R{n}") for n, (_, letters) in enumerate(rules) for at in range(len(letters))]
    of = plan(made, cases)
    return gated(of, played(of, "".join(letters for _, letters in rules)))


HARD = {
    0: ["h", "hh"],
    2: ["b", "hb", "bj"],
    3: ["t", "ht", "bt", "g", "bg", "-", "b-", "j", "hj", "bjt"],
}


@pytest.mark.parametrize(("code", "letters"), [(code, one) for code, every in HARD.items() for one in every])
def test_a_hard_rule(code: int, letters: str) -> None:
    gate = run((None, letters))
    assert gate.code == code
    assert gate.hard_broke == (("R0",) if "b" in letters else ())


@pytest.mark.parametrize(
    ("threshold", "letters", "code"),
    [
        *((0.5, "hb", 0), (0.5, "hbb", 1), (1.0, "hhh", 0), (1.0, "hhb", 1), (0.5, "ht", 3), (0.5, "hhht", 3)),
        *((0.5, "bbg", 3), (0.5, "-", 3), (0.5, "hj", 0), (0.5, "bj", 3), (0.5, "bbj", 1), (0.5, "hhj", 0)),
        *((1.0, "hj", 3), (1.0, "bj", 1), (0.01, "b", 1), (0.01, "j", 3)),
    ],
)
def test_a_soft_rule(threshold: float, letters: str, code: int) -> None:
    assert run((threshold, letters)).code == code


@pytest.mark.parametrize(
    ("held", "planned", "threshold"),
    [
        (9, 10, 0.9),
        (29, 30, 0.9666666666666667),
        (97, 100, 0.97),
        (7, 10, 0.7),
        (3, 10, 0.3),
        (1, 3, 0.3333333333333333),
    ],
)
def test_a_threshold_is_exact_at_its_boundary(held: int, planned: int, threshold: float) -> None:
    wanted = Fraction(str(threshold))
    met = run((threshold, "h" * held + "b" * (planned - held)))
    assert met.code == (0 if Fraction(held, planned) >= wanted else 1)
    assert run((threshold, "h" * (held - 1) + "b" * (planned - held + 1))).code == 1


@given(st.integers(1, 200), st.integers(1, 999), st.data())
def test_a_threshold_is_the_decimal_that_was_written(planned: int, thousandths: int, data: st.DataObject) -> None:
    held = data.draw(st.integers(0, planned))
    of = plan([rule("R0", thousandths / 1000)], [case("c", "R0")], repeats=planned)
    code = gated(of, played(of, "h" * held + "b" * (planned - held))).code
    assert code == (0 if held * 1000 >= thousandths * planned else 1)


def expected(states: Sequence[str]) -> int:
    for state, code in (("incomplete", 3), ("broke", 2), ("below", 1)):
        if state in states:
            return code
    return 0


#: (threshold, attempts, state)
ALONE = [
    (None, "h", "held"), (None, "b", "broke"), (None, "t", "incomplete"), (None, "j", "incomplete"),
    (None, "bt", "incomplete"), (0.5, "hb", "held"), (0.5, "b", "below"), (0.5, "g", "incomplete"),
    (0.5, "bj", "incomplete"), (0.5, "bbj", "below"),
]  # fmt: skip


@pytest.mark.parametrize("both", list(product(ALONE, repeat=2)), ids=str)
def test_the_worst_rule_decides(both: tuple[tuple[float | None, str, str], ...]) -> None:
    gate = run(*((threshold, letters) for threshold, letters, _ in both))
    assert [one.state for one in gate.rules] == [state for _, _, state in both]
    assert gate.code == expected([state for _, _, state in both])


def test_a_hard_break_beside_a_target_that_died_is_3_and_is_not_forgotten() -> None:
    gate = run((None, "b"), (None, "t"))
    assert (gate.code, gate.hard_broke, gate.having("incomplete")) == (3, ("R0",), ("R1",))


def test_nothing_attempted_is_3() -> None:
    assert gated(plan([rule()], []), []).code == 3
    assert gated(plan([], []), []).code == 3
    only_transformed = plan([rule()], [case("c", transform=False)], [Cell(0, "bot", "base64")])
    assert (len(only_transformed), gated(only_transformed, []).code) == (0, 3)


def test_a_rule_without_attempts_is_not_spoken_of() -> None:
    of = plan([rule("R0"), rule("R1")], [case("c", "R0")])
    gate = gated(of, played(of, "h"))
    assert (gate.code, [one.rule for one in gate.rules]) == (0, ["R0"])


def test_the_worst_cell_decides_and_cells_are_not_pooled() -> None:
    cells = (Cell(0, "one"), Cell(1, "two"))
    of = plan([rule("R0", 0.75)], [case(f"c{n}", "R0") for n in range(4)], cells)
    assert gated(of, played(of, "hhhb" + "hhbb")).code == 1, "6 of 8 would be over three quarters"
    assert gated(of, played(of, "hhhb" + "hhhb")).code == 0


def test_repeats_are_pooled() -> None:
    of = plan([rule("R0", 0.5)], [case("c0", "R0"), case("c1", "R0")], repeats=2)
    assert gated(of, played(of, "bb" + "hh")).code == 0
    assert gated(of, played(of, "bb" + "hb")).code == 1
    hard = plan([rule("R0")], [case("c0", "R0")], repeats=5)
    assert gated(hard, played(hard, "hhhhb")).code == 2, "even once"


def test_each_code_has_its_words() -> None:
    assert set(MEANING) == set(WORD) == {0, 1, 2, 3}


letters_of_runs = st.lists(
    st.tuples(st.none() | st.sampled_from([0.3, 0.5, 1.0]), st.text("hhhbtjg-", min_size=1, max_size=5)),
    min_size=1,
    max_size=3,
)


@given(letters_of_runs)
def test_the_gate_is_total_and_its_counts_add_up(rules: list[tuple[float | None, str]]) -> None:
    gate = run(*rules)
    assert gate.code in (0, 1, 2, 3)
    for one, (_, letters) in zip(gate.rules, rules, strict=True):
        tally = one.tally
        assert tally.planned == len(letters) == tally.held + tally.broke + tally.undecided
        assert (tally.held, tally.broke) == (letters.count("h"), letters.count("b"))
    if gate.code != 3:
        assert not any(set(letters) & set("tg-") for _, letters in rules)


@given(letters_of_runs, st.data())
def test_one_attempt_that_gets_worse_never_makes_the_code_better(
    rules: list[tuple[float | None, str]], data: st.DataObject
) -> None:
    """From held to broke: 0 -> 0, 1 or 2; a run that was complete stays complete."""
    where = data.draw(st.integers(0, len(rules) - 1))
    threshold, letters = rules[where]
    worse = letters.replace("h", "b", 1)
    changed = [*rules[:where], (threshold, worse), *rules[where + 1 :]]
    before, after = run(*rules).code, run(*changed).code
    assert after >= before or before == 3


@given(letters_of_runs, st.randoms(use_true_random=False))
def test_names_and_order_of_cases_change_nothing(rules: list[tuple[float | None, str]], random: Any) -> None:
    """The same attempts under other ids, in another order of cases, rules and lines."""
    spots = [(f"R{n}", letter) for n, (_, letters) in enumerate(rules) for letter in letters]
    random.shuffle(spots)
    made = [rule(f"R{n}", threshold) for n, (threshold, _) in enumerate(rules)]
    random.shuffle(made)
    of = plan(made, [case(f"other/{n}", name) for n, (name, _) in enumerate(spots)])
    lines = played(of, "".join(letter for _, letter in spots))
    random.shuffle(lines)
    assert gated(of, lines).code == run(*rules).code
