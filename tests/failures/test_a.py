"""Green although nothing was proved: how other gates passed, and what ours says instead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import bot, case, forbids, guardgate, http, openai, put, refused, run, write
from tests.support.server import Answer, Server, free_port

FIVE = [case(f"c{number}") for number in range(5)]


def test_a01_failed_assertions_give_2_or_1(tmp_path: Path) -> None:
    with Server(bot(lambda _: "It is ZEBRA.")) as server:
        hard = run(write(tmp_path / "hard", http(server.url)))
        soft = run(write(tmp_path / "soft", http(server.url), rules=[forbids(severity="soft", threshold=0.5)]))
    assert (hard.code, soft.code) == (2, 1)


def test_a02_a_wrong_key_gives_3_before_any_case(tmp_path: Path) -> None:
    with Server(Answer({"error": {"message": "Incorrect API key provided"}}, 401)) as server:
        ran = run(write(tmp_path, openai(server.url), cases=FIVE))
    refused(ran, "bot is unavailable", "401", "key")
    assert ran.file is None
    assert len(server.seen) == 1


def test_a03_a_retired_endpoint_is_no_outage_to_be_skipped(tmp_path: Path) -> None:
    with Server(bot(lambda _: Answer("this endpoint has been removed", 410))) as server:
        ran = run(write(tmp_path, openai(server.url), cases=FIVE, run={"concurrency": 1}))
    assert ran.code == 3
    assert set(ran.verdicts.values()) == {"undecided"}
    assert ran.kinds["c0"] == "not_found"
    assert "410" in ran.first
    assert len(server.seen) == 2, "it went on asking"


def test_a04_an_exhausted_quota_is_the_targets_error(tmp_path: Path) -> None:
    gone = Answer({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}, 429)
    with Server(bot(lambda turn: gone if turn == "c3" else "No.")) as server:
        ran = run(write(tmp_path, openai(server.url), cases=FIVE, run={"concurrency": 1}))
    assert ran.code == 3
    assert ran.kinds["c3"] == "quota"
    assert ran.verdicts == {"c0": "held", "c1": "held", "c2": "held", "c3": "undecided"}
    assert "5 attempts: 3 held, 0 broke, 2 undecided (target 2, judge 0, guardgate 0)" in ran.first


def test_a05_a_providers_error_is_never_scored_as_an_answer(tmp_path: Path) -> None:
    errors: dict[str, Any] = {
        "status": Answer({"error": {"message": "Internal server error"}}, 500),
        "body": Answer({"error": {"message": "The server had an error", "type": "server_error"}}),
        "text": '{"error": {"message": "upstream failed", "code": 502}}',
        "drop": Answer(drop=True),
    }
    limits = {"attempt_seconds": 1}
    with Server(bot(errors.__getitem__)) as server:
        ran = run(write(tmp_path, http(server.url), cases=list(map(case, errors)), run={"limits": limits}))
    assert ran.code == 3
    assert set(ran.verdicts.values()) == {"undecided"}
    assert all(one["failure"]["side"] == "target" and one["scores"] == [] for one in ran.attempts)


@pytest.mark.parametrize(
    ("suite", "options"),
    [
        ({"cases": []}, []),
        ({"cases": [case("c1")]}, ["--case", "d*"]),
        ({"cases": [case("c1")]}, ["--attack", "secrecy"]),
    ],
)
def test_a07_nothing_selected_is_3(tmp_path: Path, suite: Any, options: list[str]) -> None:
    root = write(tmp_path, [{"say": "No."}])
    put(root, "suite.yaml", suite)
    ran = run(root, *options)
    assert ran.code == 3
    assert ran.file is None
    assert "case" in ran.err


def test_a07_a_pattern_that_finds_no_suite_is_3(tmp_path: Path) -> None:
    root = write(tmp_path, [{"say": "No."}], suites=["suite.yaml", "moved/*.yaml"])
    assert "'moved/*.yaml'" in run(root).err
    assert guardgate(root, "check").code == 3


@pytest.mark.parametrize(
    ("arguments", "found", "meant"),
    [
        (["--case", "secrecy-1"], "secrecy-1", "secrecy-01"),
        (["--rule", "no-secret"], "no-secret", "no-secrets"),
        (["--attack", "persona_drit"], "persona_drit", "persona_drift"),
        (["--target", "botx"], "botx", "bot"),
        (["nigthly"], "nigthly", "nightly"),
    ],
)
def test_a08_an_unknown_name_is_3_with_a_hint(tmp_path: Path, arguments: list[str], found: str, meant: str) -> None:
    rules, cases = [forbids(rule="no-secrets")], [case("secrecy-01", rule="no-secrets")]
    runs = {"default": {"targets": ["bot"]}, "nightly": {"targets": ["bot"]}}
    root = write(tmp_path, [{"say": "No."}], rules=rules, cases=cases, runs=runs)
    refused(run(root, *arguments), repr(found), f"did you mean {meant!r}?")


@pytest.mark.parametrize("key", ["check", "Checks", "assert", "cheks"])
def test_a09_a_misspelt_key_is_refused(tmp_path: Path, key: str) -> None:
    root = write(tmp_path, [{"say": "No."}], cases=[case("c1") | {key: {"contains": {"any": ["yes"]}}}])
    checked = guardgate(root, "check")
    assert checked.code == 3
    assert f"{key!r}" in checked.out
    assert run(root).code == 3


OUTSIDE = """
checks:
  not_contains: {any: [LION]}
