"""What a run says of what happened: the four codes, and what its first lines must not leave out."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.support.calls import sse
from tests.support.project import bot, case, forbids, http, openai, put, refused, run, write
from tests.support.server import Answer, Server, free_port

RULES = [forbids(), forbids("LION", rule="R2", severity="soft", threshold=0.75)]
CASES = [case("hard-1"), case("hard-2"), *(case(f"soft-{number}", rule="R2") for number in range(4))]
BAD = {"hard": {"when": "hard-1", "say": "ZEBRA"}, "soft": {"when": "soft-[01]", "say": "LION"}}
DEAD = {"when": "soft-3", "say": "", "fail": "crashed"}
DEAD_TOO = {"when": "hard-2", "say": "", "fail": "timeout"}
GOOD = {"say": "No."}


@pytest.mark.parametrize(
    ("script", "code", "first"),
    [
        ([], 0, "0: held"),
        ([{"when": "soft-0", "say": "LION"}], 0, "0: held"),
        ([BAD["soft"]], 1, "below its threshold: R2"),
        ([BAD["hard"]], 2, "a hard rule broke: R1"),
        ([BAD["hard"], BAD["soft"]], 2, "a hard rule broke: R1"),
        ([DEAD], 3, "3: incomplete"),
        ([DEAD, BAD["soft"]], 3, "3: incomplete"),
        ([DEAD, BAD["hard"]], 3, "a hard rule broke: R1"),
        ([DEAD_TOO, BAD["hard"]], 3, "a hard rule broke: R1"),
    ],
)
def test_the_order_is_3_2_1_0(tmp_path: Path, script: list[Any], code: int, first: str) -> None:
    ran = run(write(tmp_path, [*script, GOOD], rules=RULES, cases=CASES))
    assert ran.code == code
    assert ran.out.startswith(f"{code}: ")
    assert first in ran.first


def test_a_narrowed_run_says_so_first(tmp_path: Path) -> None:
    ran = run(write(tmp_path, [GOOD], rules=RULES, cases=CASES), "--rule", "R1")
    assert ran.code == 0
    assert "1 of 2 rules" in " ".join(ran.out.splitlines()[:2])
    assert "--rule R1" in ran.first
    assert "not attacked, so not decided (1): R2" in ran.first


def test_a_rule_without_attacks_is_not_held(tmp_path: Path) -> None:
    ran = run(write(tmp_path, [GOOD], rules=RULES, cases=CASES[:2]))
    assert ran.code == 0
    assert "not attacked, so not decided (1): R2" in ran.first


def _two(root: Path, **second: Any) -> Path:
    other = http(f"http://127.0.0.1:{free_port()}", **second)
    return write(root, [GOOD], targets={"other": other}, run={"targets": ["bot", "other"]})


def test_an_optional_target_that_is_missing_is_named_first(tmp_path: Path) -> None:
    ran = run(_two(tmp_path, optional=True))
    assert ran.code == 0
    assert "other" in ran.first
    assert "nothing listens" in ran.first


def test_any_other_target_that_is_missing_is_3_before_any_case(tmp_path: Path) -> None:
    ran = run(_two(tmp_path))
    refused(ran, "other is unavailable", "nothing listens")
    assert ran.file is None


def test_an_optional_target_that_alone_has_a_rule_is_3(tmp_path: Path) -> None:
    ran = run(write(tmp_path, http(f"http://127.0.0.1:{free_port()}", optional=True)))
    assert ran.code == 3
    assert ran.file is None


EMPTY = Answer(chunks=(sse({"choices": [{"delta": {"content": ""}}]}),), headers={"Content-Type": "text/event-stream"})
PREFLIGHT: dict[str, tuple[dict[str, Any], Answer, str]] = {
    "wrong key": ({}, Answer({"error": {"message": "Incorrect API key provided"}}, 401), "401"),
    "wrong model": ({}, Answer({"error": {"message": "The model does not exist"}}, 404), "404"),
    "quota": ({}, Answer({"error": {"message": "none left", "code": "insufficient_quota"}}, 429), "429"),
    "empty stream": ({"stream": True}, EMPTY, "empty"),
    "empty": ({}, Answer({"choices": [{"message": {"role": "assistant", "content": ""}}]}), "empty"),
    "a web page": ({}, Answer("<html><title>Welcome</title></html>"), "JSON"),
}


@pytest.mark.parametrize("name", PREFLIGHT)
def test_the_preflight_shows_what_is_wrong(tmp_path: Path, name: str) -> None:
    settings, answer, word = PREFLIGHT[name]
    with Server(answer) as server:
        ran = run(write(tmp_path, openai(server.url, **settings), cases=CASES, rules=RULES))
        assert 1 <= len(server.seen) <= 5
    refused(ran, "bot is unavailable", word)
    assert ran.file is None


def test_a_target_that_can_only_fail_from_now_on_ends_the_run(tmp_path: Path) -> None:
    asked: list[str] = []

    def revoked(turn: str) -> Answer | str:
        asked.append(turn)
        return "No." if len(asked) <= 5 else Answer({"error": {"message": "this key was revoked"}}, 401)

    with Server(bot(revoked)) as server:
        cases = [case(f"c{number:02}") for number in range(40)]
        ran = run(write(tmp_path, http(server.url), cases=cases, run={"concurrency": 2}))
    assert ran.code == 3
    assert len(asked) <= 5 + 2
    assert list(ran.verdicts.values()).count("held") == 5
    assert ran.first.count("this key was revoked") == 1
    assert "key" in ran.first.partition("revoked")[2], "what to do is missing"
    assert "40 attempts: 5 held, 0 broke, 35 undecided (target 35, judge 0, guardgate 0)" in ran.first


def test_a_budget_that_is_spent_ends_the_run(tmp_path: Path) -> None:
    with Server(bot(lambda _: "No.")) as server:
        cases = [case(f"c{number}") for number in range(9)]
        root = write(tmp_path, http(server.url), cases=cases, run={"concurrency": 1, "limits": {"calls": 4}})
        ran = run(root)
        assert len(server.seen) == 1 + 4
    assert ran.code == 3
    assert "limits.calls" in ran.first
    assert "undecided (target 0, judge 0, guardgate 5)" in ran.first


def test_names_and_order_of_cases_decide_nothing(tmp_path: Path) -> None:
    """Renamed and shuffled, every case has the verdict that its words had before."""
    script = [
        {"when": "leak", "say": "ZEBRA"},
        {"when": "roar", "say": "LION"},
        {"when": "die", "fail": "timeout", "say": ""},
    ]
    script.append(GOOD)
    words = {f"{word} {number}": rule for word, rule in {"leak": "R1", "roar": "R2", "die": "R2", "ask": "R1"}.items()
             for number in range(3)}  # fmt: skip
    cases = [case(f"c{number:02}", text, rule=rule) for number, (text, rule) in enumerate(words.items())]
    other = [{**one, "id": f"renamed-{number * 7 % 12}"} for number, one in enumerate(cases)]
    random.Random(7).shuffle(other)
    before = run(write(tmp_path / "a", script, rules=RULES, cases=cases))
    after = run(write(tmp_path / "b", script, rules=RULES[::-1], cases=other))
    assert before.code == after.code == 3

    def by_words(verdicts: dict[str, str], named: list[dict[str, Any]]) -> dict[str, str]:
        return {one["turns"][0]: verdicts[one["id"]] for one in named}

    assert by_words(before.verdicts, cases) == by_words(after.verdicts, other)
    assert sorted(before.verdicts.values()) == ["broke"] * 6 + ["held"] * 3 + ["undecided"] * 3


CROWD = """
import asyncio, os, pathlib

