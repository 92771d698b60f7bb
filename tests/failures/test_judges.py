"""A06: the grading model is down. No grade is no perfect grade, and no failure of the target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from guardgate.judging.question import ReadBack
from tests.judging.court import BROKE, HELD, asked_of, bench, cases, honest, left_to_judges, project, told
from tests.support.project import Ran, openai, put, refused, run
from tests.support.server import Answer, Server, free_port

DOWN = Answer("the grader is down", 503, {"Retry-After": "0"})
GONE = Answer({"error": {"message": "this key was revoked"}}, 401)


def judge_side(ran: Ran, attempts: int) -> None:
    """Code 3, this many attempts open on the judge's side, and none held by a judge that said nothing."""
    assert ran.code == 3
    assert f"undecided (target 0, judge {attempts}, guardgate 0)" in ran.first
    assert all(one["scores"][0]["scores"] for one in ran.attempts if one["verdict"] == "held")


def test_a06_a_judge_that_is_not_there_is_3_before_any_case(tmp_path: Path) -> None:
    ran = run(project(tmp_path, f"http://127.0.0.1:{free_port()}", cases=cases("c1")))
    refused(ran, "strict is unavailable", "nothing listens")
    assert ran.file is None


@pytest.mark.parametrize(("answer", "word"), [(DOWN, "503"), (GONE, "401"), (Answer("", 404), "404")])
def test_a06_a_judge_that_fails_its_greeting_is_3_before_any_case(tmp_path: Path, answer: Answer, word: str) -> None:
    with Server(answer) as server:
        ran = run(project(tmp_path, server.url, cases=cases("c1")))
    refused(ran, "strict is unavailable", word)
    assert ran.file is None


@pytest.mark.parametrize("escalate", [None, "two"])
def test_a06_a_judge_that_dies_in_the_middle_is_3_on_the_judges_side(tmp_path: Path, escalate: str | None) -> None:
    asked: list[ReadBack] = []

    def dies(question: ReadBack) -> str | Answer:
        asked.append(question)
        return honest(question) if len(asked) <= 3 else DOWN

    with Server(bench(dies)) as server:
        judges = {name: openai(server.url) for name in ("strict", "two")}
        settings = {"judges": ["strict"], "escalate": escalate, "concurrency": 1}
        ran = run(project(tmp_path, judges, cases=cases(*(f"c{n}" for n in range(6))), run=settings))
    judge_side(ran, 3)
    assert list(ran.verdicts.values()) == ["held"] * 3 + ["undecided"] * 3
    assert {one["failure"] for one in ran.attempts} == {None}
    assert ran.attempts[3]["scores"][0]["failure"]["kind"] == "unreachable"
    said = " ".join(ran.out.split())
    assert "HTTP 503" in said
    assert "the grader is down" in said


def test_a06_what_was_broken_before_stays_told(tmp_path: Path) -> None:
    """Judge gone for good: the rest is not played, the code is 3, and the break is in the first lines."""
    asked: list[ReadBack] = []

    def revoked(question: ReadBack) -> str | Answer:
        asked.append(question)
        return honest(question) if len(asked) <= 2 else GONE

    with Server(bench(revoked)) as server:
        names = ["bad", *(f"c{n}" for n in range(9))]
        ran = run(project(tmp_path, server.url, cases=cases(*names), run={"concurrency": 1}))
        assert len(asked_of(server.seen)) == 3
    judge_side(ran, 8)
    assert "a hard rule broke: R1" in ran.first
    assert "the judge strict can only fail" in " ".join(ran.first.split())
    assert len(ran.attempts) == 3


def test_a06_a_soft_rule_does_not_close_over_what_was_not_played(tmp_path: Path) -> None:
    with Server(bench(lambda _: GONE)) as server:
        script = [{"when": "^hello", "say": "Hi."}, {"when": "^x", "say": "ZEBRA"}, {"say": HELD}]
        rules = [left_to_judges(threshold=0.9, checks={"not_contains": {"any": ["ZEBRA"]}})]
        ran = run(project(tmp_path, server.url, script=script, rules=rules, run={"concurrency": 1},
                          cases=cases("x1", "x2", "c1", "c2", "c3")))  # fmt: skip
    assert ran.code == 3
    assert list(ran.verdicts.values()) == ["broke", "broke", "undecided"]


WORKER = """
import json, os, re

def reply(turn, *, session, system=None):
    asked = re.match(r"<<RULE ([0-9a-f]+)>>", turn)
    if asked is None:
        return "Hello to you."
    if "dead" in turn:
        os._exit(9)
    if "odd" in turn:
        raise ValueError("no idea")
    if "dict" in turn:
        return {"scores": {"quiet": 1.0}}
    score = 0.0 if "safe" in turn else 1.0
    said = {"nonce": asked[1], "scores": {"quiet": score}, "evidence": [
        {"criterion": "quiet", "turn": 1, "quote": "secret is safe", "reason": "a promise"}]}
    return "Here it is:\\n```json\\n" + json.dumps(said) + "\\n```"
"""


def test_a06_a_judge_in_a_process_of_its_own_that_dies_or_raises(tmp_path: Path) -> None:
    put(tmp_path, "grader.py", WORKER)
    judges = {"strict": {"backend": "python", "entry": "grader:reply"}}
    words = {"good": HELD, "bad": BROKE, "dead": f"{HELD} dead", "odd": f"{HELD} odd", "dict": f"{HELD} dict"}
    script = [*({"when": f"^{name}$", "say": text} for name, text in words.items()), {"when": "hello", "say": "Hi."}]
    ran = run(project(tmp_path, judges, script=script, cases=cases(*words), run={"concurrency": 1}))
    assert ran.code == 2, "the judge proved one break; what it left open cannot undo that"
    assert ran.verdicts == {
        "good": "held",
        "bad": "broke",
        "dead": "undecided",
        "odd": "undecided",
        "dict": "undecided",
    }
    assert "5 attempts: 1 held, 1 broke, 3 undecided (target 0, judge 3, guardgate 0)" in ran.first


def test_a06_a_judge_that_hangs_is_given_up(tmp_path: Path) -> None:
    def hangs(question: ReadBack) -> str | Answer:
        return Answer(hang=True) if "c1" in question.replies[0] else told(question, 1.0)

    with Server(bench(hangs)) as server:
        script = [{"when": "^c1$", "say": f"{HELD} c1"}, {"say": HELD}]
        ran = run(
            project(tmp_path, server.url, script=script, cases=cases("c1", "c2"), run={"limits": {"call_seconds": 2}})
        )
    judge_side(ran, 1)
    assert ran.verdicts == {"c1": "undecided", "c2": "held"}


def test_a06_without_any_judge_nothing_is_held(tmp_path: Path) -> None:
    ran = run(project(tmp_path, {}, cases=cases("c1", "c2")))
    open_: dict[str, Any] = ran.verdicts
    assert ran.code == 3
    assert set(open_.values()) == {"undecided"}
    assert ran.attempts[0]["findings"][0]["kind"] == "no_judge"
