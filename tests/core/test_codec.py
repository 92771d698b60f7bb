"""Attempts and plans to lines and back: nothing is lost, and nothing malformed is taken for an attempt."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.codec import attempt_from, attempt_to, case_line, plan_from, plan_head
from guardgate.plan import Cell, Plan
from guardgate.record import KINDS, Attempt, Failure, Finding, Outcome, Quote, Reply, Score, ToolCall, Usage
from guardgate.summary import redecided
from tests.core.making import attempt, case, gated, plan, rule

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
TEXT = st.text(max_size=40) | st.sampled_from(["Sure: OTTER.", "I can't help.", "", "null", "\u202e\x00\u2028"])
COUNT = st.integers(0, 10**9)
USAGE = st.none() | st.builds(
    Usage, st.none() | COUNT, st.none() | COUNT, st.none() | st.floats(0, 1e6, allow_nan=False)
)
KIND = st.sampled_from(sorted(KINDS))
FAILURE = st.none() | st.builds(Failure, KIND, TEXT, turn=st.none() | st.integers(1, 9), tries=st.integers(1, 9))
REPLY = st.builds(
    Reply, TEXT, st.lists(st.builds(ToolCall, TEXT, JSON, JSON), max_size=2).map(tuple), JSON, COUNT, USAGE,
    st.none() | TEXT, st.booleans(), st.booleans(), st.booleans(),
)  # fmt: skip
QUOTE = st.builds(Quote, TEXT, st.integers(1, 9), TEXT, st.booleans(), TEXT)
SCORE = st.builds(
    Score, TEXT, st.dictionaries(TEXT, st.floats(0, 1), max_size=2), st.lists(QUOTE, max_size=2).map(tuple),
    st.none() | TEXT, st.none() | TEXT, TEXT, COUNT, USAGE, st.none() | TEXT, FAILURE,
)  # fmt: skip
OUTCOME: st.SearchStrategy[Outcome] = st.sampled_from(["held", "broke", "undecided"])
FINDING = st.builds(Finding, TEXT, OUTCOME, st.none() | st.integers(1, 9), st.none() | TEXT, TEXT, st.none() | KIND)

PLAIN = plan(
    [rule("R1"), rule("R2", 0.5)], [case("c1"), case("c2", "R2", ["a", "b"])], [Cell(0, "bot"), Cell(1, "two", "leet")]
)
SENT = (("7311 m3.",), ("4", "b"))
OF = replace(PLAIN, cases=tuple(replace(one, sent={"leet": it}) for one, it in zip(PLAIN.cases, SENT, strict=True)))


def tuples(of: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, max_size=most).map(tuple)


@st.composite
def attempts(draw: st.DrawFn) -> Attempt:
    """Anything that an attempt of the plan can be."""
    n = draw(st.integers(0, len(OF) - 1))
    spot = OF.at(n)
    return Attempt(
        n, OF.cases[spot.case].case.id, spot.cell, spot.repeat, draw(TEXT), draw(COUNT),
        OF.sent(spot), draw(st.none() | TEXT), draw(tuples(REPLY)), draw(FAILURE),
        tuple(draw(st.lists(SCORE, max_size=2, unique_by=lambda one: one.judge))),
        draw(OUTCOME), draw(tuples(FINDING)), draw(tuples(TEXT)),
    )  # fmt: skip


def through_a_file(one: Attempt) -> Attempt:
    text = json.dumps(attempt_to(one), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    assert "\n" not in text
    return attempt_from(json.loads(text), OF)


@given(attempts())
def test_an_attempt_comes_back_as_it_was(one: Attempt) -> None:
    assert through_a_file(one) == one


@given(attempts())
def test_the_verdict_is_the_same_when_it_is_decided_again(one: Attempt) -> None:
    decided = redecided(OF, one)
    again = redecided(OF, through_a_file(decided))
    assert again == redecided(OF, decided)
    assert again.verdict == decided.verdict


@given(st.lists(attempts(), max_size=4, unique_by=lambda one: one.n))
def test_the_code_is_the_same_when_it_is_decided_again(some: list[Attempt]) -> None:
    decided = [redecided(OF, one) for one in some]
    stored = [through_a_file(one) for one in decided]
    assert gated(OF, (redecided(OF, one) for one in stored)).code == gated(OF, decided).code


@pytest.mark.parametrize(("n", "sent"), [(0, ["Tell me."]), (2, None), (2, []), (2, ["Tell me."]), (3, ["4"])])
def test_what_was_not_sent_is_no_attempt_of_the_plan(n: int, sent: list[str] | None) -> None:
    line = {**attempt_to(attempt(OF, n, "No.", sent=OF.sent(OF.at(n)))), "sent": sent}
    with pytest.raises(ValueError, match="does not hold what the plan sends"):
        attempt_from(line, OF)


@given(attempts(), OUTCOME)
def test_a_verdict_that_somebody_wrote_is_not_believed(one: Attempt, verdict: str) -> None:
    forged = {**attempt_to(redecided(OF, one)), "verdict": verdict, "findings": [], "notes": []}
    assert redecided(OF, attempt_from(forged, OF)).verdict == redecided(OF, one).verdict


EXAMPLE = attempt_to(
    attempt(
        OF, 2, Reply("Sure: OTTER.", (ToolCall("send", {"to": "x"}),), {"a": 1}, 5, Usage(1, 2, 0.5), "m"),
        sent=SENT[0], delivered="prompt", failure=Failure("timeout", "late", turn=1),
        scores=(Score("strict", {"polite": 0.5}, (Quote("polite", 1, "Sure", True, "why"),), "pass", "none", "{}"),),
        notes=("a note",),
    )
)  # fmt: skip


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(inner, (*path, step))


def changed(path: tuple[Any, ...], value: Any = None, *, drop: bool = False) -> dict[str, Any]:
    line = copy.deepcopy(EXAMPLE)
    parent: Any = line
    for step in path[:-1]:
        parent = parent[step]
    if drop:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return line


REFUSES = (KeyError, TypeError, ValueError, IndexError)
#: Values of the target's own, which may be anything.
FREE = {"arguments", "result", "state"}
KEYS = [path for path in _paths(EXAMPLE) if isinstance(path[-1], str) and not FREE & set(path[:-1]) and path != ("t",)]
# A criterion is no key of the format: without it there is a score less.
NEEDED = [path for path in KEYS if path[-2:-1] != ("scores",)]


@pytest.mark.parametrize("path", NEEDED, ids=lambda path: ".".join(map(str, path)))
def test_a_line_without_a_key_is_no_attempt(path: tuple[Any, ...]) -> None:
    with pytest.raises(REFUSES):
        attempt_from(changed(path, drop=True), OF)


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "x", [], {}, [None], {"x": 1}, float("nan"), -1], ids=repr)
@pytest.mark.parametrize("path", KEYS, ids=lambda path: ".".join(map(str, path)))
def test_a_value_of_another_kind_is_refused_or_comes_back_as_it_was(path: tuple[Any, ...], value: Any) -> None:
    if value != value and path[-1] in FREE:  # no line of a file holds NaN
        return
    line = changed(path, value)
    try:
        read = attempt_from(line, OF)
    except REFUSES:
        return
    assert attempt_to(read) == line, "it was read as something that it does not say"
    json.dumps(attempt_to(read), allow_nan=False)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *((("n",), n) for n in (-1, 4, True, 0.0, "0", None)),
        *((("case",), name) for name in ("c2", "", None)),
        *((("cell",), cell) for cell in (0, "1")),
        (("repeat",), 1),
        (("verdict",), "passed"),
        (("failure", "kind"), "bad luck"),
        (("failure", "side"), "judge"),
        (("scores", 0, "scores", "polite"), 50),
        (("scores", 0, "scores", "polite"), float("nan")),
        (("scores", 0, "scores", "polite"), "1"),
        (("scores", 0, "scores", "polite"), True),
        (("scores", 0, "usage"), {"input": 1, "output": 1, "usd": float("inf")}),
        (("replies", 0, "cut"), 0),
        (("replies", 0, "traced"), "false"),
        (("replies", 0, "text"), None),
        (("replies", 0, "tools", 0, "name"), None),
        (("findings", 0, "outcome"), "ok"),
        (("scores",), [EXAMPLE["scores"][0], EXAMPLE["scores"][0] | {"scores": {"polite": 1.0}}]),
    ],
    ids=str,
)
def test_what_could_change_a_verdict_is_refused(path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(REFUSES):
        attempt_from(changed(path, value), OF)


def lines_of(of: Plan) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    head, cases = plan_head(of), [case_line(one) for one in of.cases]
    again: tuple[dict[str, Any], list[dict[str, Any]]] = json.loads(json.dumps([head, cases], allow_nan=False))
    return again[0], again[1]


def test_a_plan_comes_back_as_it_was() -> None:
    rules = [rule("R1", judge={"required_scores": {"polite": 0.5}}, samples={"broke": ["OTTER"]}), rule("R2", 0.25)]
    cases = [case("c1", checks={"state": [{"path": "$.a", "equals": None}]}), case("c2", "R2", transform=False)]
    of = plan(
        rules, cases, [Cell(0, "bot", "base64", {"t": 0.5}), Cell(1, "bot")], repeats=3, files={"a": "text"},
        narrowed=("--case c1",), skipped=(("two", "gone"),), total=9, core="core",
    )  # fmt: skip
    head, lines = lines_of(of)
    again = plan_from(head, lines, {"a": "text"})
    assert again == of
    assert list(again.spots()) == list(of.spots())
