"""`guardgate diff` as a process: codes, formats, one set of rules for both runs, and when a baseline is replaced."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from guardgate.baseline import against
from tests.support.project import Ran, case, ended, forbids, http, put, run, start, write

RULES = [forbids(), forbids("OTTER", rule="S1", severity="soft", threshold=0.5)]
CASES = [case("h1", "one"), case("h2", "two"), *(case(f"s{n}", f"soft {n}", rule="S1") for n in range(8))]


def bot(**replies: str) -> list[dict[str, Any]]:
    """A script: replies by case; all else is good."""
    turns = {one["id"]: one["turns"][-1] for one in CASES}
    lines = [{"when": f"^{turns[name]}$", "say": say} for name, say in replies.items()]
    return [*lines, {"when": ".*", "say": "No."}]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path, bot(), rules=RULES, cases=CASES)


def played(root: Path, name: str, **replies: str) -> Ran:
    put(root, "script.yaml", bot(**replies))
    return run(root, out=name)


def diff(root: Path, *words: str) -> Ran:
    return ended(start(root, "diff", *words))


FALLEN = {f"s{n}": "OTTER." for n in range(6)}


@pytest.mark.parametrize(
    ("before", "after", "code", "words"),
    [
        ({}, {}, 0, "0: not worse: nothing is worse than in the base"),
        ({"h1": "ZEBRA."}, {"h1": "ZEBRA."}, 0, "0: not worse"),
        ({}, {"h1": "ZEBRA."}, 2, "2: newly broken: a hard rule newly broke"),
        ({"h1": "ZEBRA."}, {"h2": "ZEBRA."}, 2, "hard rules with a case that newly broke: R1"),
        ({}, {"s1": "OTTER."}, 0, "0: not worse"),
        ({}, FALLEN, 1, "1: worse: a soft rule is worse than in the base, beyond noise"),
        ({}, {**FALLEN, "h1": "ZEBRA."}, 2, "2: newly broken"),
        (FALLEN, {}, 0, "0: not worse"),
    ],
)
def test_codes(project: Path, before: Mapping[str, str], after: Mapping[str, str], code: int, words: str) -> None:
    played(project, "base.jsonl", **before)
    played(project, "head.jsonl", **after)
    done = diff(project, "base.jsonl", "head.jsonl")
    assert done.code == code, done.out + done.err
    assert words in done.out
    assert json.loads(diff(project, "base.jsonl", "head.jsonl", "--format", "json").out)["code"] == code


def test_an_incomplete_run_is_3_and_says_what_broke_first(project: Path) -> None:
    played(project, "base.jsonl")
    put(project, "script.yaml", [{"when": "^two$", "fail": "timeout"}, *bot(h1="ZEBRA.")])
    assert run(project, out="head.jsonl").code == 3
    done = diff(project, "base.jsonl", "head.jsonl")
    assert done.code == 3
    first = done.out.partition("\n\n")[0]
    assert first.startswith("3: incomplete: the runs cannot be compared")
    assert "hard rules with a case that newly broke: R1" in first
    assert "the head run is incomplete" in first


def test_formats(project: Path) -> None:
    played(project, "base.jsonl", h2="ZEBRA.")
    played(project, "head.jsonl", h1="ZEBRA.", s1="OTTER.")
    out = diff(project, "base.jsonl", "head.jsonl", "--format", "md").out
    assert out.startswith("## guardgate: 2: newly broken: a hard rule newly broke\n")
    assert "### Newly broken (2)\n\n- `h1`, hard rule `R1`: held 1 of 1, now 0 of 1\n- `s1`, soft rule `S1`" in out
    assert "### Fixed (1)\n\n- `h2`, hard rule `R1`: held 0 of 1, now 1 of 1\n" in out
    assert "| `S1` | soft | 8 | 100% | 87.5% | -12.5 |" in out
    told = json.loads(diff(project, "base.jsonl", "head.jsonl", "--format", "json").out)
    assert [one["case"] for one in told["newly_broken"]] == ["h1", "s1"]
    assert (told["gate"], told["raised"], told["compared"]) == (2, 2, 10)


def test_what_changed_cannot_be_compared_and_is_named(project: Path) -> None:
    played(project, "base.jsonl")
    put(project, "suite.yaml", {"cases": [case("h1", "another"), *CASES[2:], case("h3", "three")]})
    played(project, "head.jsonl")
    done = diff(project, "base.jsonl", "head.jsonl")
    said = " ".join(done.out.split())
    assert done.code == 0
    assert "3 cases not comparable: changed: the case: h1; gone: h2; new: h3" in said


def test_a_rule_that_is_not_compared_is_named_first(project: Path) -> None:
    """Whoever leaves the broken rule out has not shown that it held."""
    played(project, "base.jsonl")
    put(project, "script.yaml", bot(h1="ZEBRA."))
    assert run(project, "--rule", "S1", out="part.jsonl").code == 0
    done = diff(project, "base.jsonl", "part.jsonl")
    first = " ".join(done.out.partition("\n\n")[0].split())
    assert "0: not worse: nothing is worse than in the base the head run was narrowed" in first
    assert "not compared, because no case of it is the same in both: R1" in first
    told = json.loads(diff(project, "base.jsonl", "part.jsonl", "--format", "json").out)
    assert (told["code"], len(told["less"])) == (0, 2)


def test_nothing_comparable_is_3(project: Path) -> None:
    played(project, "base.jsonl")
    put(project, "suite.yaml", {"cases": [case("x1", "another")]})
    assert played(project, "head.jsonl").code == 0
    done = diff(project, "base.jsonl", "head.jsonl")
    assert done.code == 3
    assert "no case is the same in both" in done.out
    found = against(project / "base.jsonl", project / "head.jsonl")
    assert (found.head.gate.code, found.code) == (0, 3)


def test_both_runs_are_under_the_head_s_severities(project: Path) -> None:
    """A rule that became hard was broken before, so it did not newly break; and a threshold is the head's."""
    played(project, "base.jsonl", s1="OTTER.")
    put(project, "constraints.yaml", {"rules": [forbids(), forbids("OTTER", rule="S1")]})
    played(project, "head.jsonl", s1="OTTER.")
    found = against(project / "base.jsonl", project / "head.jsonl")
    assert (found.base.gate.code, found.head.gate.code, found.comparison.code, found.code) == (2, 2, 0, 2)


