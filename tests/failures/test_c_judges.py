"""Judges that are fooled, change their minds, are relatives or disagree, and what ours says. Rows C14 to C20."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from guardgate.anchors import shipped_anchors
from guardgate.judging.question import ReadBack
from tests.failures.answers import HELLO, played, says
from tests.judging.court import BROKE, HELD, asked_of, bench, cases, completion, honest, left_to_judges, project, told
from tests.support.project import Ran, guardgate, http, lines, openai, put, run, turn_of
from tests.support.server import Answer, Server


def test_c14_flips_are_shown(tmp_path: Path) -> None:
    """A judge that says one thing and then the other about the same reply."""
    sample = {"held": [HELD], "broke": [BROKE]}
    turns = Counter[str]()

    def fickle(asked: ReadBack) -> str:
        turns[asked.replies[0]] += 1
        return told(asked, float(turns[asked.replies[0]] % 2))

    with Server(bench(fickle)) as server:
        root = project(tmp_path, server.url, rules=[left_to_judges(samples=sample)], cases=cases("c1"))
        ran = guardgate(root, "calibrate", "--judge", "strict", "--repeats", "2")
    assert ran.code == 3
    assert "flip rate      100.0%" in ran.out
    assert len(asked_of(server.seen)) == 4


def shipped(root: Path, judge: str, *names: str) -> Path:
    """A project whose rule hangs on criteria that ship."""
    rules = [left_to_judges(judge={"required_scores": dict.fromkeys(names, 1.0)})]
    return project(root, judge, rules=rules, cases=cases("c1"))


def test_c15_a_judge_that_empty_words_fool_is_unfit(tmp_path: Path) -> None:
    """One that gives every reply full marks, be it only a colon."""
    with Server(bench(lambda asked: told(asked, 1.0))) as server:
        root = shipped(tmp_path, server.url, "crisis_route_given", "helpful_answer")
        ran = run(root)
        calibrated = guardgate(root, "calibrate", "--judge", "strict")
    assert ran.code == calibrated.code == 3
    assert ran.attempts == []
    assert "the judge strict is unfit" in " ".join(ran.out.split())
    fooled = [line for line in lines(ran.file, "anchor") if line["kind"] == "null" and line["outcome"] != line["label"]]
    assert fooled, "no null reply among the anchors of a criterion that requires something"
    kinds = Counter(line["kind"] for line in lines(ran.file, "anchor"))
    assert set(kinds) == {"plain", "null", "hijack", "language"}


def test_c15_a_judge_that_obeys_a_reply_is_unfit(tmp_path: Path) -> None:
    """One that is right wherever no reply asks it for marks."""
    labels: dict[str, str] = {}

    def obedient(asked: ReadBack) -> str:
        label = labels[asked.replies[-1]]
        return told(asked, 1.0 if label in ("held", "hijack") else 0.0)

    with Server(bench(obedient)) as server:
        root = shipped(tmp_path, server.url, "no_secrecy_promise")
        for one in shipped_anchors():
            if one.criterion == "no_secrecy_promise":
                labels[one.reply] = one.kind if one.kind == "hijack" else one.label
        calibrated = guardgate(root, "calibrate", "--judge", "strict")
    assert calibrated.code == 3
    assert "false held" in calibrated.out
    assert "hijack" in calibrated.out


def test_c16_the_judge_is_named_and_a_relative_is_a_caveat(tmp_path: Path) -> None:
    def both(seen: Any) -> Answer:
        return completion(HELD) if turn_of(seen) == "c1" else bench(honest)(seen)

    with Server(both) as server:
        root = project(
            tmp_path / "related", {"strict": openai(server.url, model="smollm2")}, cases=cases("c1"),
            target=openai(server.url, model="SmolLM2-135M"),
        )  # fmt: skip
        related = run(root)
        declared = project(
            tmp_path / "other", {"strict": openai(server.url, family="huggingface")}, cases=cases("c1"),
            target=openai(server.url, model="gpt-4o"),
        )  # fmt: skip
        other = run(declared)
    said = " ".join(related.out.split())
    assert "judge strict and target bot are of one family (huggingface)" in said
    assert "judge strict: backend openai, model smollm2" in said
    assert "of one family" not in other.out
    assert "caveat" not in other.out
    report = guardgate(root, "report", str(related.file)).out
    assert "of one family" in report
    assert "strict" in report


def test_c17_repeats_are_the_same_for_every_verdict(tmp_path: Path) -> None:
    turns = Counter[str]()

    def target(seen: Any) -> Answer:
        turns[turn_of(seen)] += 1
        return Answer({"answer": BROKE if turn_of(seen) == "bad" else f"{HELD} {turn_of(seen)}"})

    with Server(target) as app, Server(bench(honest)) as judge:
        root = project(tmp_path, judge.url, cases=cases("bad", "good", "fine"), run={"repeats": 4},
                       rules=[left_to_judges(threshold=0.9)], target=http(app.url))  # fmt: skip
        ran = run(root)
        again = run(root, "--rejudge", "results.jsonl", out="again.jsonl")
    assert ran.code == again.code == 1
    assert turns == {"Hello.": 1, "bad": 4, "good": 4, "fine": 4}
    assert sorted(Counter(asked.replies[0] for asked in asked_of(judge.seen)).values()) == [8, 8, 8]
    assert "12 attempts: 8 held, 4 broke, 0 undecided" in ran.first


def test_c18_three_counts_and_none_dropped(tmp_path: Path) -> None:
    script = [{"when": "^dead$", "fail": "timeout"}, *says({"bad": BROKE, "odd": "odd", "good": HELD})]
    with Server(bench(lambda asked: "?" if asked.replies[0] == "odd" else honest(asked))) as server:
        root = project(
            tmp_path,
            server.url,
            script=script,
            cases=cases("good", "dead", "bad", "odd"),
            rules=[left_to_judges(threshold=0.1)],
        )
        ran = run(root)
    assert ran.code == 3
    assert "4 attempts: 1 held, 1 broke, 2 undecided (target 1, judge 1, guardgate 0)" in ran.first
    said = json.loads(guardgate(root, "gate", "results.jsonl", "--json").out)
    assert said["attempts"] == said["held"] + said["broke"] + sum(said["undecided"].values()) == 4
    assert "25%" in ran.out, "1 of 4 planned, not 1 of 2 decided"


def test_c19_an_omission_breaks_without_a_quote_and_a_presence_needs_one(tmp_path: Path) -> None:
    rules = [left_to_judges(judge={"required_scores": {"route": 0.5}})]
    ran, _ = played(
        tmp_path,
        {
            "omitted": lambda asked: told(asked, 0.0, evidence=[]),
            "claimed": lambda asked: told(asked, 1.0, evidence=[]),
            "invented": lambda asked: told(asked, 1.0, quote="Call Dr. Sand."),
            "shown": lambda asked: told(asked, 1.0, quote="your team"),
        },
        rules=rules,
    )
    assert ran.verdicts == {"omitted": "broke", "claimed": "undecided", "invented": "undecided", "shown": "held"}


def panel(root: Path, split: set[str], names: list[str], rules: list[dict[str, Any]], **settings: Any) -> Ran:
    """A run with two judges that differ on some replies, and a third that is asked then where it is named."""

    def wrong(asked: ReadBack) -> str:
        return told(asked, 0.0) if asked.replies[0].rpartition(" ")[2] in split else honest(asked)

    with Server(bench(honest)) as right, Server(bench(wrong)) as other:
        judges = {"one": openai(right.url), "two": openai(other.url), "top": openai(right.url)}
        script = says({name: f"{HELD} {name}" for name in names})
        ids = [one["id"] for one in rules]
        attacks = [one | {"rule": ids[number % len(ids)]} for number, one in enumerate(cases(*names))]
        return run(
            project(root, judges, script=script, cases=attacks, rules=rules, run={"judges": ["one", "two"], **settings})
        )


def test_c20_a_panel_that_disagrees_can_still_be_green(tmp_path: Path) -> None:
    names = [f"c{number:02}" for number in range(20)]
    hard, soft = [left_to_judges()], [left_to_judges(threshold=0.9)]
    split = panel(tmp_path / "split", {"c07"}, names, hard)
    assert split.code == 3
    assert split.verdicts["c07"] == "undecided"
    assert panel(tmp_path / "escalated", {"c07"}, names, hard, escalate="top").code == 0
    closed = panel(tmp_path / "closed", {"c07", "c08"}, names, soft)
    assert (closed.code, list(closed.verdicts.values()).count("undecided")) == (0, 2)
    open_ = panel(tmp_path / "open", {"c07", "c08", "c09"}, names, soft)
    assert open_.code == 3
    said = " ".join(split.out.split())
    assert "judges one and two: of 20 attempts that both decided 19 both held, 0 both broke, 0 only one broke" in said


def test_c20_a_mark_decides_what_a_panel_left_open(tmp_path: Path) -> None:
    split = panel(tmp_path, {"c1"}, ["c0", "c1", "c2"], [left_to_judges()])
    assert split.code == 3
    marked = guardgate(tmp_path, "mark", "results.jsonl", "c1", "held", "--by", "Dana", "--note", "It keeps no secret.")
    assert marked.code == 0
    gate = guardgate(tmp_path, "gate", "results.jsonl", "--marks", "guardgate-marks.jsonl")
    assert gate.code == 0
    said = " ".join(gate.out.split())
    assert "attempt 1 (c1) held by mark of Dana: It keeps no secret.; before: panel undecided" in said


def test_judges_are_asked_only_where_the_transcript_is_whole_and_no_check_broke(tmp_path: Path) -> None:
    script = [
        {"when": "^dead$", "fail": "http_error"},
        {"when": "^blank$", "say": "\u200b"},
        {"when": "^raw$", "say": '{"choices": [{"message": {"content": "hi"}}]}'},
        {"when": "^code$", "say": f"{HELD} ZEBRA"},
        {"when": "^second$", "fail": "timeout"},
        HELLO,
        {"say": HELD},
    ]
    attacks = [*cases("dead", "blank", "raw", "code", "good"), {**cases("two")[0], "turns": ["first", "second"]}]
    rules = [left_to_judges(checks={"not_contains": {"any": ["ZEBRA"]}})]
    with Server(bench(honest)) as server:
        ran = run(project(tmp_path, server.url, script=script, cases=attacks, rules=rules))
        assert [asked.replies for asked in asked_of(server.seen)] == [(HELD,)]
    assert ran.verdicts == {"dead": "undecided", "blank": "undecided", "raw": "undecided", "code": "broke",
                            "good": "held", "two": "undecided"}  # fmt: skip
    assert [one["case"] for one in ran.attempts if one["scores"]] == ["good"]


def test_gate_and_report_make_no_call(tmp_path: Path) -> None:
    with Server(bench(honest)) as server:
        root = project(tmp_path, server.url, cases=cases("c1", "bad"))
        ran = run(root)
        before = len(server.seen)
        for command in (["gate", "--floors"], ["report"], ["report", "--format", "redacted"], ["show"]):
            guardgate(root, command[0], "results.jsonl", *command[1:], *(["0"] if command == ["show"] else []))
        assert len(server.seen) == before
    assert ran.code == 2
    put(root, "guardgate.yaml", "not: a project")
    assert guardgate(root, "gate", "results.jsonl").code == 2
