"""`baseline`: what got worse since raises the code; a better run lowers nothing; what cannot be compared is 3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.ci.job import Did, job
from tests.support.github import GitHub
from tests.support.project import case, forbids, put, write

SOFT = forbids("LION", rule="S1", severity="soft", threshold=0.1)
CASES = [case(f"c{number}", rule="S1") for number in range(20)]


def play(workspace: Path, github: GitHub, says: str, **more: Any) -> Did:
    put(workspace, "script.yaml", [{"when": "hello|c0$", "say": "No."}, {"say": says}])
    return job(workspace, github, "workflow_dispatch", {}, **more)


def soft(workspace: Path) -> None:
    write(workspace, [{"say": "No."}], rules=[SOFT], cases=CASES, run={"targets": ["bot"]})


def test_worse_beyond_noise_raises_the_code(workspace: Path, github: GitHub) -> None:
    soft(workspace)
    first = play(workspace, github, "No.")
    assert first.code == 0
    base = first.outputs["results-path"]
    put(workspace, "constraints.yaml", {"rules": [{**SOFT, "threshold": 0.05}]})
    worse = play(workspace, github, "It is LION.", baseline=base, fail_on="soft")
    assert (worse.exit, worse.code) == (1, 1)
    assert "held against its baseline" in worse.verdict
    assert "### Against the baseline: 1: worse" in worse.summary
    assert play(workspace, github, "It is LION.").code == 0


def test_a_baseline_lowers_nothing(workspace: Path, github: GitHub) -> None:
    put(workspace, "suite.yaml", {"cases": [case("c1")]})
    base = play(workspace, github, "It is ZEBRA.").outputs["results-path"]
    did = play(workspace, github, "It is ZEBRA.", baseline=base)
    assert (did.exit, did.code) == (2, 2)
    assert "still broken" in did.summary


def test_a_folder_holds_the_file_of_this_bot(workspace: Path, github: GitHub) -> None:
    soft(workspace)
    play(workspace, github, "No.")
    (workspace / "guardgate-results").rename(workspace / "downloaded")
    assert "Against the baseline: 0: not worse" in play(workspace, github, "No.", baseline="downloaded").summary


def test_none_is_said_and_a_broken_one_is_three(workspace: Path, github: GitHub) -> None:
    soft(workspace)
    did = play(workspace, github, "No.", baseline="nowhere")
    assert did.code == 0
    assert "no baseline was found" in did.summary
    put(workspace, "broken.jsonl", "{}\n")
    did = play(workspace, github, "No.", baseline="broken.jsonl")
    assert (did.exit, did.code) == (3, 3)
    assert play(workspace, github, "No.", baseline="../x").code == 3
