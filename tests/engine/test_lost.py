"""A target that dies in mid-run is given up after some attempts; one that comes back is not."""

from __future__ import annotations

import contextlib
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate import limits
from guardgate.record import Failure, Reply
from guardgate.stopping import FROM, LOST, Contact
from tests.engine.inside import said
from tests.judging.court import HELD, bench, cases, here, honest, project, run_here
from tests.support.project import bot, case, http, write
from tests.support.server import Answer, Reaction, Seen, Server

GONE = Failure("connection", "no connection (refused)", "resend", tries=5)
BROKE = Failure("connection", "the connection broke after the request was sent", "restart")


def many(count: int) -> list[dict[str, Any]]:
    return [case(f"c{number:03}") for number in range(count)]


def end_of(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / "results.jsonl").read_text("utf-8").splitlines()[-1])
    return found


class Mortal(Server):
    """Leaves when it is asked for the nth time."""

    def __init__(self, last: int, says: Reaction | None = None) -> None:
        self.last, self.says = last, says or bot(lambda _: "No.")
        super().__init__(self._until)

    def _until(self, seen: Seen) -> Answer:
        if len(self.seen) >= self.last:
            self.leave()
            return Answer(hang=True)
        return self.says(seen)


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_service_that_dies_is_given_up_and_the_rest_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, concurrency: int
) -> None:
    waits: list[int] = []

    def wait(tries: int) -> float:
        waits.append(tries)
        return 0.0

    monkeypatch.setattr(limits, "_backoff", wait)
    with Mortal(13) as server:
        root = write(tmp_path, http(server.url), cases=many(143), run={"concurrency": concurrency})
        ran = run_here(root)
        assert len(server.seen) < 13 + concurrency
    assert ran.code == 3
    held = [one for one in ran.attempts if one["verdict"] == "held"]
    lost = [one for one in ran.attempts if one["failure"]]
    assert len(held) >= 12 - concurrency
    late = (LOST - 1) * (concurrency - 1)  # an answer on its way may come in between, and the count begins anew
    assert LOST <= len(lost) < LOST + 2 * concurrency + late
    assert {one["failure"]["kind"] for one in lost} == {"connection"}
    assert 4 * LOST <= len(waits) <= 4 * (LOST + 2 * concurrency + late)
    reason = end_of(root)["stopped"]["bot"]
    assert reason.startswith(f"{LOST} attempts in a row found no connection, each after all of its retries: ")
    assert "no longer asked: bot: 10 attempts in a row found no connection" in said(ran)
    found = json.loads(here(root, "gate", "results.jsonl", "--json").out)
    assert found["undecided"] == {"target": 143 - len(held), "judge": 0, "guardgate": 0}
    page = here(root, "report", "--format", "json", "results.jsonl").out
    kinds = {one["kind"]: one["count"] for one in json.loads(page)["kinds"]}
    assert kinds == {"connection": len(lost), "skipped": 143 - len(ran.attempts)}


def test_another_target_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_backoff", lambda _: 0.0)
    with Mortal(3) as server, Server(bot(lambda _: "No.")) as other:
        run = {"targets": ["bot", "other"], "concurrency": 2}
        root = write(tmp_path, http(server.url), targets={"other": http(other.url)}, cases=many(40), run=run)
        ran = run_here(root)
        assert len(other.seen) == 1 + 40
    assert ran.code == 3
    assert list(end_of(root)["stopped"]) == ["bot"]


def test_a_service_that_comes_back_within_the_retries_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Mortal(6) as first, contextlib.ExitStack() as rest:
        back: list[Server] = []

        def wait(tries: int) -> float:
            if tries == 3 and not back:
                listener = socket.create_server((first.host, first.port))
                back.append(rest.enter_context(Server(bot(lambda _: "No."), listener=listener)))
            return 0.0

        monkeypatch.setattr(limits, "_backoff", wait)
        root = write(tmp_path, http(first.url), cases=many(40), run={"concurrency": 1})
        ran = run_here(root)
        assert len(back[0].seen) >= 40 - 5
    assert ran.code == 0
    assert {one["verdict"] for one in ran.attempts} == {"held"}
    assert end_of(root)["stopped"] == {}


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_judge_that_dies_ends_what_it_would_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, concurrency: int
) -> None:
    """Nobody pays for replies that nobody can judge; what was said before can be judged again."""
    monkeypatch.setattr(limits, "_backoff", lambda _: 0.0)
    names = [f"c{number:03}" for number in range(143)]
    with Server(bot(lambda _: HELD)) as app, Mortal(13, bench(honest)) as judge:
        run = {"concurrency": concurrency}
        root = project(tmp_path, judge.url, target=http(app.url), cases=cases(*names), run=run)
        ran = run_here(root)
        assert ran.code == 3
        assert len(app.seen) <= 1 + 12 + LOST + 2 * concurrency
        lost = [one for one in ran.attempts if one["verdict"] == "undecided"]
        assert LOST <= len(lost) <= LOST + 2 * concurrency
        assert {one["findings"][-1]["kind"] for one in lost} == {"unreachable"}
        reason = end_of(root)["reason"]
        assert reason.startswith(f"the judge strict can only fail: {LOST} attempts in a row found no connection, each ")
        assert json.loads(here(root, "gate", "results.jsonl", "--json").out)["undecided"]["target"] == 0
        app.seen.clear()
        with Server(bench(honest), listener=socket.create_server((judge.host, judge.port))):
            assert run_here(root, "--resume", "results.jsonl", out="whole.jsonl").code == 0
        assert len(app.seen) == 1 + 143 - len(ran.attempts)


def test_so_many_attempts_of_several_cases() -> None:
    contact = Contact()
    for number in range(LOST - 1):
        contact.heard(GONE)
        assert contact.ended(f"c{number}", GONE, 50) is None
    assert contact.ended("last", GONE, 50)
    assert "no connection (refused)" in str(contact.ended("last", GONE, 50))


def test_one_case_is_no_reason_to_leave_the_others() -> None:
    contact = Contact()
    assert [contact.ended("one", GONE, 50) for _ in range(3 * LOST)] == [None] * 3 * LOST
    for name in range(FROM - 2):
        assert contact.ended(f"c{name}", GONE, 50) is None
    assert contact.ended("third", GONE, 50)
    alone = Contact()
    assert [bool(alone.ended("one", GONE, 1)) for _ in range(LOST)] == [False] * (LOST - 1) + [True]


OTHERS = (Reply("No."), Failure("http_error", "HTTP 500"), Failure("timeout", "no reply"), BROKE)


@given(st.lists(st.integers(0, LOST - 1), min_size=1), st.sampled_from(OTHERS))
def test_whatever_is_heard_in_between_begins_the_count_again(rows: list[int], other: Reply | Failure) -> None:
    contact = Contact()
    for row in rows:
        contact.heard(other)
        for number in range(row):
            contact.heard(GONE)
            assert contact.ended(f"c{number}", GONE, 50) is None


@pytest.mark.parametrize("failure", [None, *(one for one in OTHERS if isinstance(one, Failure))])
def test_other_ends_do_not_count(failure: Failure | None) -> None:
    contact = Contact()
    assert {contact.ended(f"c{number}", failure, 50) for number in range(3 * LOST)} == {None}
