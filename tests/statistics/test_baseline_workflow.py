"""examples/workflows/baseline.yml is played: its own commands in its own order, with a stand-in for `gh`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.statistics.test_diff import CASES, FALLEN, RULES, bot
from tests.support.project import PATIENCE, ROOT, environment, put, write

FILE = ROOT / "examples" / "workflows" / "baseline.yml"
WORKFLOW: dict[Any, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
JOBS: dict[str, dict[str, Any]] = WORKFLOW["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
unix = pytest.mark.skipif(os.name == "nt", reason="the workflow runs on ubuntu-latest, and its commands in bash")

#: What `gh` does here: lists one run where there is an artifact, and copies it.
GH = """\
#!/bin/sh
echo "$@" >> "$STORE/asked.txt"
case "$2" in
  list) [ -e "$STORE/baseline.jsonl" ] && echo 7 || true ;;
  download) mkdir -p base && cp "$STORE/baseline.jsonl" base/ ;;
esac
"""


def test_it_may_do_no_more_than_it_needs() -> None:
    assert WORKFLOW["permissions"] == {}
    assert [job["permissions"] for job in JOBS.values()] == [{"actions": "read", "contents": "read"}] * 2
    assert "head.repo.full_name == github.repository" in JOBS["compare"]["if"]
    assert WORKFLOW[True]["pull_request"] == {"types": ["labeled"]}
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_every_action_is_pinned_and_says_its_version() -> None:
    used = re.findall(r"uses: (\S+)(?: # (v[\d.]+))?$", FILE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(used) == sum("uses" in step for step in STEPS)
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action) and version for action, version in used)


def test_nothing_hides_an_exit_code_and_nothing_is_stored_behind_a_failure() -> None:
    assert not any("continue-on-error" in part for part in [*JOBS.values(), *STEPS])
    assert [step.get("if") for step in JOBS["store"]["steps"]] == [None] * len(JOBS["store"]["steps"])
    assert JOBS["store"]["steps"][-1]["with"]["path"] == "base/baseline.jsonl"


class Runner:
    """A repository with one artifact, and the commands of a job in a fresh workspace."""

    def __init__(self, project: Path, root: Path) -> None:
        self.project, self.root, self.store = project, root, root / "store"
        self.tools = root / "bin"
        self.tools.mkdir()
        self.store.mkdir()
        for name, text in (("gh", GH), ("guardgate", f'#!/bin/sh\nexec "{sys.executable}" -m guardgate "$@"\n')):
            (self.tools / name).write_text(text)
            (self.tools / name).chmod(0o755)

    @property
    def kept(self) -> str | None:
        """The artifact."""
        file = self.store / "baseline.jsonl"
        return file.read_text("utf-8") if file.exists() else None

    def job(self, name: str) -> tuple[int, str]:
        """The code of its first failing step, or 0, and its summary."""
        workspace = Path(shutil.copytree(self.project, self.root / "work", dirs_exist_ok=False))
        failed, summary = 0, self.root / "summary.md"
        summary.write_text("")
        env = environment({**WORKFLOW["env"], "STORE": str(self.store), "GITHUB_STEP_SUMMARY": str(summary)})
        env["PATH"] = f"{self.tools}:{env['PATH']}"
        for step in JOBS[name]["steps"]:
            if (failed and "if" not in step) or "pip install" in step.get("run", ""):
                continue
            if "upload-artifact" in step.get("uses", ""):
                shutil.copy(workspace / step["with"]["path"], self.store / "baseline.jsonl")
            elif "run" in step:
                command = ["bash", "-e", "-c", step["run"]]
                done = subprocess.run(
                    command, cwd=workspace, env=env, capture_output=True, timeout=PATIENCE, check=False
                )
                failed = failed or done.returncode
        shutil.rmtree(workspace)
        return failed, summary.read_text("utf-8")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    (tmp_path / "root").mkdir()
    project = write(tmp_path / "project", bot(), rules=RULES, cases=CASES)
    return Runner(project, tmp_path / "root")


@unix
def test_a_green_night_is_stored_and_a_red_or_a_worse_one_is_not(runner: Runner) -> None:
    assert runner.job("store")[0] == 0
    first = runner.kept
    assert first is not None
    put(runner.project, "script.yaml", bot(h1="ZEBRA."))
    assert (runner.job("store")[0], runner.kept) == (2, first)
    put(runner.project, "constraints.yaml", {"rules": [RULES[0], {**RULES[1], "threshold": 0.1}]})
    put(runner.project, "script.yaml", bot(**FALLEN))
    assert (runner.job("store")[0], runner.kept) == (1, first), "green by its gate, and worse than the baseline"
    put(runner.project, "script.yaml", bot(s1="OTTER."))
    assert runner.job("store")[0] == 0
    assert runner.kept != first


@unix
def test_a_pull_request_is_compared_and_both_codes_count(runner: Runner) -> None:
    code, summary = runner.job("compare")
    assert (code, summary) == (0, "There is no baseline yet: the gate alone decides.\n")
    assert runner.job("store")[0] == 0
    kept = runner.kept
    code, summary = runner.job("compare")
    assert code == 0
    assert summary.startswith("## guardgate: 0: not worse")
    put(runner.project, "script.yaml", bot(h1="ZEBRA."))
    code, summary = runner.job("compare")
    assert code == 2
    assert "`h1`, hard rule `R1`: held 1 of 1, now 0 of 1" in summary
    put(runner.project, "constraints.yaml", {"rules": [RULES[0], {**RULES[1], "threshold": 0.1}]})
    put(runner.project, "script.yaml", bot(**FALLEN))
    code, summary = runner.job("compare")
    assert code == 1, "the gate is green, the baseline raises it"
    assert runner.kept == kept


@unix
def test_only_runs_of_the_branch_itself_are_asked_for(runner: Runner) -> None:
    runner.job("store")
    asked = (runner.store / "asked.txt").read_text()
    assert 'map(select(.event == "push" or .event == "schedule"))' in asked
    assert json.dumps("--branch main")[1:-1] in asked