here = most = 0
full = asyncio.Event()

async def reply(turn, *, session):
    global here, most
    if turn == "Hello." or session.endswith("-again") and turn != "die":
        return "No."
    here += 1
    most = max(most, here)
    if here == 64 or session.endswith("-again"):
        full.set()
    await full.wait()
    if turn == "die":
        if most > 1:
            pathlib.Path("most").write_text(str(most))
        os._exit(7)
    await asyncio.Event().wait()
"""


def test_64_conversations_at_once_and_a_death_among_them_costs_its_own_verdict_alone(tmp_path: Path) -> None:
    """The app counts them; when all 64 are there, one ends the process. The others are played again, each alone."""
    put(tmp_path, "app.py", CROWD)
    cases = [case("dies", "die"), *(case(f"c{number:02}") for number in range(63))]
    ran = run(write(tmp_path, {"backend": "python", "entry": "app:reply"}, cases=cases, run={"concurrency": 64}))
    assert (tmp_path / "most").read_text() == "64"
    assert ran.code == 3
    assert ran.verdicts == {"dies": "undecided"} | {one["id"]: "held" for one in cases[1:]}
    assert ran.kinds["dies"] == "crashed"
    assert "64 attempts: 63 held, 0 broke, 1 undecided (target 1, judge 0, guardgate 0)" in ran.first
