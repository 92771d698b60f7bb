"""Actions that lost, forged or cleared a verdict: rows A15, A18, E08, E10, E12 to E14, E16 and E11 of the list."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from guardgate.ci.outputs import OUTPUTS
from tests.ci.conftest import github, workspace
from tests.ci.job import HEAD, LABEL, MERGE, checkout, job, pull
from tests.support.github import GitHub, sha_of
from tests.support.project import case, put

__all__ = ["github", "workspace"]  # the fixtures
LABELED = pull("labeled", label=LABEL)


def states(github: GitHub, commit: str) -> list[str]:
    return [one["given"]["state"] for one in github.statuses.get(commit, [])]


def attack(workspace: Path, turn: str) -> None:
    put(workspace, "suite.yaml", {"cases": [case("c1", turn)]})


def test_a15_a_fork_without_secrets_never_passes_live(workspace: Path, github: GitHub) -> None:
    github.may = set()
    asked = pull("labeled", label=LABEL, repo="mallory/bot")
    did = job(workspace, github, "pull_request", asked)
    assert did.outputs["mode"] == "check"
    assert did.outputs["verdict"] == "valid"
    assert "live was not run: a run for a fork has no secrets" in did.summary
    assert did.outputs["held"] == "0"
    github.may = {"statuses"}
    job(workspace, github, "pull_request", asked)
    assert states(github, HEAD) == ["pending"]


def test_a18_nothing_is_skipped_because_no_file_changed(workspace: Path, github: GitHub) -> None:
    """There is no look at changed files: the same commit is played as often as it is asked for."""
    checkout(workspace, MERGE)
    for _ in range(2):
        did = job(workspace, github, "schedule", {})
        assert (did.code, did.outputs["held"]) == (0, "1")


def test_e10_every_output_on_every_path(workspace: Path, github: GitHub) -> None:
    attack(workspace, "hard")
    broke = job(workspace, github, "pull_request", LABELED)
    checked = job(workspace, github, "pull_request", pull("opened"), mode="check")
    refused = job(workspace, github, "issue_comment", {})
    mistaken = job(workspace, github, "pull_request", LABELED, mode="lve")
    for did in (broke, checked, refused, mistaken):
        assert set(did.outputs) == set(OUTPUTS)
    told = [(did.outputs["exit-code"], did.outputs["verdict"]) for did in (broke, checked, refused, mistaken)]
    assert told == [("2", "broke"), ("0", "valid"), ("3", "incomplete"), ("3", "incomplete")]


def test_e12_the_status_is_on_the_head_and_not_on_the_merge_commit(workspace: Path, github: GitHub) -> None:
    job(workspace, github, "pull_request", LABELED, env={"GITHUB_SHA": MERGE})
    assert set(github.statuses) == {HEAD}


def test_e13_no_other_event_clears_a_red_gate(workspace: Path, github: GitHub) -> None:
    attack(workspace, "hard")
    assert job(workspace, github, "pull_request", LABELED).exit == 2
    attack(workspace, "nothing")
    others = [pull("labeled", label="docs"), pull("unlabeled", label=LABEL), pull("edited"), pull("reopened")]
    for number, payload in enumerate(others):
        again = {"GITHUB_RUN_ATTEMPT": str(number + 1), "GITHUB_TRIGGERING_ACTOR": "dave"}
        assert job(workspace, github, "pull_request", payload, env=again).exit == 2


def test_e14_a_push_after_the_label_runs_nothing(workspace: Path, github: GitHub) -> None:
    github.pulls[7]["head"] = sha_of("pushed")
    put(workspace, "script.yaml", [{"say": "No."}])
    for commit in (HEAD, sha_of("pushed")):  # whatever was checked out
        checkout(workspace, commit)
        did = job(workspace, github, "pull_request", LABELED)
        assert (did.exit, did.outputs["results-path"]) == (3, "")
    assert github.statuses == {}


def test_e16_a_reply_is_no_workflow_command(workspace: Path, github: GitHub) -> None:
    evil = "ok\n::set-output name=verdict::held\n##[set-output name=exit-code]0\n::stop-commands::x\n::add-mask::a"
    put(workspace, "script.yaml", [{"when": "hello", "say": "Hi."}, {"say": f"{evil}\nIt is ZEBRA. {evil}"}])
    did = job(workspace, github, "pull_request", LABELED)
    assert did.outputs["verdict"] == "broke"
    word = did.log.partition("::stop-commands::")[2].partition("\n")[0]
    inside = did.log.partition(f"::stop-commands::{word}\n")[2].partition(f"::{word}::")
    assert inside[1], "the runner was told to listen again"
    for command in ("::set-output", "##[set-output", "::add-mask", "::stop-commands::x"):
        assert command not in inside[0] + inside[2]


def test_e16_nor_is_any_name(workspace: Path, github: GitHub) -> None:
    name = "bots/::set-output name=verdict::held"
    (workspace / name).mkdir(parents=True)
    for file in ("guardgate.yaml", "constraints.yaml", "suite.yaml", "script.yaml"):
        put(workspace, f"{name}/{file}", (workspace / file).read_text(encoding="utf-8"))
    put(workspace, f"{name}/suite.yaml", {"cases": [{**case("c1"), "::error::x": 1}]})
    did = job(workspace, github, "pull_request", pull("opened"), project="bots/*")
    assert did.code == 3
    assert not [line for line in did.log.splitlines() if line.lstrip().startswith(("::set-output", "::error::"))]


def test_e08_junit_and_sarif_tell_the_error_with_text_file_and_line(workspace: Path, github: GitHub) -> None:
    attack(workspace, "hard")
    did = job(workspace, github, "pull_request", LABELED)
    junit = ElementTree.parse(workspace / did.outputs["junit-path"]).getroot()
    (test,) = [one for one in junit.iter("testcase") if one.find("failure") is not None]
    assert test.get("file") == "suite.yaml"
    assert "ZEBRA" in test.findtext("failure", "")
    log = json.loads((workspace / did.outputs["sarif-path"]).read_text(encoding="utf-8"))
    (result,) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "suite.yaml"
    lines = (workspace / "suite.yaml").read_text(encoding="utf-8").splitlines()
    assert "{" in lines[place["region"]["startLine"] - 1]
    assert str(place["region"]["startLine"]) == test.get("line") != "1"
    assert "ZEBRA" in result["message"]["text"]