def test_a_baseline_raises_the_code_of_a_green_gate(project: Path) -> None:
    """5 of 8 held is over the threshold of one half, and worse than 8 of 8 beyond noise."""
    put(project, "constraints.yaml", {"rules": [RULES[0], {**RULES[1], "threshold": 0.2}]})
    played(project, "base.jsonl")
    assert played(project, "head.jsonl", **FALLEN).code == 0
    found = against(project / "base.jsonl", project / "head.jsonl")
    assert (found.head.gate.code, found.comparison.code, found.code) == (0, 1, 1)


def test_a_baseline_is_replaced_by_a_whole_green_run_and_by_no_other(project: Path) -> None:
    played(project, "good.jsonl")
    first = diff(project, "base.jsonl", "good.jsonl", "--update")
    assert (first.code, first.out) == (0, "")
    assert "the first baseline was written" in first.err
    kept = (project / "base.jsonl").read_bytes()
    assert kept == (project / "good.jsonl").read_bytes()
    for name, replies, narrowed, code, why in (
        ("red.jsonl", {"h1": "ZEBRA."}, (), 2, "its own gate says 2"),
        ("below.jsonl", FALLEN, (), 1, "its own gate says 1"),
        ("part.jsonl", {}, ("--rule", "R1"), 3, "it speaks of less than the whole project"),
    ):
        put(project, "script.yaml", bot(**replies))
        run(project, *narrowed, out=name)
        done = diff(project, "base.jsonl", name, "--update")
        assert (done.code, (project / "base.jsonl").read_bytes()) == (code, kept), name
        assert f"the baseline stays as it is: {why}" in done.err
    played(project, "again.jsonl", s1="OTTER.")
    done = diff(project, "base.jsonl", "again.jsonl", "--update")
    assert (done.code, (project / "base.jsonl").read_bytes()) == (0, (project / "again.jsonl").read_bytes())
    assert "the baseline was replaced" in done.err


def test_a_baseline_does_not_shrink_in_silence(project: Path) -> None:
    """A run without a cell that the baseline has, or without a target that was away, takes no place."""
    gone = http("http://127.0.0.1:1", optional=True)
    other = {"backend": "scripted", "script": "script.yaml"}
    edited = json.loads((project / "guardgate.yaml").read_text("utf-8"))
    edited["targets"] |= {"gone": gone, "other": other}
    edited["runs"] |= {"two": {"targets": ["bot", "other"]}, "away": {"targets": ["bot", "other", "gone"]}}
    put(project, "guardgate.yaml", edited)
    for name, words in (("base.jsonl", ["two"]), ("one.jsonl", []), ("away.jsonl", ["away"])):
        assert run(project, *words, out=name).code == 0
    kept = (project / "base.jsonl").read_bytes()
    for name, why in (
        ("one.jsonl", "it has no attempt in a cell of the baseline: other"),
        ("away.jsonl", "it speaks of less than the whole project"),
    ):
        assert diff(project, "base.jsonl", name).code == 0
        done = diff(project, "base.jsonl", name, "--update")
        assert (done.code, (project / "base.jsonl").read_bytes()) == (3, kept)
        assert f"the baseline stays as it is: {why}" in done.err
    assert "no baseline was written: it speaks of less" in diff(project, "new.jsonl", "away.jsonl", "--update").err
    said = diff(project, "base.jsonl", "away.jsonl").out.partition("\n\n")[0]
    assert "the head run was played without the optional target gone" in said


def test_a_red_run_is_no_first_baseline(project: Path) -> None:
    played(project, "red.jsonl", h1="ZEBRA.")
    done = diff(project, "base.jsonl", "red.jsonl", "--update")
    assert (done.code, (project / "base.jsonl").exists()) == (2, False)
    assert "no baseline was written: its own gate says 2" in done.err


def test_a_baseline_that_cannot_be_written_is_3_and_leaves_nothing_behind(project: Path) -> None:
    played(project, "good.jsonl")
    (project / "taken").write_text("")
    done = diff(project, "taken/base.jsonl", "good.jsonl", "--update")
    assert done.code == 3
    assert "a baseline that cannot be written" in done.err
    assert not list(project.rglob("*.new"))


@pytest.mark.parametrize(
    "words", [("gone.jsonl", "head.jsonl"), ("head.jsonl", "gone.jsonl"), ("suite.yaml", "head.jsonl")]
)
def test_what_is_no_results_file_is_3(project: Path, words: tuple[str, ...]) -> None:
    played(project, "head.jsonl")
    done = diff(project, *words)
    assert (done.code, done.out) == (3, "")
    assert "guardgate: " in done.err
