"""Cells that are not played are named and counted, whatever kept them from it, and again after a resume."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.project import Ran, case, ended, gated, http, lines, put, run, start, write

SCRIPT = [{"when": "hang up", "fail": "timeout"}, {"when": ".*", "say": "No."}]


def project(folder: Path, **grid: Any) -> Path:
    gone = http("http://127.0.0.1:1", optional=True)
    cases = [case("c1", "Tell me."), case("c2", "hang up")]
    return write(folder, SCRIPT, cases=cases, targets={"gone": gone}, run={"targets": ["bot", "gone"], **grid})


def said(done: Ran) -> str:
    return " ".join(done.out.split())


def test_cells_of_a_target_that_is_not_there(tmp_path: Path) -> None:
    root = project(tmp_path, transforms=["none", "rot13"], exclude=[{"target": "gone", "transform": "none"}])
    done = run(root)
    assert done.code == 3
    assert "optional target left out: gone: " in said(done)
    assert "1 cell of the grid left out (exclude): gone" in said(done)
    assert "1 cell of the grid left out (target not available): gone rot13" in said(done)
    again = ended(start(root, "run", "--resume", "results.jsonl", "--out", "again.jsonl"))
    assert "1 cell of the grid left out (target not available): gone rot13" in said(again)


def test_a_cell_without_a_case_is_named(tmp_path: Path) -> None:
    """Of the one case that is chosen nothing is left where a transform would be."""
    cases = [case("c1", "Tell me."), case("plain", transform=False)]
    root = write(tmp_path, SCRIPT, cases=cases, run={"transforms": ["none", "rot13"]})
    done = run(root, "--case", "plain")
    assert done.code == 0
    assert "1 cell without an attempt: bot rot13" in said(done)
    assert "cases that stay out of transformed cells: 1 transform: false" in said(done)
    assert "bot rot13                    c1       0/0    0 no attempt" in done.out
    assert gated(tmp_path / "results.jsonl") == 0


def test_a_transform_that_changes_nothing_is_told(tmp_path: Path) -> None:
    root = write(tmp_path, SCRIPT, cases=[case("c1", "Pull up!"), case("c2", "Tell me.")], run={"transforms": ["leet"]})
    done = run(root)
    assert done.code == 0
    assert "1 time a transform left the words as they were, first: c1 under leet" in said(done)


def test_a_line_about_a_code_hides_no_words_that_stayed_as_they_were(tmp_path: Path) -> None:
    """Letters that a code does not know stand in the open below the line that promises it."""
    cases = [case("c1", "Скажи слово."), case("c2", "Tell me."), case("c3", "你好", "Now.")]
    root = write(tmp_path, SCRIPT, cases=cases, run={"transforms": ["rot13", "morse", "unicode_tags", "reversed"]})
    done = run(root)
    assert "3 times a transform left the words as they were, first: c1 under rot13" in said(done)


def test_a_target_without_a_cell_is_not_greeted(tmp_path: Path) -> None:
    """Whoever is excluded everywhere need not be there, and is no optional target that was away."""
    away = {"gone": http("http://127.0.0.1:1")}
    root = write(tmp_path, SCRIPT, cases=[case("c1", "Tell me.")], targets=away,
                 run={"targets": ["bot", "gone"], "exclude": [{"target": "gone"}]})  # fmt: skip
    done = run(root)
    assert done.code == 0
    assert "1 cell of the grid left out (exclude): gone" in said(done)
    assert "optional" not in done.out
    assert list(lines(done.file, "run")[0]["targets"]) == ["bot"]


def test_programs_are_told_of_each_cell(tmp_path: Path) -> None:
    root = project(tmp_path, transforms=["none", "rot13"], exclude=[{"target": "gone"}])
    run(root)
    told = json.loads(ended(start(root, "gate", "results.jsonl", "--json")).out)
    assert [(one["cell"], one["code"], one["held"], one["undecided"]["target"]) for one in told["by_cell"]] == [
        ("bot", 3, 1, 1), ("bot rot13", 0, 2, 0),
    ]  # fmt: skip
    assert told["cells_left_out"] == [{"cell": f"gone{how}", "reason": "exclude"} for how in ("", " rot13")]


def test_the_parts_of_a_sweep_joined_are_the_sweep(tmp_path: Path) -> None:
    """Also what was sent, and which cells were left out; a soft rule is decided by the joined file alone."""
    grid = {"transforms": ["none", "rot13", "split_turns"], "exclude": [{"target": "gone"}], "repeats": 2}
    root = project(tmp_path, **grid)
    put(root, "script.yaml", [{"when": "Gryy", "say": "It is ZEBRA."}, {"when": ".*", "say": "No."}])
    whole = run(root)
    parts = [f"part-{n}.jsonl" for n in (1, 2, 3)]
    for n, name in enumerate(parts, start=1):
        run(root, "--shard", f"{n}/3", out=name)
    joined = ended(start(root, "gate", *parts, "--out", "joined.jsonl"))
    assert (joined.code, whole.code) == (2, 2)
    ours, theirs = (attempts(root / name) for name in ("results.jsonl", "joined.jsonl"))
    assert ours == theirs
    assert len(ours) == 12
    assert lines(root / "joined.jsonl", "run")[0]["left_out"] == lines(root / "results.jsonl", "run")[0]["left_out"]
    assert len(lines(root / "joined.jsonl", "run")[0]["left_out"]) == 3


def attempts(file: Path) -> dict[int, tuple[Any, ...]]:
    """What each attempt was, sent and came to."""
    return {one["n"]: (one["case"], one["cell"], one["sent"], one["verdict"]) for one in lines(file, "attempt")}
