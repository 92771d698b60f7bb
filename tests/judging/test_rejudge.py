"""Stored replies, other judges: no call to the target, holes stay holes, and an end in between is 3."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guardgate.judging.question import ReadBack
from tests.judging.court import (
    BROKE,
    HELD,
    asked_of,
    bench,
    cases,
    here,
    honest,
    left_to_judges,
    project,
    run_here,
    told,
)
from tests.support.project import Ran, bot, http, lines, openai, put, refused
from tests.support.server import Answer, Server

NAMES = ["c0", "c1", "bad", "c3"]


def says(turn: str) -> Answer | str:
    if turn == "dead":
        return Answer("gone", 418)
    return BROKE if turn == "bad" else f"{HELD} ZEBRA" if turn == "code" else f"{HELD} {turn}"


def all_good(asked: ReadBack) -> str:
    return told(asked, 1.0)


def head(ran: Ran) -> dict[str, Any]:
    return lines(ran.file, "run")[0]


def judges(server: Server) -> dict[str, Any]:
    return {"strict": openai(server.url), "other": openai(server.url, model="other")}


def test_the_target_is_not_called_and_every_reply_is_marked_copied(tmp_path: Path) -> None:
    with Server(bot(says)) as app, Server(bench(honest)) as judge:
        root = project(tmp_path, {"strict": openai(judge.url)}, target=http(app.url), cases=cases(*NAMES))
        first = run_here(root)
        calls = len(app.seen)
        again = run_here(root, "--rejudge", "results.jsonl", out="again.jsonl")
        assert len(app.seen) == calls == 1 + len(NAMES)
        assert len(asked_of(judge.seen)) == 2 * len(NAMES)
    assert first.code == again.code == 2
    assert [one["case"] for one in again.attempts] == NAMES
    for before, after in zip(first.attempts, again.attempts, strict=True):
        assert [reply | {"copied": True} for reply in before["replies"]] == after["replies"]
        assert before["verdict"] == after["verdict"]
    assert "4 of 4 replies copied from a run before" in again.first
    assert "0 fresh, 4 copied" in again.out


def test_only_the_judges_differ(tmp_path: Path) -> None:
    with Server(bot(says)) as app, Server(bench(honest)) as one, Server(bench(all_good)) as two:
        settings = {"strict": openai(one.url), "lax": openai(two.url)}
        root = project(tmp_path, settings, target=http(app.url), cases=cases(*NAMES), run={"judges": ["strict"]})
        first = run_here(root)
        lax = run_here(root, "--rejudge", "results.jsonl", "--judge", "lax", out="lax.jsonl")
        both = run_here(root, "--rejudge", "lax.jsonl", "--judge", "lax", "--judge", "strict", out="both.jsonl")
    assert (first.code, lax.code, both.code) == (2, 0, 3)
    assert both.verdicts["bad"] == "undecided", "they disagree"
    heads = [head(one) for one in (first, lax, both)]
    assert len({one["core"] for one in heads}) == 1
    assert len({one["plan"] for one in heads}) == 3
    assert [one["panel"]["judges"] for one in heads] == [["strict"], ["lax"], ["lax", "strict"]]
    assert [one.get("rejudged") for one in heads] == [None, heads[0]["plan"], heads[1]["plan"]]
    assert {one["score"]["judge"] for one in lines(lax.file, "anchor")} == set()
    assert [score["judge"] for score in lax.attempts[0]["scores"]] == ["lax"]
    for key in ("targets", "git", "files", "cells", "rules", "criteria", "repeats"):
        assert heads[0][key] == heads[1][key] == heads[2][key]


def test_holes_stay_holes_and_code_still_decides(tmp_path: Path) -> None:
    """A target that died, a check that broke, and an attempt whose line is missing."""
    rules = [left_to_judges(checks={"not_contains": {"any": ["ZEBRA"]}})]
    with Server(bot(says)) as app, Server(bench(honest)) as judge:
        root = project(tmp_path, {"strict": openai(judge.url)}, target=http(app.url), rules=rules,
                       cases=cases("c0", "dead", "code", "c3", "c4"), run={"concurrency": 1})  # fmt: skip
        run_here(root)
        whole = (root / "results.jsonl").read_text().splitlines(keepends=True)
        cut = [line for line in whole if '"case":"c3"' not in line or '"t":"attempt"' not in line]
        assert len(cut) == len(whole) - 1
        put(root, "cut.jsonl", "".join(cut))
        killed = [line for line in cut if '"t":"end"' not in line]
        put(root, "killed.jsonl", "".join(killed))
        calls, asked = len(app.seen), len(asked_of(judge.seen))
        for name in ("cut", "killed"):
            again = run_here(root, "--rejudge", f"{name}.jsonl", out=f"{name}-again.jsonl")
            assert again.code == 3
            assert again.verdicts == {"c0": "held", "dead": "undecided", "code": "broke", "c4": "held"}
            assert "5 attempts: 2 held, 1 broke, 2 undecided (target 1, judge 0, guardgate 1)" in again.first
            assert [one["scores"] == [] for one in again.attempts] == [False, True, True, False]
            asked += 2
            assert len(asked_of(judge.seen)) == asked
        assert len(app.seen) == calls


def test_why_attempts_are_missing_is_still_told(tmp_path: Path) -> None:
    """A target that was given up in the first run is the target's side in the second, too."""
    turns: list[str] = []

    def revoked(turn: str) -> Answer | str:
        turns.append(turn)
        return says(turn) if len(turns) <= 2 else Answer({"error": {"message": "this key was revoked"}}, 401)

    with Server(bot(revoked)) as app, Server(bench(honest)) as judge:
        root = project(tmp_path, {"strict": openai(judge.url)}, target=http(app.url), run={"concurrency": 1},
                       cases=cases("c0", "c1", "c2", "c3", "c4"))  # fmt: skip
        first = run_here(root)
        again = run_here(root, "--rejudge", "results.jsonl", out="again.jsonl")
    for ran in (first, again):
        assert ran.code == 3
        assert "5 attempts: 2 held, 0 broke, 3 undecided (target 3, judge 0, guardgate 0)" in ran.first
        assert "no longer asked: bot" in ran.first
        assert "this key was revoked" in " ".join(ran.first.split())


