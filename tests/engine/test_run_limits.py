"""Bounds of a whole run, measured at the servers: places in flight, budgets, minutes; and what `--plan` says."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from guardgate.anchors import shipped_anchors
from tests.engine.inside import said
from tests.judging.court import HELD, bench, cases, here, honest, project, run_here
from tests.support.crowd import Crowd
from tests.support.project import HELLO, Ran, bot, case, http, openai, put, turn_of, write
from tests.support.server import PATIENCE, Answer, Seen, Server

USAGE = {"prompt_tokens": 90, "completion_tokens": 10}
PRICE = {"input": 1000.0, "output": 1000.0}


def many(count: int) -> list[dict[str, Any]]:
    return [case(f"c{number:03}") for number in range(count)]


def counted(ran: Ran, root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(here(root, "gate", "results.jsonl", "--json").out)
    assert found["code"] == ran.code
    return found


def priced(_: Seen) -> Answer:
    message = {"message": {"role": "assistant", "content": "No."}, "finish_reason": "stop"}
    return Answer({"choices": [message], "usage": USAGE})


@pytest.mark.parametrize(
    ("limits", "calls", "words"),
    [
        ({"calls": 7}, 7, "limits.calls is reached (7 of 7)"),
        ({"tokens": 1000}, 10, "limits.tokens is reached (1000 of 1000)"),
        ({"cost_usd": 0.5}, 5, "limits.cost_usd is reached (0.5 of 0.5)"),
    ],
    ids=str,
)
def test_a_budget_that_is_spent_ends_the_run_and_names_the_rest(
    tmp_path: Path, limits: dict[str, Any], calls: int, words: str
) -> None:
    with Server(priced) as server:
        root = write(
            tmp_path, openai(server.url, price=PRICE), cases=many(40), run={"limits": limits, "concurrency": 1}
        )
        ran = run_here(root)
        assert len(server.seen) == 1 + calls
    assert ran.code == 3
    assert words in said(ran)
    found = counted(ran, root)
    assert (found["held"], found["undecided"]) == (calls, {"target": 0, "judge": 0, "guardgate": 40 - calls})
    assert {attempt["failure"]["kind"] for attempt in ran.attempts if attempt["failure"]} == {"budget"}
    end = [json.loads(line) for line in (root / "results.jsonl").read_text().splitlines()][-1]
    assert (end["t"], end["kind"], end["calls"]) == ("end", "budget", calls)


def test_what_many_at_once_would_cost_is_counted_before(tmp_path: Path) -> None:
    with Server(priced) as server:
        run = {"limits": {"cost_usd": 10}, "concurrency": 16}
        run_here(write(tmp_path, openai(server.url, price=PRICE), cases=many(300), run=run))
        assert 100 <= len(server.seen) - 1 <= 101


def test_a_budget_counts_judges_too(tmp_path: Path) -> None:
    with Server(bot(lambda turn: f"{HELD} {turn}")) as app, Server(bench(honest)) as judge:
        run = {"limits": {"calls": 5}, "concurrency": 1}
        root = project(tmp_path, judge.url, target=http(app.url), cases=cases("a", "b", "c", "d"), run=run)
        ran = run_here(root)
        assert (len(app.seen) - 1) + (len(judge.seen) - 1) == 5
    assert ran.code == 3
    assert "limits.calls is reached (5 of 5)" in said(ran)


def test_a_budget_that_ends_in_the_anchors_is_no_disagreement(tmp_path: Path) -> None:
    like = {"criterion": "quiet", "turns": ["t"], "reply": HELD, "label": "held", "kind": "plain", "why": "w"}
    put(tmp_path, "anchors.yaml", {"anchors": [{"id": f"a{n}", **like} for n in range(9)]})
    with Server(bench(honest)) as judge:
        run = {"limits": {"calls": 4}}
        root = project(tmp_path, judge.url, cases=cases("a"), run=run, anchors={"file": "anchors.yaml"})
        ran = run_here(root)
    assert ran.code == 3
    assert "limits.calls is reached (4 of 4)" in said(ran)


def test_minutes_end_a_run_as_a_budget_does(tmp_path: Path) -> None:
    with Server(bot(lambda _: Answer(hang=True))) as server:
        root = write(tmp_path, http(server.url), cases=many(20), run={"limits": {"run_minutes": 0.01}})
        ran = run_here(root)
    assert ran.code == 3
    assert "limits.run_minutes is reached (0.01)" in said(ran)
    assert {attempt["failure"]["kind"] for attempt in ran.attempts} == {"budget"}
    assert counted(ran, root)["undecided"] == {"target": 0, "judge": 0, "guardgate": 20}


@pytest.mark.parametrize(("of_run", "own"), [(6, (2, 3)), (4, (8, 8)), (5, (5, 1))])
def test_targets_keep_their_own_limits_and_that_of_the_run(tmp_path: Path, of_run: int, own: tuple[int, int]) -> None:
    lock, here_now, most = threading.Lock(), [0], [0]

    class Both(Crowd):
        """Counts over both servers."""

        async def _handle(self, request: Any) -> Any:
            attack = HELLO not in (await request.read()).decode()
            with lock:
                here_now[0] += attack
                most[0] = max(most[0], here_now[0])
            try:
                return await super()._handle(request)
            finally:
                with lock:
                    here_now[0] -= attack

    with Both(bot(lambda _: "No.")) as one, Both(bot(lambda _: "No.")) as two:
        targets = {"other": http(two.url, concurrency=own[1])}
        run = {"targets": ["bot", "other"], "concurrency": of_run}
        ran = run_here(write(tmp_path, http(one.url, concurrency=own[0]), targets=targets, cases=many(24), run=run))
        assert one.most <= own[0]
        assert two.most <= own[1]
    assert ran.code == 0
    assert most[0] <= of_run
    assert most[0] == min(of_run, sum(own)), "and no less, where there is enough to do"


def test_judges_share_the_places_of_the_run(tmp_path: Path) -> None:
    """Two judges side by side for each of many attempts: still never more calls than asked."""
    with Server(bench(honest)) as judge, Server(bot(lambda turn: f"{HELD} {turn}")) as app:
        both = {"strict": openai(judge.url), "other": openai(judge.url, model="other")}
        names = [f"c{n}" for n in range(30)]
        root = project(tmp_path, both, target=http(app.url), cases=cases(*names), run={"concurrency": 3})
        assert run_here(root).code == 0
        assert judge.most <= 3
        assert app.most <= 3


def test_a_target_that_waits_holds_up_no_other(tmp_path: Path) -> None:
    """The first one answers nobody before the second one was asked everything."""
    done, asked = threading.Event(), []

    def slow(turn: str) -> str:
        assert done.wait(PATIENCE), "the other target had to wait"
        return "No."

    def quick(turn: str) -> str:
        asked.append(turn)
        if len(asked) == 30:
            done.set()
        return "No."

    with Server(bot(slow)) as one, Server(bot(quick)) as two:
        targets = {"other": http(two.url)}
        run = {"targets": ["bot", "other"], "concurrency": 4}
        root = write(tmp_path, http(one.url, concurrency=2), targets=targets, cases=many(30), run=run)
        assert run_here(root).code == 0


def test_turns_go_out_in_order_and_in_one_conversation(tmp_path: Path) -> None:
    with Server(bot(lambda turn: f"No, not {turn}.")) as server:
        every = [case(f"c{n}", f"{n}-one", f"{n}-two", f"{n}-three") for n in range(12)]
        assert run_here(write(tmp_path, http(server.url), cases=every)).code == 0
        sessions: dict[str, list[str]] = {}
        for seen in server.seen:
            if turn_of(seen) != HELLO:
                sessions.setdefault(seen.json["session"], []).append(turn_of(seen))
    assert sorted(sessions.values()) == sorted([f"{n}-one", f"{n}-two", f"{n}-three"] for n in range(12))


def facts(root: Path, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(here(root, "run", "--plan", "--json", *options).out)
    return found


def test_a_plan_counts_calls_tokens_and_cost(tmp_path: Path) -> None:
    """`openai` is sent the whole conversation with each turn: 400 + (400 + 800 + 400) characters, and so on."""
    target = openai("http://127.0.0.1:9", price={"input": 1.0, "output": 2.0})
    root = write(tmp_path, target, cases=[case("c1", "a" * 400, "b" * 400), case("c2", "c" * 400)])
    found = facts(root)
    assert (found["attempts"], found["calls_to_targets"], found["calls_to_judges"]) == (2, 3, 0)
    assert found["tokens_estimated"] == (100 + (100 + 200 + 100) + 100) + 3 * 200
    assert found["usd_estimated"] == pytest.approx((600 * 1.0 + 600 * 2.0) / 1e6, abs=1e-4)
    assert (found["price_unknown"], found["limits_too_small"]) == ([], [])


def test_a_plan_counts_judges_and_their_anchors(tmp_path: Path) -> None:
    put(tmp_path, "anchors.yaml", {"anchors": [
        {"id": "a1", "criterion": "quiet", "turns": ["t"], "reply": HELD, "label": "held", "kind": "plain", "why": "w"}
    ]})  # fmt: skip
    url = "http://127.0.0.1:9"
    both = {"strict": openai(url), "other": openai(url, price={"input": 1, "output": 1})}
    root = project(tmp_path, both, target=http(url), cases=cases("a", "b", "c"), anchors={"file": "anchors.yaml"})
    found = facts(root)
    shipped = [anchor for anchor in shipped_anchors() if anchor.criterion == "quiet"]
    assert found["of_them_anchors"] == 2 * (1 + len(shipped))
    assert found["calls_to_judges"] == 2 * 3 + found["of_them_anchors"]
    assert found["preflight_calls"] == 3
    assert found["price_unknown"] == ["bot", "judge strict"]
    assert found["usd_estimated"] > 0


@pytest.mark.parametrize("transforms", [["none"], ["split_turns"]])
def test_what_a_judge_is_really_sent_is_near_the_estimate(tmp_path: Path, transforms: list[str]) -> None:
    """A transform that makes three turns of one makes three replies, and the judge is sent them all."""
    with Server(bench(honest)) as judge, Server(bot(lambda turn: HELD * 25)) as app:
        asked = {"transforms": transforms}
        root = project(tmp_path, judge.url, target=http(app.url), cases=cases("one", "two", "three"), run=asked)
        guess = facts(root)
        assert run_here(root).code == 0
        sent = sum(len(one["content"]) for seen in judge.seen[1:] for one in seen.json["messages"]) / 4
        sent += sum(len(turn_of(seen)) for seen in app.seen[1:]) / 4
    answers = 200 * (guess["calls_to_targets"] + guess["calls_to_judges"])
    assert guess["tokens_estimated"] - answers == pytest.approx(sent, rel=0.05)


def test_an_unknown_price_is_named_and_nothing_is_made_up(tmp_path: Path) -> None:
    root = write(tmp_path, http("http://127.0.0.1:9"), run={"limits": {"cost_usd": 1}})
    found = facts(root)
    assert (found["usd_estimated"], found["price_unknown"]) == (None, ["bot"])
    words = [line.split() for line in here(root, "run", "--plan").out.splitlines()]
    assert ["usd", "estimated", "unknown"] in words
    assert ["price", "unknown", "bot"] in words


def test_a_limit_that_the_plan_will_hit_is_named(tmp_path: Path) -> None:
    limits = {"calls": 3, "tokens": 100, "cost_usd": 0.0001}
    target = openai("http://127.0.0.1:9", price={"input": 1.0, "output": 2.0})
    found = facts(write(tmp_path, target, cases=many(4), run={"limits": limits}))
    assert [one.split()[0] for one in found["limits_too_small"]] == ["limits.calls", "limits.tokens", "limits.cost_usd"]
    assert "limits.calls 3, expected 4" in found["limits_too_small"]


def test_a_scripted_target_costs_nothing(tmp_path: Path) -> None:
    found = facts(write(tmp_path, [{"say": "No."}]))
    assert (found["usd_estimated"], found["price_unknown"]) == (0, [])