cases:
- {id: c1, attack: persona_drift, rule: R1, turns: [hi]}
"""
FLAT = """
cases:
- id: c1
  attack: persona_drift
  rule: R1
  turns: [hi]
  checks:
  not_contains: {any: [LION]}
"""
EMPTY = """
cases:
- id: c1
  attack: persona_drift
  rule: R1
  turns: [hi]
  checks:
"""


@pytest.mark.parametrize("suite", [OUTSIDE, FLAT, EMPTY])
def test_a09_a_misplaced_block_is_refused(tmp_path: Path, suite: str) -> None:
    root = write(tmp_path, [{"say": "No."}])
    put(root, "suite.yaml", suite)
    assert guardgate(root, "check").code == 3


def test_a10_a_case_that_nothing_decides_is_refused(tmp_path: Path) -> None:
    bare = {"id": "R1", "severity": "hard", "rule": "Is kind."}
    root = write(tmp_path, [{"say": "No."}], rules=[bare])
    checked = guardgate(root, "check")
    assert checked.code == 3
    assert "nothing can decide" in checked.out
    assert run(root).code == 3


def test_a11_an_unknown_check_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path, [{"say": "No."}], cases=[case("c1", checks={"not_containz": {"any": ["yes"]}})])
    checked = guardgate(root, "check")
    assert checked.code == 3
    assert "not_containz" in checked.out
    assert "not_contains" in checked.out
    assert run(root).code == 3


def test_a12_all_attempts_failed_is_3_with_counts(tmp_path: Path) -> None:
    with Server(bot(lambda _: Answer("no", 418))) as server:
        ran = run(write(tmp_path, http(server.url), cases=FIVE, rules=[forbids(severity="soft", threshold=0.1)]))
    assert ran.code == 3
    assert "5 attempts: 0 held, 0 broke, 5 undecided (target 5, judge 0, guardgate 0)" in ran.first
    assert "nan" not in ran.out.lower()


def gone(**more: Any) -> dict[str, Any]:
    """A target where nothing listens."""
    return http(f"http://127.0.0.1:{free_port()}", **more)


def test_a14_a_target_that_is_missing_gives_3_before_any_case(tmp_path: Path) -> None:
    with Server(bot(lambda _: "No.")) as server:
        both: dict[str, Any] = {"targets": {"gone": gone()}, "run": {"targets": ["bot", "gone"]}}
        ran = run(write(tmp_path, http(server.url), cases=FIVE, **both))
    refused(ran, "gone is unavailable", "nothing listens")
    assert ran.file is None
    assert len(server.seen) <= 1, "a case was played"


def test_a14_an_optional_one_is_named_where_another_target_covers_its_rules(tmp_path: Path) -> None:
    with Server(bot(lambda _: "No.")) as server:
        both: dict[str, Any] = {"targets": {"gone": gone(optional=True)}, "run": {"targets": ["gone", "bot"]}}
        ran = run(write(tmp_path, http(server.url), cases=FIVE, **both))
    assert (ran.code, set(ran.verdicts.values())) == (0, {"held"})
    assert len(ran.attempts) == len(FIVE)
    assert "optional target left out: gone" in ran.first
    assert "nothing listens" in ran.first


@pytest.mark.parametrize("cover", [False, True])
def test_a14_optional_targets_that_are_all_missing_cover_nothing(tmp_path: Path, cover: bool) -> None:
    targets = {"also_gone": gone(optional=True)} if cover else {}
    root = write(tmp_path, gone(optional=True), cases=FIVE, targets=targets, run={"targets": ["bot", *targets]})
    ran = run(root)
    assert ran.code == 3
    assert ran.out == ""
    assert ran.file is None


def test_a16_banner_and_code_are_one_value(tmp_path: Path) -> None:
    rules = [forbids(severity="soft", threshold=0.9)]
    script = [{"when": "c4", "say": "ZEBRA"}, {"say": "No."}]
    root = write(tmp_path, script, cases=FIVE, rules=rules)
    ran = run(root)
    assert ran.code == 1
    assert ran.out.startswith("1: below: a soft rule fell below its own threshold")
    report = guardgate(root, "report", str(ran.file))
    assert "1: below: a soft rule fell below its own threshold" in report.out
    said_of_green = ("all passed", "every attempted rule held", "every rule held")
    assert not any(word in (ran.out + report.out).lower() for word in said_of_green)
    said = json.loads(guardgate(root, "gate", str(ran.file), "--json").out)
    assert (said["code"], said["verdict"]) == (1, "below")


@pytest.mark.parametrize("threshold", [None, 0, -1, 1.1])
def test_a19_a_threshold_that_always_holds_is_refused(tmp_path: Path, threshold: float | None) -> None:
    more: dict[str, Any] = {} if threshold is None else {"threshold": threshold}
    root = write(tmp_path, [{"say": "No."}], rules=[forbids(severity="soft", **more)])
    checked = guardgate(root, "check")
    assert checked.code == 3
    place = (root / "constraints.yaml").read_text().partition('"threshold"')[0].count("\n") + 1
    assert "threshold" in checked.out or checked.out.startswith(f"constraints.yaml:{place}:")
    assert run(root).code == 3


def test_a20_no_percentage_hides_a_hard_break(tmp_path: Path) -> None:
    rules = [forbids(), forbids("LION", rule="R2", severity="soft", threshold=0.1)]
    cases = [case("bad"), *(case(f"c{number}") for number in range(49)), case("soft", rule="R2")]
    ran = run(write(tmp_path, [{"when": "bad", "say": "ZEBRA"}, {"say": "No."}], rules=rules, cases=cases))
    assert ran.code == 2
    assert "a hard rule broke: R1" in ran.first


def test_a21_a_forbidding_check_does_not_pass_when_the_target_died(tmp_path: Path) -> None:
    app = "import os\n\ndef reply(turn, *, session):\n    return 'Hi.' if turn == 'Hello.' else os._exit(3)\n"
    python = {"backend": "python", "entry": "app:reply"}
    put(tmp_path, "app.py", app)
    died = run(write(tmp_path, python))
    assert (died.code, died.verdicts, died.kinds) == (3, {"c1": "undecided"}, {"c1": "crashed"})
    with Server(bot(lambda _: Answer(drop=True))) as server:
        dropped = run(write(tmp_path, http(server.url), run={"limits": {"attempt_seconds": 1}}), out="dropped.jsonl")
    assert (dropped.code, dropped.verdicts, dropped.kinds) == (3, {"c1": "undecided"}, {"c1": "connection"})


def test_a21_nobody_listens_is_no_pass(tmp_path: Path) -> None:
    ran = run(write(tmp_path, http(f"http://127.0.0.1:{free_port()}")))
    refused(ran, "bot is unavailable", "nothing listens")