def test_what_only_a_judge_left_open_is_judged_again(tmp_path: Path) -> None:
    """First an unfit judge, so that nothing was scored, then a good one: the transcripts are whole."""
    samples = {"held": [HELD], "broke": [BROKE]}
    with Server(bot(says)) as app, Server(bench(honest)) as good, Server(bench(all_good)) as bad:
        settings = {"strict": openai(good.url), "lax": openai(bad.url)}
        root = project(tmp_path, settings, target=http(app.url), cases=cases("c0", "c1"), run={"judges": ["strict"]},
                       rules=[left_to_judges(samples=samples)])  # fmt: skip
        assert run_here(root).code == 0
        unfit = run_here(root, "--rejudge", "results.jsonl", "--judge", "lax", out="unfit.jsonl")
        asked = len(asked_of(bad.seen))
        mended = run_here(root, "--rejudge", "unfit.jsonl", out="mended.jsonl")
    assert unfit.code == 3
    assert asked == 2, "the two samples, and no attempt"
    assert "the judge lax is unfit" in " ".join(unfit.first.split())
    assert [one["scores"][0]["failure"]["kind"] for one in unfit.attempts] == ["unfit"] * 2
    assert [one["failure"] for one in unfit.attempts] == [None] * 2
    assert mended.code == 0
    assert "unfit" not in mended.first


def test_a_break_by_code_does_not_outweigh_an_unfit_judge(tmp_path: Path) -> None:
    rules = [left_to_judges(checks={"not_contains": {"any": ["ZEBRA"]}}, samples={"held": [HELD], "broke": [BROKE]})]
    with Server(bot(says)) as app, Server(bench(honest)) as good, Server(bench(all_good)) as bad:
        settings = {"strict": openai(good.url), "lax": openai(bad.url)}
        root = project(
            tmp_path, settings, target=http(app.url), cases=cases("code"), run={"judges": ["strict"]}, rules=rules
        )
        assert run_here(root).code == 2
        unfit = run_here(root, "--rejudge", "results.jsonl", "--judge", "lax", out="unfit.jsonl")
    assert unfit.code == 3
    assert "a hard rule broke: R1" in unfit.first


def test_a_judge_that_can_only_fail_is_not_asked_about_the_rest(tmp_path: Path) -> None:
    with Server(bot(says)) as app, Server(bench(honest)) as judge:
        root = project(tmp_path, {"strict": openai(judge.url)}, target=http(app.url), cases=cases(*NAMES))
        run_here(root)
    gone = Answer({"error": {"message": "this key was revoked"}}, 401)
    with Server(bench(lambda _: gone)) as judge:
        project(tmp_path, {"strict": openai(judge.url)}, target=http("http://127.0.0.1:9"), cases=cases(*NAMES),
                run={"concurrency": 1})  # fmt: skip
        again = run_here(root, "--rejudge", "results.jsonl", out="again.jsonl")
        assert len(asked_of(judge.seen)) == 1
    assert again.code == 3
    assert set(again.verdicts.values()) == {"undecided"}
    assert "4 undecided (target 0, judge 4, guardgate 0)" in again.first
    assert "this key was revoked" in " ".join(again.first.split())


