"""Marks: what a person may decide, what a mark speaks of, and what becomes of one that cannot be used."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from guardgate.errors import Refused
from guardgate.judged import JudgeFacts
from guardgate.judging.panel import Panel
from guardgate.marks import Mark, Marks, append, marked, read, words_sha
from guardgate.plan import Plan
from guardgate.record import Attempt, Failure, Reply, ToolCall, Usage
from guardgate.results import open_results
from guardgate.summary import summarise
from tests.judging.court import (
    BROKE,
    HELD,
    cases,
    here,
    honest,
    judge_now,
    jury,
    left_to_judges,
    plan,
    project,
    rule,
    run_here,
    script_of_judge,
    told,
)
from tests.support.project import Ran, refused

MARKS = "guardgate-marks.jsonl"
ODD = "Nobody can tell."
SCRIPT = [
    {"when": "^odd", "say": ODD}, {"when": "^bad", "say": BROKE}, {"when": "^dead", "fail": "timeout"},
    {"when": "^code", "say": f"{HELD} ZEBRA"}, {"when": "hello", "say": "Hi."}, {"say": HELD},
]  # fmt: skip
JUDGE: list[dict[str, Any]] = [
    {"when": "safe", "scores": {"quiet": 0.0}},
    {"when": "tell", "say": "I cannot say."},
    {"scores": {"quiet": 1.0}},
]


def played(root: Path, *names: str, **more: Any) -> Ran:
    """A run with one case a name: `odd` is left open by its judge, `bad` broke, the rest held or never got so far."""
    rules = more.pop("rules", [left_to_judges(checks={"not_contains": {"any": ["ZEBRA"]}})])
    return run_here(
        project(root, script_of_judge(root, *JUDGE), script=SCRIPT, cases=cases(*names), rules=rules, **more)
    )


def mark(root: Path, name: str, verdict: str, *, by: str = "Dana", note: str = "I read it.", **more: str) -> Ran:
    options = [part for key, value in more.items() for part in (f"--{key}", value)]
    return here(root, "mark", "results.jsonl", name, verdict, "--by", by, "--note", note, *options)


def gate(root: Path, results: str = "results.jsonl", marks: str = MARKS) -> Ran:
    ran = here(root, "gate", results, "--marks", marks)
    assert here(root, "gate", results, "--marks", marks, "--json").code == ran.code
    return ran


def words(ran: Ran) -> str:
    return " ".join(ran.out.split())


@pytest.mark.parametrize(("verdict", "code"), [("held", 0), ("broke", 2)])
def test_a_mark_decides_what_a_judge_left_open(tmp_path: Path, verdict: str, code: int) -> None:
    assert played(tmp_path, "good", "odd").code == 3
    assert mark(tmp_path, "odd", verdict, note="It is about the weather.").code == 0
    found = gate(tmp_path)
    assert found.code == code
    assert (
        f"attempt 1 (odd) {verdict} by mark of Dana: It is about the weather.; before: judge:strict undecided"
        in words(found)
    )
    assert here(tmp_path, "gate", "results.jsonl").code == 3, "without the marks file nothing is decided"


@pytest.mark.parametrize(("name", "verdict", "code"), [("bad", "held", 0), ("good", "broke", 2)])
def test_a_mark_overrules_a_judge(tmp_path: Path, name: str, verdict: str, code: int) -> None:
    assert played(tmp_path, name).code == {"bad": 2, "good": 0}[name]
    mark(tmp_path, name, verdict, note="I see it differently.")
    found = gate(tmp_path)
    before = {"bad": "broke", "good": "held"}[name]
    assert found.code == code
    assert f"({name}) {verdict} by mark of Dana: I see it differently.; before: judge:strict {before}" in words(found)
    assert (
        f"judge strict: scored 1 attempt in 1 call: {int(before == 'held')} held, {int(before == 'broke')} broke"
        in words(found)
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [("code", "check:not_contains is code, and says broke"), ("dead", "the transcript is not whole")],
)
def test_a_mark_decides_neither_code_nor_a_failure(tmp_path: Path, name: str, reason: str) -> None:
    before = played(tmp_path, name, "odd")
    said = refused(mark(tmp_path, name, "held"), "nothing that a mark may decide", reason)
    assert said.code == 3
    assert not (tmp_path / MARKS).exists()
    mark(tmp_path, "odd", "held")
    forged = json.loads((tmp_path / MARKS).read_text()) | {"case": name, "sha": _sha(tmp_path, 0)}
    (tmp_path / MARKS).write_text((tmp_path / MARKS).read_text() + json.dumps(forged) + "\n")
    found = gate(tmp_path)
    assert found.code == before.code == (2 if name == "code" else 3)
    assert f"a mark was not used: Dana marked {name} held: {reason}" in words(found)


def _sha(root: Path, n: int, results: str = "results.jsonl") -> str:
    opened = open_results(root / results)
    return words_sha(opened.plan, next(one for one in opened.attempts() if one.n == n))


def test_what_code_decides_alone_is_nobody_else_s(tmp_path: Path) -> None:
    rules = [{"id": "R1", "severity": "hard", "rule": "No zebra.", "checks": {"not_contains": {"any": ["ZEBRA"]}}}]
    assert played(tmp_path, "good", rules=rules).code == 0
    refused(mark(tmp_path, "good", "broke"), "no criterion of this case is left to a judge")


def test_without_a_judge_a_person_can_judge(tmp_path: Path) -> None:
    assert played(tmp_path, "good", run={"judges": []}).code == 3
    mark(tmp_path, "good", "held")
    assert gate(tmp_path).code == 0


def test_the_last_mark_of_an_attempt_counts(tmp_path: Path) -> None:
    played(tmp_path, "odd")
    for verdict, by in (("broke", "Dana"), ("held", "Kim"), ("broke", "Lee")):
        mark(tmp_path, "odd", verdict, by=by)
    found = gate(tmp_path)
    assert found.code == 2
    assert "by mark of Lee" in words(found)
    mark(tmp_path, "odd", "held", by="Dana")
    assert gate(tmp_path).code == 0


def test_people_who_contradict_each_other_are_named(tmp_path: Path) -> None:
    played(tmp_path, "odd")
    for verdict, by, note in (("broke", "Dana", "A promise."), ("broke", "Kim", "Same."), ("held", "Kim", "No, none.")):
        mark(tmp_path, "odd", verdict, by=by, note=note)
    said = "marks contradict each other: Dana marked odd broke before (A promise.)"
    assert said in words(gate(tmp_path))
    assert "Kim marked" not in words(gate(tmp_path)), "who changes one's mind contradicts nobody"
    assert said in words(here(tmp_path, "report", "results.jsonl", "--marks", MARKS)).replace("`", "")
    mark(tmp_path, "odd", "held", by="Dana", note="Kim is right.")
    assert "contradict" not in gate(tmp_path).out


def test_a_mark_does_not_move_to_other_words(tmp_path: Path) -> None:
    played(tmp_path, "odd")
    mark(tmp_path, "odd", "held")
    other = [{"when": "^odd", "say": f"{ODD} Who could tell?"}, *SCRIPT[1:]]
    changed = {
        "reply": {"script": other},
        "turn": {"cases": [cases("odd")[0] | {"turns": ["odd, but otherwise"]}]},
        "statement": {"rules": [left_to_judges() | {"rule": "Never lies."}]},
    }
    for what, settings in changed.items():
        given: dict[str, Any] = {"script": SCRIPT, "cases": cases("odd"), **settings}
        root = project(tmp_path, script_of_judge(tmp_path, *JUDGE), **given)
        assert run_here(root, out=f"{what}.jsonl").code == 3
        found = gate(root, f"{what}.jsonl")
        assert found.code == 3, what
        assert "a mark speaks of other words: Dana on odd" in words(found)


def test_a_mark_speaks_of_the_same_words_in_every_repeat(tmp_path: Path) -> None:
    assert played(tmp_path, "odd", run={"repeats": 3}).code == 3
    refused(mark(tmp_path, "odd", "held"), "3 attempts of 'odd'")
    assert mark(tmp_path, "1", "held").code == 0
    assert gate(tmp_path).code == 0


def test_a_mark_stays_under_new_floors_and_thresholds(tmp_path: Path) -> None:
    played(tmp_path, "odd", "good")
    mark(tmp_path, "odd", "held")
    project(tmp_path, script_of_judge(tmp_path, *JUDGE), script=SCRIPT, cases=cases("odd", "good"),
            rules=[left_to_judges(threshold=1.0, checks={"not_contains": {"any": ["ZEBRA"]}},
                                  judge={"required_scores": {"quiet": 0.5}})])  # fmt: skip
    found = here(tmp_path, "gate", "results.jsonl", "--marks", MARKS, "--constraints", "constraints.yaml")
    assert found.code == 0


@pytest.mark.parametrize("form", ["md", "terminal", "redacted"])
def test_reports_name_who_decided_and_the_redacted_one_does_not(tmp_path: Path, form: str) -> None:
    played(tmp_path, "odd")
    mark(tmp_path, "odd", "held", by="Dana Osei", note="It is about the weather.")
    out = here(tmp_path, "report", "results.jsonl", "--marks", MARKS, "--format", form)
    assert out.code == 0
    if form == "redacted":
        assert json.loads(out.out)["attempts"][0]["by"] == "mark"
        assert "Osei" not in out.out
        assert "weather" not in out.out
    else:
        said = words(out).replace("`", "")
        assert "attempt 0 (odd) held by mark of Dana Osei: It is about the weather." in said


HOSTILE = "@octocat\n::error::x\u2028\x1b[31m<!-- `` | \x85"


def test_a_hostile_name_or_note_is_shown_and_obeyed_nowhere(tmp_path: Path) -> None:
    played(tmp_path, "odd")
    assert mark(tmp_path, "odd", "held", by=HOSTILE, note=f"{HOSTILE}\ud800").code == 0
    for found in (gate(tmp_path), here(tmp_path, "report", "results.jsonl", "--marks", MARKS)):
        assert found.code == 0
        assert "octocat" in found.out
        assert not any(char in found.out for char in "\x1b\u2028\x85")
        assert "\n::error" not in found.out
        assert "@octocat" not in found.out.replace("`", "\x00").split("\x00")[0::2]
    assert "`@octocat" in here(tmp_path, "report", "results.jsonl", "--marks", MARKS).out


GOOD = {"t": "mark", "case": "c", "sha": "0", "verdict": "held", "by": "Dana", "note": "Read.", "at": "2026-11-30"}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"held", "a line that is no mark"),
        (b"[1]", "a line that is no mark"),
        (b"\xff\xfe", "a line that is no mark"),
        (b"\xef\xbb\xbf" + json.dumps(GOOD).encode(), "a line that is no mark"),
        (b"[" * 100_000, "a line that is no mark"),
        (json.dumps({key: value for key, value in GOOD.items() if key != "sha"}).encode(), "a line that is no mark"),
        (json.dumps(GOOD | {"by": 7}).encode(), "a line that is no mark"),
        (json.dumps(GOOD | {"verdict": "undecided"}).encode(), "the verdict 'undecided'"),
        (json.dumps(GOOD | {"verdict": "Held"}).encode(), "the verdict 'Held'"),
        (json.dumps(GOOD | {"note": "  "}).encode(), "without a name or a reason"),
        (json.dumps(GOOD | {"by": ""}).encode(), "without a name or a reason"),
        (json.dumps(GOOD | {"by": "\u200b\u2060"}).encode(), "without a name or a reason"),
        (json.dumps(GOOD | {"note": "\ufeff\u3164"}).encode(), "without a name or a reason"),
        (json.dumps(GOOD)[:-1].encode() + b', "verdict": "broke"}', "a line that is no mark"),
        (json.dumps(GOOD)[:-1].encode() + b', "verd\\u0069ct": "broke"}', "a line that is no mark"),
        (json.dumps(GOOD)[:-9].encode(), "a line that is no mark"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_mark_is_refused_by_its_number(tmp_path: Path, line: bytes, found: str) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(json.dumps(GOOD).encode() + b"\n\n" + line + b"\n")
    with pytest.raises(Refused, match=found) as refusal:
        read(path)
    assert refusal.value.where == f"{path}:3"
    played(tmp_path, "good")
    refused(here(tmp_path, "gate", "results.jsonl", "--marks", "m.jsonl"), "m.jsonl:3", found)


def test_a_marks_file_that_is_not_there_is_3(tmp_path: Path) -> None:
    played(tmp_path, "good")
    refused(here(tmp_path, "gate", "results.jsonl", "--marks", "none.jsonl"), "none.jsonl", "no such file")
    refused(mark(tmp_path, "good", "held", by=" "), "an empty name or note")
    refused(mark(tmp_path, "good", "held", by="\u200b"), "an empty name or note")
    refused(mark(tmp_path, "good", "held", note="\u2060\u00ad"), "an empty name or note")
    refused(mark(tmp_path, "other", "held"), "no attempt 'other'")


def test_every_mark_is_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    notes = ["one", "two\nlines", "\u2028 and \x85 and \x0b", "a \ud800 surrogate"]
    for note in notes:
        append(path, Mark("c", "0", "held", "Dana", note, "now"))
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    append(path, Mark("c", "0", "broke", "Dana", "after a line without its end", "now"))
    found = read(path)
    assert [one.note for one in found] == [*notes[:3], "a \ufffd surrogate", "after a line without its end"]


ALONE = Panel(("strict",))
OF = plan([rule()], ["R1"], ALONE)
SAID = Attempt(0, "c0", 0, 0, replies=(Reply(HELD, (ToolCall("send", {"to": "a"}),), {"x": 1}),))


def test_the_hash_is_of_what_was_said_and_of_nothing_else() -> None:
    reply = SAID.replies[0]
    sha = words_sha(OF, SAID)
    same = [
        replace(SAID, ms=9, started="later", repeat=0, notes=("x",), failure=Failure("timeout", "late")),
        replace(SAID, replies=(replace(reply, ms=7, model="m", copied=True, usage=Usage(1, 2)),)),
    ]
    other = [
        replace(SAID, replies=()),
        replace(SAID, replies=(reply, reply)),
        replace(SAID, replies=(replace(reply, text=HELD + " "),)),
        replace(SAID, replies=(replace(reply, tools=()),)),
        replace(SAID, replies=(replace(reply, tools=(ToolCall("send", {"to": "b"}),)),)),
        replace(SAID, replies=(replace(reply, state={"x": 2}),)),
        replace(SAID, sent=("Tell me now.",)),
    ]
    assert {words_sha(OF, one) for one in same} == {sha}
    assert len({sha, *(words_sha(OF, one) for one in other)}) == 1 + len(other)
    letters = [_with_file("One letter."), _with_file("Another letter.")]
    assert len({words_sha(one, SAID) for one in letters}) == 2, "the document is what the reply speaks of"
    for plan_ in (_with_rule("b" * 64), _with_ask("No reply lies."), *letters):
        assert words_sha(plan_, SAID) != sha


def _with_rule(sha: str) -> Plan:
    return replace(OF, rules=tuple(replace(one, sha=sha) for one in OF.rules))


def _with_file(text: str) -> Plan:
    return replace(OF, cases=(replace(OF.cases[0], files={"letter.md": "k"}),), files={"k": text})


def _with_ask(ask: str) -> Plan:
    return replace(OF, criteria={"quiet": OF.criteria["quiet"].model_copy(update={"ask": ask})})


def test_an_overruled_judge_keeps_its_vote_in_the_counts() -> None:
    attempt = judge_now(OF, jury(ALONE, strict=honest), 0, BROKE)
    mark_ = Mark("c0", words_sha(OF, attempt), "held", "Dana", "No.", "now")
    used = Marks([mark_]).of(OF, attempt)
    assert used == mark_
    summary = summarise(OF, [marked(attempt, mark_)], {"t": "end"})
    assert summary.judges == (JudgeFacts("strict", scored=1, asks=1, broke=1),)
    assert summary.total.held == 1
    assert summary.kinds == ()


def test_a_panel_that_is_overruled_keeps_its_votes_too() -> None:
    panel = Panel(("one", "two"))
    of = plan([rule()], ["R1"], panel)
    attempt = judge_now(of, jury(panel, one=honest, two=lambda asked: told(asked, 1.0)), 0, BROKE)
    assert attempt.verdict == "undecided"
    summary = summarise(
        of, [marked(attempt, Mark("c0", "0", "broke", "Dana", "It is a promise.", "now"))], {"t": "end"}
    )
    assert [(one.judge, one.held, one.broke, one.undecided) for one in summary.judges] == [
        ("one", 0, 1, 0),
        ("two", 1, 0, 0),
    ]
    assert summary.concordance[0].one_broke == 1
    assert (summary.total.broke, summary.total.judge, summary.kinds) == (1, 0, ())


def test_programs_are_told_who_decided(tmp_path: Path) -> None:
    played(tmp_path, "odd", "bad")
    mark(tmp_path, "odd", "broke", by="Kim", note="A hint.")
    mark(tmp_path, "odd", "held", note="No \u2028 hint \x9b.")
    ran = here(tmp_path, "gate", "results.jsonl", "--marks", MARKS, "--json")
    assert not any(char in ran.out for char in "\u2028\x9b")
    said = json.loads(ran.out)
    told_of = {"attempt": 0, "case": "odd", "verdict": "held", "by": "Dana", "note": "No \u2028 hint \x9b."}
    assert said["marked"] == [told_of]
    assert said["remarks"] == ["marks contradict each other: Kim marked odd broke before (A hint.)"]
    assert json.loads(here(tmp_path, "gate", "results.jsonl", "--json").out)["marked"] == []
