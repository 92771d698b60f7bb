"""Two runs compared: what newly broke, what noise explains, what cannot be compared, and the code of it all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from guardgate.comparison import MEANING, Comparison, RuleChange, Side, compare
from guardgate.differences import Change
from guardgate.gate import gate
from guardgate.plan import Cell, Plan, Shard
from guardgate.record import Failure
from guardgate.report import change, markdown, terminal
from guardgate.report.content import Block
from guardgate.report.layout import columns
from guardgate.report.paint import painter
from tests.core.making import BAD, GOOD, attempt, case, plan, rule, summed
from tests.report.hostile import faults, texts

PARSER = MarkdownIt("commonmark").enable("table")
HARD, SOFT = rule("H"), rule("S", 0.5)
Told = Mapping[str, str]  # case -> one letter a repeat: h(eld), b(roke), u(ndecided)


def of(
    told: Told, rules: tuple[Any, ...] = (HARD, SOFT), cells: tuple[Cell, ...] = (Cell(0, "bot"),), **more: Any
) -> Plan:
    repeats = len(next(iter(told.values()))) // len(cells)
    return plan(rules, [case(name, name[0].upper()) for name in told], cells, repeats=repeats, **more)


def side(told: Told, name: str = "x.jsonl", head: Mapping[str, Any] | None = None, **more: Any) -> Side:
    """A run of cases whose first letter names their rule."""
    made = more.pop("planned", None) or of(told, **more)
    tries = []
    for n in range(len(made)):
        spot = made.at(n)
        letter = told[made.cases[spot.case].case.id][spot.repeat * len(made.cells) + spot.cell]
        if letter == "u":
            tries.append(attempt(made, n, failure=Failure("timeout", "late", turn=1)))
        else:
            tries.append(attempt(made, n, {"h": GOOD, "b": BAD}[letter]))
    summary = summed(made, tries)
    return Side(name, summary, gate(summary), head or {"judges": {}, "targets": {}})


def compared(before: Told, after: Told, **more: Any) -> Comparison:
    return compare(side(before, **more), side(after, **more))


def states(found: Comparison) -> dict[str, str]:
    return {one.case: one.state for one in found.moves}


def test_nothing_changed() -> None:
    found = compared({"h1": "hh", "s1": "hb"}, {"h1": "hh", "s1": "bh"})
    assert (found.code, states(found)) == (0, {"h1": "held", "s1": "still broken"})


@pytest.mark.parametrize(
    ("before", "after", "state", "code"),
    [
        ("hhh", "hhb", "newly broken", 2),
        ("hhb", "bbb", "still broken", 0),
        ("hhb", "hhh", "fixed", 0),
        ("hhh", "hhh", "held", 0),
    ],
)
def test_a_hard_case(before: str, after: str, state: str, code: int) -> None:
    found = compared({"h1": before}, {"h1": after})
    assert (states(found)["h1"], found.code) == (state, code)


def test_a_hard_rule_that_was_broken_elsewhere_can_newly_break_in_a_case() -> None:
    found = compared({"h1": "b", "h2": "h"}, {"h1": "h", "h2": "b"})
    assert (states(found), found.code) == ({"h1": "fixed", "h2": "newly broken"}, 2)


def test_a_soft_rule_that_breaks_now_and_then_is_noise_and_a_drop_of_many_cases_is_not() -> None:
    before = {f"s{n}": "hhhhh" for n in range(10)}
    noisy = {**before, "s0": "hhhhb", "s1": "hhbhh"}
    fallen = {**before, **{f"s{n}": "hhhbb" for n in range(6)}}
    assert compared(before, noisy).code == 0
    found = compared(before, fallen)
    (row,) = found.rules
    assert (found.code, row.verdict, row.change.p) == (1, "worse", 1 / 64 / 2)
    assert row.change.mean == pytest.approx(-0.24)
    assert row.change.low <= -0.24 <= row.change.high < 0
    assert compared(fallen, before).rules[0].verdict == "better"


def test_too_few_cases_cannot_tell() -> None:
    found = compared({f"s{n}": "h" for n in range(4)}, {f"s{n}": "b" for n in range(4)})
    assert (found.code, found.rules[0].verdict, found.rules[0].change.visible) == (0, "cannot tell", None)


@pytest.mark.parametrize(("before", "after"), [("hu", "hh"), ("hh", "uh")])
def test_a_run_without_every_answer_is_compared_with_nothing(before: str, after: str) -> None:
    found = compared({"h1": before, "h2": "hh"}, {"h1": after, "h2": "bb"})
    assert found.code == 3
    assert "newly broken" in states(found).values()
    text = "".join(terminal.laid_out(block, painter(False)) for block in change.blocks(found))
    assert text.startswith("3: incomplete: the runs cannot be compared")
    assert "hard rules with a case that newly broke: H" in text.partition("\n\n")[0]


def test_numbers_of_a_change_are_rounded_to_the_worse_side() -> None:
    """A rate is never rounded up, an interval never inwards, and a p over 0.05 never down to it."""
    found = RuleChange("S", "soft", 0.9996, 0.999, Change(9, -0.0006, -0.0011, 0.0001, 0.0501, 0.011), "same")
    (row,) = change.table([found]).rows
    assert row[3:9] == ("99.9%", "99.9%", "-0.1", "-1 to +1", "0.051", "2")
    exact = RuleChange("S", "soft", 0.57, 0.29, Change(9, -0.28, -0.29, -0.27, 0.05, 0.28), "worse")
    (row,) = change.table([exact]).rows
    assert row[3:9] == ("57%", "29%", "-28.0", "-29 to -27", "0.050", "28")


def test_a_shard_is_compared_with_nothing() -> None:
    told = {"h1": "h", "h2": "h"}
    part = side(told, planned=replace(of(told), shard=Shard(1, 2)))
    assert compare(side(told), part).code == 3


def test_only_what_is_the_same_is_compared() -> None:
    told = {"h1": "h", "h2": "h", "h3": "h"}
    before = side(told)
    changed = of({"h1": "b", "h2": "b", "h4": "b"})
    cases = (replace(changed.cases[0], sha="d" * 64), *changed.cases[1:])
    after = side({"h1": "b", "h2": "b", "h4": "b"}, planned=replace(changed, cases=cases))
    found = compare(before, after)
    assert {one.case: one.why for one in found.apart} == {"h1": "changed: the case", "h3": "gone", "h4": "new"}
    assert states(found) == {"h2": "newly broken"}


def test_nothing_the_same_is_no_comparison() -> None:
    found = compare(side({"h1": "h"}), side({"h2": "h"}))
    assert (found.code, found.lacks) == (3, ("no case is the same in both",))


def test_a_changed_rule_other_words_and_other_judges_are_not_the_same() -> None:
    told = {"h1": "h", "h2": "h"}
    made = of(told, cells=(Cell(0, "bot", "leet"),))
    made = replace(made, cases=tuple(replace(one, sent={"leet": ("7311 m3.",)}) for one in made.cases))
    other = replace(made, cases=(replace(made.cases[0], sent={"leet": ("T311 m3.",)}), made.cases[1]))
    before, after = (_sent_side(one) for one in (made, other))
    assert [(one.case, one.why) for one in compare(before, after).apart] == [("h1", "changed: what is sent")]
    rules = replace(made, rules=tuple(replace(one, sha="e" * 64) for one in made.rules))
    assert {one.why for one in compare(before, _sent_side(rules)).apart} == {"changed: the rule"}


def _sent_side(made: Plan) -> Side:
    tries = [attempt(made, n, GOOD, sent=made.sent(made.at(n))) for n in range(len(made))]
    summary = summed(made, tries)
    return Side("x", summary, gate(summary), {"judges": {}, "targets": {}})


def test_the_target_may_be_another_and_is_named() -> None:
    heads = [{"judges": {}, "targets": {"bot": {"sha": sha}}} for sha in ("a", "b")]
    found = compare(*(side({"h1": "h"}, head=head) for head in heads))
    assert (found.code, found.other) == (0, ("the settings or the prompt of target bot",))


def test_a_prompt_that_is_swept_may_be_another_and_is_named() -> None:
    heads = [{"judges": {}, "targets": {}, "files": {"a.md": sha, "b.md": "c"}} for sha in ("a", "b")]
    cells = tuple(Cell(n, "bot", params={"system": name}) for n, name in enumerate(("a.md", "b.md")))
    found = compare(*(side({"h1": "hh"}, head=head, cells=cells) for head in heads))
    assert (found.code, found.other) == (0, ("the prompt a.md",))


def test_cells_are_compared_each_and_soft_rules_over_all_of_them() -> None:
    cells = (Cell(0, "bot"), Cell(1, "bot", params={"temperature": 1}))
    before = {f"s{n}": "hhhh" for n in range(12)}
    after = {f"s{n}": "hbhb" for n in range(12)}  # every second one is cell 1
    found = compared(before, after, cells=cells)
    assert found.code == 1
    assert found.rules[0].change.mean == pytest.approx(-0.5)
    assert found.cells == (("S", "bot temperature=1"),)
    assert {(one.cell, one.state) for one in found.moves} == {("bot", "held"), ("bot temperature=1", "newly broken")}


def test_a_cell_that_is_new_is_compared_with_nothing() -> None:
    one, two = (Cell(0, "bot"),), (Cell(0, "bot"), Cell(1, "other"))
    found = compare(side({"h1": "h"}, cells=one), side({"h1": "hb"}, cells=two))
    assert [(apart.cell, apart.why) for apart in found.apart] == [("other", "new")]
    assert found.code == 0


LETTERS = st.text("hb", min_size=2, max_size=2)


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(st.sampled_from(["h1", "h2", "s1", "s2", "s3"]), st.tuples(LETTERS, LETTERS), min_size=1))
def test_a_baseline_raises_the_gate_and_never_lowers_it(told: dict[str, tuple[str, str]]) -> None:
    before, after = (side({name: both[at] for name, both in told.items()}) for at in (0, 1))
    found = compare(before, after)
    assert found.raised(after.gate.code) >= after.gate.code
    assert found.code in MEANING
    newly = any(b == "hh" and "b" in a for name, (b, a) in told.items() if name[0] == "h")
    assert (found.code == 2) == newly
    assert not compare(after, after).having("newly broken")


@settings(deadline=None, max_examples=40)
@given(texts.filter(bool), texts)
def test_any_text_is_shown_and_does_nothing(name: str, other: str) -> None:
    shape = _shape("".join(map(markdown.laid_out, _blocks("a", "b"))))
    blocks = _blocks(name, other)
    out = "".join(terminal.laid_out(block, painter(False)) for block in blocks)
    assert not list(faults(out))
    assert all(columns(line) <= 80 for line in out.splitlines())
    assert _shape("".join(map(markdown.laid_out, blocks))) == shape


def _blocks(name: str, other: str) -> list[Block]:
    """A comparison with these texts for names of cases, cells and files."""
    made = of({"h1": "h", "h2": "h"}, cells=(Cell(0, f"{name}0"),))
    cases = [replace(one, case=one.case.model_copy(update={"id": f"{name}{at}"})) for at, one in enumerate(made.cases)]
    old, new = (replace(made, cases=(cases[0], replace(cases[1], sha=sha))) for sha in ("d" * 64, "e" * 64))
    sides = []
    for one, words, sha in ((old, GOOD, "x"), (new, BAD, "y")):
        summary = summed(one, [attempt(one, n, words) for n in range(2)])
        sides.append(Side(other + ".", summary, gate(summary), {"targets": {f"{name}0": {"sha": sha}}}))
    return list(change.blocks(compare(*sides)))


def _shape(text: str) -> list[str]:
    every = [part for token in PARSER.parse(text) for part in (token, *(token.children or ()))]
    assert not {part.type for part in every} & {"html_inline", "html_block", "image", "link_open"}
    return [f"{part.type}:{part.content if part.type == 'text' else ''}" for part in every]