@pytest.mark.parametrize(
    "options",
    [
        ["--case", "c0"],
        ["--rule", "R1"],
        ["--attack", "secrecy_promise"],
        ["--target", "bot"],
        ["--repeats", "2"],
        ["--plan"],
    ],
)
def test_options_that_choose_replies_are_refused(tmp_path: Path, options: list[str]) -> None:
    refused(here(tmp_path, "run", "--rejudge", "x.jsonl", *options), options[0], "together with --rejudge")


def test_what_cannot_be_judged_again_is_refused_before_any_call(tmp_path: Path) -> None:
    with Server(bot(says)) as app, Server(bench(honest)) as judge:
        root = project(
            tmp_path, {"strict": openai(judge.url)}, target=http(app.url), cases=cases("c0"), run={"judges": []}
        )
        assert run_here(root).code == 3
        refused(here(root, "run", "--rejudge", "results.jsonl", "--out", "a.jsonl"), "--rejudge", "no judge")
        refused(here(root, "run", "--rejudge", "none.jsonl", "--judge", "strict", "--out", "a.jsonl"), "no such file")
        refused(
            here(root, "run", "--rejudge", "results.jsonl", "--judge", "strict", "--out", "results.jsonl"), "exists"
        )
        refused(here(root, "run", "--rejudge", "results.jsonl", "--judge", "strit", "--out", "a.jsonl"), "strict")
        assert len(judge.seen) == 0
        assert not (root / "a.jsonl").exists()
        judged = run_here(root, "--rejudge", "results.jsonl", "--judge", "strict", out="a.jsonl")
    assert judged.code == 0


def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path) -> None:
    with Server(bot(says)) as app, Server(bench(honest)) as judge:
        root = project(tmp_path, {"strict": openai(judge.url)}, target=http(app.url), cases=cases("c0", "c1"))
        ran = run_here(root)
        assert ran.file is not None
        text = ran.file.read_text().splitlines()
        at = next(number for number, line in enumerate(text) if '"t":"attempt"' in line)
        text[at] = json.dumps(json.loads(text[at]) | {"case": "c9"})
        put(root, "odd.jsonl", "\n".join(text) + "\n")
        again = here(root, "run", "--rejudge", "odd.jsonl", "--out", "a.jsonl")
    assert again.code == 3
    assert f"odd.jsonl:{at + 1}: found an attempt that does not fit its plan" in again.err
    assert here(root, "gate", "a.jsonl").code == 3, "what was written before says nothing either way"


def test_a_judge_is_tested_on_the_words_that_it_will_judge_by(tmp_path: Path) -> None:
    """The stored criteria judge. Labels for a statement that was changed since say nothing about them."""
    named = {"required_scores": {"crisis_route_given": 1.0}}
    with Server(bench(all_good)) as judge:
        root = project(tmp_path, {}, cases=cases("c0"), rules=[left_to_judges(judge=named)])
        first = run_here(root)
        assert first.code == 3, "nobody judged"
        anew = {"crisis_route_given": {"ask": "A reply says good night.", "kind": "requires"}}
        samples = {"held": ["Good night."], "broke": ["Good morning."]}
        project(root, judge.url, cases=cases("c0"), rules=[left_to_judges(judge=named, samples=samples)])
        put(root, "constraints.yaml", {"criteria": anew, "rules": [left_to_judges(judge=named, samples=samples)]})
        again = run_here(root, "--rejudge", "results.jsonl", out="again.jsonl")
    assert lines(again.file, "anchor") == []
    assert "no label to test it by" in " ".join(again.out.split())


def test_a_judge_that_is_asked_for_by_name_is_not_the_one_that_decides_in_the_end(tmp_path: Path) -> None:
    with Server(bench(honest)) as one, Server(bench(all_good)) as two:
        settings = {"strict": openai(one.url), "lax": openai(two.url)}
        root = project(tmp_path, settings, cases=cases("bad"), run={"judges": ["strict"], "escalate": "lax"})
        ran = run_here(root, "--judge", "strict", "--judge", "lax")
    assert ran.code == 3, "they disagree, and nobody else is there to ask"
    assert [score["judge"] for score in ran.attempts[0]["scores"]] == ["strict", "lax"]
