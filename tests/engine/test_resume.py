"""Going on where a run stopped: only the same plan, nothing asked twice, and what is copied is said to be."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guardgate.judging.question import ReadBack
from tests.engine.inside import said
from tests.judging.court import HELD, asked_of, bench, cases, honest, project, run_here
from tests.support.project import Ran, bot, case, forbids, http, lines, openai, put, refused, turn_of, write
from tests.support.server import Answer, Server

NAMES = ["c0", "c1", "c2", "c3"]


def edited(root: Path, name: str, change: Callable[[Any], None]) -> None:
    content = json.loads((root / name).read_text())
    change(content)
    put(root, name, content)


def stopped(root: Path, *arguments: str) -> Ran:
    """A run whose budget ends it after two attempts."""
    edited(root, "guardgate.yaml", lambda file: file["runs"]["default"].update(limits={"calls": 2}))
    ran = run_here(root, *arguments, out="first.jsonl")
    edited(root, "guardgate.yaml", lambda file: file["runs"]["default"].pop("limits"))
    assert ran.code == 3
    assert "limits.calls is reached (2 of 2)" in said(ran)
    return ran


def small(root: Path, target: Any = None, **more: Any) -> Path:
    put(root, "persona.md", "Be kind.\n")
    talk = [{"when": "c1", "say": "It is ZEBRA."}, {"say": "No."}]
    settings = {"concurrency": 1, **more.pop("run", {})}
    return write(root, target or talk, cases=[case(name) for name in NAMES], run=settings, **more)


def test_it_goes_on_and_says_what_is_copied(tmp_path: Path) -> None:
    with Server(bot(lambda turn: "It is ZEBRA." if turn == "c1" else "No.")) as server:
        root = small(tmp_path, http(server.url))
        first = stopped(root)
        assert [one["case"] for one in first.attempts if one["verdict"] != "undecided"] == ["c0", "c1"]
        before = len(server.seen)
        ran = run_here(root, "--resume", "first.jsonl")
        asked = [turn_of(seen) for seen in server.seen[before:]]
    assert asked == ["Hello.", "c2", "c3"]
    assert ran.code == 2
    assert ran.verdicts == {"c0": "held", "c1": "broke", "c2": "held", "c3": "held"}
    assert [one["replies"][0]["copied"] for one in ran.attempts] == [True, True, False, False]
    assert "2 of 4 replies copied from a run before" in said(ran)
    assert lines(ran.file, "run")[0]["resumed"] == lines(first.file, "run")[0]["started"]
    assert first.file is not None
    assert len(lines(first.file, "attempt")) == len(first.attempts), "the file that is gone on from stays as it was"


def test_a_whole_run_needs_no_call(tmp_path: Path) -> None:
    with Server(bot(lambda _: "No.")) as server:
        root = small(tmp_path, http(server.url))
        assert run_here(root, out="first.jsonl").code == 0
        before = len(server.seen)
        ran = run_here(root, "--resume", "first.jsonl")
        assert len(server.seen) == before + 1, "the preflight alone"
    assert ran.code == 0
    assert "4 of 4 replies copied from a run before" in said(ran)


def test_what_the_target_left_open_is_played_again(tmp_path: Path) -> None:
    broken = [True]
    with Server(bot(lambda turn: Answer("oops", 418) if turn == "c2" and broken[0] else "No.")) as server:
        root = small(tmp_path, http(server.url))
        assert run_here(root, out="first.jsonl").code == 3
        broken[0], before = False, len(server.seen)
        ran = run_here(root, "--resume", "first.jsonl")
        assert [turn_of(seen) for seen in server.seen[before:]] == ["Hello.", "c2"]
    assert ran.code == 0


def fake_commit(root: Path, commit: str) -> None:
    put(root, ".git/HEAD", commit * 40 + "\n")


def of_suite(change: Callable[[list[Any]], Any]) -> Callable[[Path], None]:
    return lambda root: edited(root, "suite.yaml", lambda file: change(file["cases"]))


def of_project(change: Callable[[Any], Any]) -> Callable[[Path], None]:
    return lambda root: edited(root, "guardgate.yaml", change)


def of_rules(change: Callable[[Any], Any]) -> Callable[[Path], None]:
    return lambda root: edited(root, "constraints.yaml", lambda file: change(file["rules"][0]))


CHANGES: dict[str, tuple[Callable[[Path], None], tuple[str, ...], str]] = {
    "a case": (of_suite(lambda every: every[1].update(turns=["other"])), (), "cases changed: c1"),
    "checks of a case": (
        of_suite(lambda every: every[2].update(checks={"length": {"max_words": 9}})), (), "cases changed: c2"
    ),
    "a new case": (of_suite(lambda every: every.append(case("c9"))), (), "new cases: c9"),
    "a case gone": (of_suite(lambda every: every.pop()), (), "cases gone: c3"),
    "their order": (of_suite(lambda every: every.reverse()), (), "the order of the cases"),
    "a rule": (of_rules(lambda rule: rule.update(rule="Never says anything.")), (), "rules changed: R1"),
    "checks of a rule": (
        of_rules(lambda rule: rule["checks"]["not_contains"]["any"].append("LION")), (), "rules changed: R1"
    ),
    "a target": (of_project(lambda file: file["targets"]["bot"].update(params={"a": 1})), (), "targets changed: bot"),
    "a script": (lambda root: put(root, "script.yaml", [{"say": "Yes."}]), (), "targets changed: bot"),
    "a system prompt": (lambda root: put(root, "persona.md", "Be rude.\n"), (), "targets changed: bot"),
    "repeats": (lambda root: None, ("--repeats", "2"), "repeats 1 -> 2"),
    "cells": (
        of_project(lambda file: file["runs"]["default"].update(params={"framing": ["plain", "warned"]})),
        (),
        "the cells",
    ),
    "a selection": (lambda root: None, ("--case", "c0"), "cases gone: c1, c2, c3"),
    "a shard": (lambda root: None, ("--shard", "1/2"), "shard none -> 1/2"),
    "the commit": (lambda root: fake_commit(root, "b"), (), f"the commit {'a' * 12} -> {'b' * 12}"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_another_plan_is_refused_by_name(tmp_path: Path, what: str) -> None:
    change, options, words = CHANGES[what]
    root = small(tmp_path)
    edited(root, "guardgate.yaml", lambda file: file["targets"]["bot"].update(system="persona.md"))
    fake_commit(root, "a")
    stopped(root)
    change(root)
    ran = refused(run_here(root, "--resume", "first.jsonl", *options), "another plan", words)
    assert ran.file is None


@pytest.mark.parametrize(
    "change",
    [
        of_rules(lambda rule: rule.update(severity="soft", threshold=0.5)),
        of_project(lambda file: file["targets"]["bot"].update(concurrency=3)),
        of_project(lambda file: file["runs"]["default"].update(limits={"calls": 100}, concurrency=4)),
        of_suite(lambda every: every),
    ],
    ids=["severity", "places", "limits", "nothing"],
)
def test_what_changes_no_reply_is_the_same_plan(tmp_path: Path, change: Callable[[Path], None]) -> None:
    root = small(tmp_path)
    stopped(root)
    change(root)
    assert run_here(root, "--resume", "first.jsonl").code in (0, 2)


def test_a_system_prompt_of_a_cell_is_named_by_its_file(tmp_path: Path) -> None:
    root = small(tmp_path, run={"params": {"system": ["persona.md", "other.md"]}})
    put(root, "other.md", "Be brief.\n")
    stopped(root)
    put(root, "other.md", "Be long.\n")
    refused(run_here(root, "--resume", "first.jsonl"), "files changed: ", "other.md")


def test_a_plan_is_refused_before_any_call(tmp_path: Path) -> None:
    with Server(bot(lambda _: "No.")) as server:
        root = small(tmp_path, http(server.url))
        stopped(root)
        of_suite(lambda every: every.pop())(root)
        before = len(server.seen)
        refused(run_here(root, "--resume", "first.jsonl"), "cases gone: c3")
        assert len(server.seen) == before


def test_judges_of_another_kind_are_named(tmp_path: Path) -> None:
    with Server(bench(honest)) as judge:
        both = {"strict": openai(judge.url), "other": openai(judge.url, model="other")}
        root = project(tmp_path, both, cases=cases(*NAMES))
        assert run_here(root, out="first.jsonl").code == 0
        for change, words in (
            (lambda file: file["judges"]["strict"].update(model="third"), "judges changed: strict"),
            (lambda file: file["runs"]["default"].update(agreement="majority"), "how the judges agree"),
            (lambda file: file["runs"]["default"].update(judges=["other"]), "judges changed: strict"),
        ):
            kept = (root / "guardgate.yaml").read_text()
            edited(root, "guardgate.yaml", change)
            refused(run_here(root, "--resume", "first.jsonl"), words)
            put(root, "guardgate.yaml", kept)


def test_where_only_the_judge_failed_it_is_asked_again_and_the_target_is_not(tmp_path: Path) -> None:
    down = [True]

    def judge(asked: ReadBack) -> str | Answer:
        return Answer("no", 418) if down[0] and "c2" in asked.replies[0] else honest(asked)

    with Server(bot(lambda turn: f"{HELD} {turn}")) as app, Server(bench(judge)) as judges:
        root = project(tmp_path, judges.url, target=http(app.url), cases=cases(*NAMES))
        first = run_here(root, out="first.jsonl")
        assert (first.code, first.verdicts["c2"]) == (3, "undecided")
        down[0], calls, asked = False, len(app.seen), len(asked_of(judges.seen))
        ran = run_here(root, "--resume", "first.jsonl")
        assert [turn_of(seen) for seen in app.seen[calls:]] == ["Hello."]
        assert len(asked_of(judges.seen)) == asked + 1
    assert ran.code == 0
    assert all(reply["copied"] for one in ran.attempts for reply in one["replies"])
    assert "4 of 4 replies copied from a run before" in said(ran)


def test_a_judge_that_is_gone_leaves_the_replies_for_another_time(tmp_path: Path) -> None:
    with Server(bot(lambda turn: f"{HELD} {turn}")) as app, Server(bench(honest)) as judges:
        root = project(tmp_path, judges.url, target=http(app.url), cases=cases(*NAMES))
        edited(root, "guardgate.yaml", lambda file: file["runs"]["default"].update(limits={"calls": 6}, concurrency=1))
        first = run_here(root, out="first.jsonl")
        assert first.code == 3
        edited(root, "guardgate.yaml", lambda file: file["runs"]["default"].pop("limits"))
        ran = run_here(root, "--resume", "first.jsonl")
        turns = [turn_of(seen) for seen in app.seen]
    assert ran.code == 0
    assert sorted(turns) == sorted(["Hello.", "Hello.", *NAMES]), "no reply was paid for twice"


def test_a_target_that_was_left_out_stays_out(tmp_path: Path) -> None:
    """It is optional, and was away: that it is back makes no other plan."""
    with Server(bot(lambda _: "No.")) as server:
        other = http("http://127.0.0.1:9", optional=True)
        root = small(tmp_path, http(server.url), targets={"other": other}, run={"targets": ["bot", "other"]})
        stopped(root)
        edited(root, "guardgate.yaml", lambda file: file["targets"]["other"].update(url=f"{server.url}/chat"))
        before = len(server.seen)
        ran = run_here(root, "--resume", "first.jsonl")
        assert len(server.seen) == before + 1 + 2
    assert ran.code == 0
    assert "other" in said(ran)


@pytest.mark.parametrize("keep", [0, 1, 2])
def test_half_a_copy_sends_to_the_file_before_it(tmp_path: Path, keep: int) -> None:
    root = small(tmp_path)
    stopped(root)
    whole = run_here(root, "--resume", "first.jsonl", out="second.jsonl")
    kept, attempts = [], 0
    for line in (root / "second.jsonl").read_text().splitlines(keepends=True):
        attempts += line.startswith('{"t":"attempt"')
        if attempts > keep:
            break
        kept.append(line)
    put(root, "cut.jsonl", "".join(kept))
    refused(run_here(root, "--resume", "cut.jsonl"), "cut off before it had a reply of its own", "the run that began")
    assert run_here(root, "--resume", "second.jsonl").verdicts == whole.verdicts


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    root = small(tmp_path)
    put(root, "other.jsonl", '{"t":"run"}\n')
    for name, words in (("other.jsonl", "format"), ("gone.jsonl", "no such file")):
        refused(run_here(root, "--resume", name), words)


def test_new_severities_decide_what_was_copied(tmp_path: Path) -> None:
    root = small(tmp_path, rules=[forbids()])
    stopped(root)
    edited(root, "constraints.yaml", lambda file: file["rules"][0].update(severity="soft", threshold=0.5))
    assert run_here(root, "--resume", "first.jsonl").code == 0
