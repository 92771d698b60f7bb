"""One plan in parts: joined, they are the run that was not split; what does not fit together is refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engine.inside import said
from tests.judging.court import bench, cases, here, honest, project, run_here
from tests.support.project import Ran, case, forbids, lines, openai, put, refused, same_gate, write
from tests.support.server import Server

SOFT: dict[str, Any] = {"severity": "soft", "threshold": 0.7}


def rules(*breaks: str) -> list[dict[str, Any]]:
    """A hard rule and a soft one."""
    return [forbids("ZEBRA", rule="H1"), forbids("LION", rule="S1", **SOFT)]


def split(root: Path, *, hard: int = -1, soft: tuple[int, ...] = (), count: int = 20, **run: Any) -> Path:
    """Twenty cases, every second one on the soft rule; those numbered in `hard` and `soft` break."""
    talk = [{"when": f"^c{hard:02}$", "say": "It is ZEBRA."}] if hard >= 0 else []
    talk += [{"when": f"^c{n:02}$", "say": "A LION."} for n in soft]
    every = [case(f"c{n:02}", rule="S1" if n % 2 else "H1") for n in range(count)]
    return write(root, [*talk, {"say": "No."}], rules=rules(), cases=every, run=run)


def parts(root: Path, count: int, *options: str) -> list[Ran]:
    return [
        run_here(root, "--shard", f"{index}/{count}", *options, out=f"part{index}.jsonl")
        for index in range(1, count + 1)
    ]


def joined(root: Path, *files: str) -> Ran:
    ran = here(root, "gate", *(files or sorted(one.name for one in root.glob("part*.jsonl"))), "--out", "whole.jsonl")
    return same_gate(Ran(ran.code, ran.out, ran.err, root / "whole.jsonl"))


def verdicts(ran: Ran) -> list[tuple[int, str, str]]:
    return [(one["n"], one["case"], one["verdict"]) for one in ran.attempts]


def counts(root: Path, file: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(here(root, "gate", file, "--json").out)
    return {key: value for key, value in found.items() if key != "results"}


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20])
@pytest.mark.parametrize(
    ("broken", "code", "of_parts"),
    [
        ({}, 0, {0}),
        ({"hard": 4}, 2, {0, 2}),
        ({"soft": (1, 3, 5, 7)}, 1, {0}),
        ({"soft": (1, 3)}, 0, {0}),
        ({"hard": 4, "soft": (1, 3, 5, 7)}, 2, {0, 2}),
    ],
    ids=str,
)
def test_joined_parts_are_the_whole_run(
    tmp_path: Path, broken: dict[str, Any], code: int, of_parts: set[int], count: int
) -> None:
    root = split(tmp_path, **broken)
    whole = run_here(root)
    done = parts(root, count)
    assert {one.code for one in done} <= of_parts
    assert all(f"--shard {index}/{count}" in said(one) for index, one in enumerate(done, 1))
    ran = joined(root)
    assert (whole.code, ran.code) == (code, code)
    assert verdicts(ran) == verdicts(whole)
    assert counts(root, "whole.jsonl") == counts(root, "results.jsonl")
    assert "--shard" not in said(ran)
    assert lines(ran.file, "run")[0]["joined"] == count


def test_a_part_defers_its_soft_rules(tmp_path: Path) -> None:
    """In its part every attempt on the soft rule broke; only the whole can tell whether that is too many."""
    root = split(tmp_path, soft=(1, 11))
    ran = parts(root, 10)[1]
    assert ran.code == 0
    assert "decided when the shards are joined: S1" in said(ran)
    assert joined(root).code == 0


def test_repeats_and_cells_are_split_too(tmp_path: Path) -> None:
    root = split(tmp_path, hard=6, repeats=3, params={"framing": ["plain", "warned"]})
    whole = run_here(root)
    parts(root, 4)
    assert verdicts(joined(root)) == verdicts(whole)


def test_judged_parts_are_joined_with_their_anchors(tmp_path: Path) -> None:
    with Server(bench(honest)) as judge:
        root = project(tmp_path, {"strict": openai(judge.url)}, cases=cases("c0", "bad", "c2", "c3"))
        whole = run_here(root)
        parts(root, 2)
    ran = joined(root)
    assert (ran.code, verdicts(ran)) == (whole.code, verdicts(whole))
    assert whole.code == 2
    assert len(lines(ran.file, "fitness")) == 2 * len(lines(whole.file, "fitness"))


def interrupted(root: Path) -> None:
    """Part 2 spends its budget."""
    content = json.loads((root / "guardgate.yaml").read_text())
    put(
        root, "guardgate.yaml", {**content, "runs": {"default": {**content["runs"]["default"], "limits": {"calls": 3}}}}
    )
    (root / "part2.jsonl").unlink()
    assert run_here(root, "--shard", "2/3", out="part2.jsonl").code == 3
    put(root, "guardgate.yaml", content)


def test_a_part_that_did_not_come_to_its_end_makes_it_3(tmp_path: Path) -> None:
    root = split(tmp_path, hard=0)
    parts(root, 3)
    interrupted(root)
    ran = joined(root)
    assert ran.code == 3
    assert "a hard rule broke: H1" in said(ran)
    assert "limits.calls is reached" in said(ran)


def test_and_once_it_is_gone_on_from_it_is_whole(tmp_path: Path) -> None:
    root = split(tmp_path)
    whole = run_here(root)
    parts(root, 3)
    interrupted(root)
    (root / "part2.jsonl").rename(root / "half.jsonl")
    assert run_here(root, "--shard", "2/3", "--resume", "half.jsonl", out="part2.jsonl").code == 0
    ran = joined(root)
    assert (ran.code, verdicts(ran)) == (0, verdicts(whole))
    assert "copied from a run before" in said(ran)


def test_a_part_whose_process_was_killed_makes_it_3(tmp_path: Path) -> None:
    root = split(tmp_path)
    parts(root, 2)
    text = (root / "part2.jsonl").read_text().splitlines(keepends=True)
    put(root, "part2.jsonl", "".join(text[:-4]) + text[-4][:40])
    ran = joined(root)
    assert ran.code == 3
    assert "a shard did not come to its end" in said(ran)


def other_project(root: Path) -> None:
    split(root, soft=(1,), count=20)


def another_commit(root: Path) -> None:
    put(root, ".git/HEAD", "b" * 40 + "\n")


CHANGES: dict[str, tuple[Callable[[Path], None], tuple[str, ...], str]] = {
    "a target": (other_project, (), "targets changed: bot"),
    "a selection": (lambda root: None, ("--rule", "H1"), "cases gone: c01, c03"),
    "repeats": (lambda root: None, ("--repeats", "2"), "repeats 1 -> 2"),
    "the commit": (another_commit, (), f"the commit {'a' * 12} -> {'b' * 12}"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_parts_of_another_plan_are_refused_by_name(tmp_path: Path, what: str) -> None:
    change, options, words = CHANGES[what]
    root = split(tmp_path)
    put(root, ".git/HEAD", "a" * 40 + "\n")
    run_here(root, "--shard", "1/2", out="part1.jsonl")
    change(root)
    run_here(root, "--shard", "2/2", *options, out="part2.jsonl")
    refused(here(root, "gate", "part1.jsonl", "part2.jsonl", "--out", "whole.jsonl"), "part2.jsonl", words)
    assert not (root / "whole.jsonl").exists()


def test_gaps_and_overlaps_are_refused_by_name(tmp_path: Path) -> None:
    root = split(tmp_path)
    run_here(root)
    parts(root, 3)
    run_here(root, "--shard", "1/2", out="half.jsonl")
    run_here(root, "--shard", "2/3", out="again.jsonl")
    for files, words in (
        (["part1.jsonl", "part3.jsonl"], "no shard 2 of 3"),
        (["part2.jsonl"], "no shard 1, 3 of 3"),
        (["part1.jsonl", "part2.jsonl", "again.jsonl", "part3.jsonl"], "shard 2/3 a second time (also part2.jsonl)"),
        (["part1.jsonl", "part1.jsonl", "part2.jsonl", "part3.jsonl"], "shard 1/3 a second time (also part1.jsonl)"),
        (["part1.jsonl", "half.jsonl"], "parts of 2 and 3"),
        (["results.jsonl", "part1.jsonl"], "results.jsonl: found a file that is no shard"),
        (["part1.jsonl", "nowhere.jsonl"], "no such file"),
    ):
        refused(here(root, "gate", *files, "--out", "whole.jsonl"), words)
        assert not (root / "whole.jsonl").exists()
    refused(here(root, "gate", "part1.jsonl", "part2.jsonl", "part3.jsonl"), "--out")
    put(root, "taken.jsonl", "mine\n")
    refused(here(root, "gate", *(f"part{n}.jsonl" for n in (1, 2, 3)), "--out", "taken.jsonl"), "exists")
    assert (root / "taken.jsonl").read_text() == "mine\n"


def test_a_part_with_a_line_of_another_part_is_refused(tmp_path: Path) -> None:
    """Somebody edited a file: the joined one would have the attempt twice."""
    root = split(tmp_path)
    parts(root, 2)
    stolen = next(one for one in (root / "part1.jsonl").read_text().splitlines() if '"t":"attempt"' in one)
    with (root / "part2.jsonl").open("a") as file:
        file.write(stolen + "\n")
    refused(here(root, "gate", "part1.jsonl", "part2.jsonl", "--out", "whole.jsonl"), "attempt 0", "part2.jsonl")
    assert not (root / "whole.jsonl").exists()


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3", "1.0/2", ""])
def test_what_is_no_part_is_refused(tmp_path: Path, shard: str) -> None:
    ran = here(split(tmp_path), "run", "--shard", shard)
    assert (ran.code, ran.out) == (3, "")
    assert "--shard" in ran.err


def test_more_parts_than_attempts_are_refused(tmp_path: Path) -> None:
    refused(here(split(tmp_path, count=2), "run", "--shard", "3/3"), "3/3 of 2 attempts")


@pytest.mark.parametrize(("asked", "given"), [(4, 4), (1, 1), (256, 20)])
def test_the_matrix_has_a_part_for_each_machine_and_none_is_empty(tmp_path: Path, asked: int, given: int) -> None:
    ran = here(split(tmp_path), "run", "--plan", "--matrix", str(asked))
    assert ran.code == 0
    assert json.loads(ran.out) == {"shard": [f"{n}/{given}" for n in range(1, given + 1)]}
    assert len(ran.out.splitlines()) == 1


def test_a_matrix_needs_a_plan(tmp_path: Path) -> None:
    refused(here(split(tmp_path), "run", "--matrix", "4"), "--plan")


def test_the_plan_of_a_part_counts_the_part(tmp_path: Path) -> None:
    root = split(tmp_path)
    facts = [json.loads(here(root, "run", "--plan", "--json", "--shard", f"{n}/3").out) for n in (1, 2, 3)]
    assert [one["attempts"] for one in facts] == [7, 7, 6]
    assert sum(one["calls_to_targets"] for one in facts) == 20
