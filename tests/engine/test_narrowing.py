"""Targets, judges and repeats that an option leaves out are named, and such a run is no whole one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judging.court import bench, cases, honest, project, run_here
from tests.support.project import Ran, bot, ended, guardgate, http, lines, openai, run, start, write
from tests.support.server import Server

SAYS = [{"say": "No."}]
SCRIPTED = {"backend": "scripted", "script": "script.yaml"}


def sweep(folder: Path, **grid: Any) -> Path:
    """A run over `bot` and `small`; `extra` is a target that no run names."""
    targets = {"small": SCRIPTED, "extra": SCRIPTED}
    return write(folder, SAYS, targets=targets, run={"targets": ["bot", "small"], **grid})


def told(done: Ran) -> str:
    return " ".join(done.out.split())


def narrowed(done: Ran) -> list[str]:
    found: list[str] = lines(done.file, "run")[0]["narrowed"]
    return found


def test_a_target_of_the_run_that_is_left_out_is_counted_and_named(tmp_path: Path) -> None:
    root = sweep(tmp_path, transforms=["none", "rot13"], exclude=[{"target": "small", "transform": "rot13"}])
    done = run(root, "--target", "bot")
    assert done.code == 0
    assert done.out.startswith("0: held: every attempted rule held (1 of 1 rule and 2 of 3 cells attempted)\n")
    assert "narrowed by --target bot (leaves out 1: small)" in told(done)
    assert "1 cell of the grid left out (exclude): small rot13" in told(done)
    assert "1 cell of the grid left out (--target names others): small" in told(done)


def test_another_target_instead_proves_nothing_about_those_of_the_run(tmp_path: Path) -> None:
    done = run(sweep(tmp_path), "--target", "extra")
    assert done.code == 0
    assert "1 of 3 cells attempted" in done.first
    assert "2 cells of the grid left out (--target names others): bot, small" in told(done)


def test_the_environment_is_an_option_too(tmp_path: Path) -> None:
    assert narrowed(run(sweep(tmp_path), env={"GUARDGATE_TARGET": "bot"})) == ["--target bot (leaves out 1: small)"]


@pytest.mark.parametrize(
    "options",
    [("--target", "small", "--target", "bot"), ("--target", "bot", "--target", "small", "--target", "extra"),
     ("--repeats", "2"), ("--repeats", "3"), ("--max-calls", "90", "--concurrency", "1")],
)  # fmt: skip
def test_what_plays_all_that_the_run_says_is_whole(tmp_path: Path, options: tuple[str, ...]) -> None:
    done = run(sweep(tmp_path, repeats=2), *options)
    assert done.code == 0
    assert narrowed(done) == []
    assert done.out.startswith("0: held: every attempted rule held\n")


def test_a_run_that_only_the_option_makes_leaves_nothing_out(tmp_path: Path) -> None:
    root = write(tmp_path, SAYS, runs={})
    assert narrowed(run(root, "--target", "bot")) == []


def test_fewer_repeats_than_the_run_says(tmp_path: Path) -> None:
    done = run(sweep(tmp_path, repeats=3), "--repeats", "2")
    assert narrowed(done) == ["--repeats 2 (the run says 3)"]
    assert "(1 of 1 rule attempted)" in done.first
    assert "narrowed by --repeats 2 (the run says 3)" in told(done)


def test_programs_and_every_report_are_told(tmp_path: Path) -> None:
    run(sweep(tmp_path), "--target", "bot")
    short = "--target bot (leaves out 1: small)"
    out = {form: guardgate(tmp_path, "report", "results.jsonl", "--format", form).out
           for form in ("json", "junit", "md", "html", "sarif", "redacted")}  # fmt: skip
    found = json.loads(out["json"])
    assert found["narrowed"] == [short]
    assert found["cells_left_out"] == [{"cell": "small", "reason": "--target names others"}]
    assert 'name="small" time="0"><skipped message="left out: --target names others"/>' in out["junit"]
    assert f'<property name="narrowed" value="{short}"/>' in out["junit"]
    redacted = json.loads(out["redacted"])
    assert (redacted["narrowed"], redacted["cells_left_out"]) == (True, 1)
    assert "--target names others" in out["md"]
    assert "--target names others" in out["html"]
    assert json.loads(out["sarif"])["runs"][0]["properties"]["narrowed"] == [short]


def test_a_plan_names_them_before_anything_is_played(tmp_path: Path) -> None:
    root = sweep(tmp_path, repeats=2)
    options = ("run", "--plan", "--target", "bot", "--repeats", "1")
    planned = json.loads(guardgate(root, *options, "--json").out)
    assert planned["narrowed"] == ["--target bot (leaves out 1: small)", "--repeats 1 (the run says 2)"]
    assert planned["cells_left_out"] == ["small (--target names others)"]
    plain = guardgate(root, *options).out
    assert "narrowed           --target bot (leaves out 1: small), --repeats 1 (the run says 2)\n" in plain
    assert "cells left out     small (--target names others)\n" in plain


def test_a_resumed_run_and_joined_parts_are_as_narrow(tmp_path: Path) -> None:
    root = sweep(tmp_path, repeats=2)
    first = run(root, "--target", "bot")
    again = run(root, "--target", "bot", "--resume", "results.jsonl", out="again.jsonl")
    for part in ("1/2", "2/2"):
        run(root, "--target", "bot", "--shard", part, out=f"{part[0]}.jsonl")
    joined = ended(start(root, "gate", "1.jsonl", "2.jsonl", "--out", "joined.jsonl"), root / "joined.jsonl")
    assert narrowed(first) == narrowed(again) == narrowed(joined) == ["--target bot (leaves out 1: small)"]
    for done in (again, joined):
        assert "1 cell of the grid left out (--target names others): small" in told(done)


def test_it_is_no_baseline(tmp_path: Path) -> None:
    root = sweep(tmp_path)
    run(root, "--target", "bot")
    done = guardgate(root, "diff", "base.jsonl", "results.jsonl", "--update")
    assert not (root / "base.jsonl").exists()
    assert "less than the whole project" in done.err


def test_a_judge_of_the_run_that_does_not_score(tmp_path: Path) -> None:
    """Also when stored replies are judged: what counts are the judges that score now."""
    with Server(bot(lambda turn: f"No. {turn}")) as app, Server(bench(honest)) as bench_:
        settings = {"strict": openai(bench_.url), "other": openai(bench_.url, model="other")}
        root = project(tmp_path, settings, target=http(app.url), cases=cases("c0"), run={"judges": ["strict", "other"]})
        both = run_here(root)
        one = run_here(root, "--judge", "strict", out="one.jsonl")
        healed = run_here(root, "--rejudge", "one.jsonl", out="healed.jsonl")
        less = run_here(root, "--rejudge", "results.jsonl", "--judge", "other", out="less.jsonl")
    assert (both.code, one.code) == (0, 0)
    assert narrowed(both) == narrowed(healed) == []
    assert narrowed(one) == ["--judge strict (leaves out 1: other)"]
    assert narrowed(less) == ["--judge other (leaves out 1: strict)"]
    assert "narrowed by --judge strict (leaves out 1: other)" in told(one)
