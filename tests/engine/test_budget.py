"""Bounds of a run are asked before each call, and one that is hit is named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.budget import Budget
from guardgate.model.project import Limits
from guardgate.record import Failure, Reply, Usage
from tests.engine.services import Service, calls
from tests.engine.travel import travel

USAGE = Usage(100, 50, 0.03)


def played(monkeypatch: pytest.MonkeyPatch, limits: Limits, count: int = 100, in_flight: int = 1) -> tuple[Any, Budget]:
    budget = Budget(limits)
    service = Service(lambda _: Reply("No.", usage=USAGE))
    return travel(monkeypatch, calls(service, count, in_flight, budget=budget)), budget


@pytest.mark.parametrize(
    ("limits", "made", "words"),
    [
        ({"calls": 7}, 7, "limits.calls is reached (7 of 7)"),
        ({"tokens": 1000}, 7, "limits.tokens is reached (1050 of 1000)"),
        ({"cost_usd": 0.1}, 4, "limits.cost_usd is reached (0.12 of 0.1)"),
    ],
)
def test_a_bound_that_is_hit_is_named(
    monkeypatch: pytest.MonkeyPatch, limits: dict[str, Any], made: int, words: str
) -> None:
    done, budget = played(monkeypatch, Limits(**limits))
    failures = [one for one in done if isinstance(one, Failure)]
    assert budget.calls == len(done) - len(failures) == made
    assert {(one.kind, one.side, one.detail) for one in failures} == {("budget", "guardgate", words)}


@pytest.mark.parametrize("in_flight", [8, 64])
def test_what_is_in_flight_is_counted_before_it_is_paid(monkeypatch: pytest.MonkeyPatch, in_flight: int) -> None:
    """Not one call more than the bound allows, once it is known what a call costs."""
    done, budget = played(monkeypatch, Limits(tokens=150 * 200), 1000, in_flight)
    assert 150 * 200 <= budget.tokens <= 150 * 201
    assert sum(isinstance(one, Reply) for one in done) in (200, 201)
    assert any("more calls in flight" in one.detail for one in done if isinstance(one, Failure)) or budget.calls == 200


def test_no_bound_is_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    done, budget = played(monkeypatch, Limits())
    assert all(isinstance(one, Reply) for one in done)
    assert (budget.calls, budget.tokens, round(budget.usd, 6)) == (100, 15_000, 3.0)


@given(st.lists(st.tuples(st.booleans(), st.none() | st.integers(0, 500)), max_size=60), st.integers(1, 2000))
def test_a_bound_that_was_passed_stays_passed(steps: list[tuple[bool, int | None]], most: int) -> None:
    budget, flying, over = Budget(Limits(tokens=most)), 0, False
    for begin, tokens in steps:
        if begin:
            budget.begin()
            flying += 1
        elif flying:
            budget.end(None if tokens is None else Usage(tokens, None))
            flying -= 1
        over = over or budget.tokens >= most
        assert budget.exhausted() is not None or not over
        assert budget.exhausted() is None or budget.tokens or flying
