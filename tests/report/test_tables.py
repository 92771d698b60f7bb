"""The tables of rules and attack classes: rows, order, rounding, width."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from guardgate.plan import Cell
from guardgate.report import render
from tests.report.build import HEAD, RESULTS, Told, broke, case, hard, held, plan, soft, told, undecided


def _out(one: Told, form: str = "terminal") -> str:
    return "".join(render(form, one.summary, one.gate, HEAD, RESULTS))


def _sweep() -> Told:
    cells = [Cell(0, "bot"), Cell(1, "bot", "base64", {"temperature": 1})]
    cases = [case("H1", "h-1"), case("S1", "s-1"), case("S1", "s-2", "benign")]
    of = plan([hard(), soft()], cases, cells, repeats=2)
    assert [of.at(n).cell for n in range(len(of))] == [0, 0, 0, 1, 1] * 2
    return told(of, [broke(of, n) if n in (3, 4) else held(of, n) for n in range(len(of))])


def test_a_sweep_has_a_row_for_each_cell_and_for_each_rule_in_it_worst_first() -> None:
    assert """
Cells
  target, transform, params  cell held/att. und. verdict
  bot base64 temperature=1     c1       2/4    0 2 broke
  bot                          c0       6/6    0 0 held

Rules
  rule  cell sev. cases att. held broke und. rate    95 % min. verdict
  H1       1 hard     1    2    1     1    0  50%   5-95%    - broke
  S1       1 soft     1    2    1     1    0  50%   5-95%  50% held
  H1       0 hard     1    2    2     0    0 100%  2-100%    - held
  S1       0 soft     2    4    4     0    0 100% 15-100%  50% held
""" in _out(_sweep())


def test_the_matrices_of_a_sweep() -> None:
    assert """
Rules by cell
  held/attempts; ?n: so many of them undecided; !: the worst of its row; -:
    no attempt there
  rule   c0    c1
  H1    2/2 1/2 !
  S1    4/4 1/2 !

Attack classes by target
  t0: bot
  attack class      t0
  secrecy_promise  6/8
  benign           2/2

Transforms by target
  transform   t0
  base64     2/4
  none       6/6
""" in _out(_sweep())


def test_the_same_rows_stand_in_markdown() -> None:
    out = _out(_sweep(), "md")
    head = "| rule | cell | severity | cases | attempts | held | broke | undecided | rate | 95 % interval | threshold |"
    rule = "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
    assert f"{head} verdict |\n{rule}| `H1` | 1 | hard | 1 | 2 | 1 | 1 | 0 | 50% | 5-95% | - | broke |\n" in out
    assert "| rule | c0 | c1 |\n| --- | ---: | ---: |\n| `H1` | 2/2 | 1/2 ! |\n" in out


@pytest.mark.parametrize("form", ["terminal", "md"])
def test_a_break_in_a_sweep_names_its_cell_and_repeat(form: str) -> None:
    flat = re.sub(r"\s+", " ", _out(_sweep(), form).replace("`", ""))
    assert "at suites/a.yaml:7, cell bot base64 temperature=1, repeat 1 of 2" in flat


def test_a_hard_break_stands_before_what_is_only_incomplete() -> None:
    of = plan([hard("A"), hard("B")], [case("A", "a"), case("B", "b"), case("B", "b-2")])
    rows = _rows(_out(told(of, [undecided(of, 0), broke(of, 1), undecided(of, 2)])))
    assert [row.split()[0] for row in rows] == ["B", "A"]


def _rows(out: str) -> Iterator[str]:
    lines = out.splitlines()
    at = lines.index("Rules") + 2
    while lines[at]:
        yield lines[at]
        at += 1


def test_a_rate_below_a_threshold_is_never_rounded_up_to_it() -> None:
    of = plan([soft("S1", 0.9)], [case("S1", "s")], repeats=10_000)
    one = told(of, [held(of, n) if n < 8_999 else broke(of, n) for n in range(len(of))])
    assert list(_rows(_out(one))) == ["  S1    soft     1 10000 8999  1001    0 89.9% 16-100%  90% below"]


def test_long_names_and_large_tables_stay_in_80_columns() -> None:
    rules = [hard(f"a-rule-with-a-name-of-some-length-{n}") for n in range(70)]
    cases = [case(rule.id, f"case-{n}") for n, rule in enumerate(rules)]
    of = plan(rules, cases, repeats=100)
    out = _out(told(of, []))
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "and 10 rows more, none worse" in out
    assert "\n  a-rule-with-a-name-of-some-length-7\n" in out
