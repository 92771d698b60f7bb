"""examples/workflows/shards.yml is played: its own commands, in its own order, once a part, and then the join."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.engine.test_shards import SOFT, counts, verdicts
from tests.judging.court import run_here
from tests.support.project import PATIENCE, ROOT, Ran, bot, case, environment, forbids, http, write
from tests.support.server import Answer, Server

FILE = ROOT / "examples" / "workflows" / "shards.yml"
WORKFLOW: dict[Any, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
JOBS: dict[str, dict[str, Any]] = WORKFLOW["jobs"]


def steps(job: str) -> Iterator[dict[str, Any]]:
    yield from JOBS[job]["steps"]


def every_step() -> list[dict[str, Any]]:
    return [step for job in JOBS for step in steps(job)]


def test_it_may_do_no_more_than_it_needs() -> None:
    assert WORKFLOW["permissions"] == {}
    assert {name: job["permissions"] for name, job in JOBS.items()} == {
        "plan": {"contents": "read"}, "play": {"contents": "read"}, "join": {},
    }  # fmt: skip
    assert "pull_request" not in str(WORKFLOW[True]), "a pull request gets no secret"
    for step in every_step():
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False
    assert all(job["timeout-minutes"] for job in JOBS.values())


def test_no_expression_stands_in_a_command() -> None:
    assert [step["run"] for step in every_step() if "${{" in step.get("run", "")] == []


def test_every_action_is_pinned_and_says_its_version() -> None:
    used = re.findall(r"uses: (\S+)(?: # (v[\d.]+))?$", FILE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(used) == sum("uses" in step for step in every_step())
    for action, version in used:
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action), action
        assert version, action


def test_nothing_hides_an_exit_code() -> None:
    assert not any("continue-on-error" in part for part in [*JOBS.values(), *every_step()])
    for step in every_step():
        assert "| tee" not in step.get("run", "")
        assert "|| true" not in step.get("run", "")
    assert JOBS["join"]["if"] == "${{ !cancelled() }}", "a part that failed does not skip the join: skipped is green"


class Runner:
    """What GitHub does with the file, in a folder: jobs in order, a matrix, outputs, artifacts, conditions."""

    def __init__(self, project: Path, root: Path) -> None:
        self._project, self._root = project, root
        self._tools = root / "bin"
        self._tools.mkdir(parents=True)
        program = self._tools / "guardgate"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m guardgate "$@"\n')
        program.chmod(0o755)
        self.outputs: dict[str, str] = {}
        self.artifacts: dict[str, Path] = {}
        self.summary = root / "summary.md"

    def job(self, name: str, matrix: Mapping[str, str] | None = None, index: int = 0) -> tuple[Path, int]:
        """Its workspace, and the exit code of the first step that failed, or 0."""
        workspace = self._root / f"{name}-{index}"
        if any("checkout" in step.get("uses", "") for step in steps(name)):
            shutil.copytree(self._project, workspace)
        else:
            workspace.mkdir()
        failed = 0
        for step in steps(name):
            if failed and step.get("if") != "${{ !cancelled() }}":
                continue
            values = {"strategy.job-index": str(index), **{f"matrix.{key}": one for key, one in (matrix or {}).items()}}
            code = self._step(step, workspace, values)
            failed = failed or code
        return workspace, failed

    def _step(self, step: Mapping[str, Any], workspace: Path, values: Mapping[str, str]) -> int:
        uses = step.get("uses", "")
        given = {key: _filled(str(value), values) for key, value in step.get("with", {}).items()}
        if "upload-artifact" in uses:
            found = workspace / given["path"]
            self.artifacts[given["name"]] = found
            return 0 if found.exists() else 1
        if "download-artifact" in uses:
            (workspace / given["path"]).mkdir()
            for name, folder in self.artifacts.items():
                if name.startswith("part-"):
                    shutil.copytree(folder, workspace / given["path"], dirs_exist_ok=True)
            return 0
        if uses or step["run"].startswith("python -m pip install"):
            return 0
        return self._command(step, workspace, values)

    def _command(self, step: Mapping[str, Any], workspace: Path, values: Mapping[str, str]) -> int:
        output = workspace / "output.txt"
        output.touch()
        env = environment(
            {**WORKFLOW["env"], **{key: _filled(one, values) for key, one in step.get("env", {}).items()}}
        )
        env |= {"PATH": f"{self._tools}:{env['PATH']}", "GITHUB_OUTPUT": str(output)}
        env |= {"GITHUB_STEP_SUMMARY": str(self.summary)}
        command = ["bash", "-e", "-c", step["run"]]
        done = subprocess.run(command, cwd=workspace, env=env, capture_output=True, timeout=PATIENCE, check=False)
        self.outputs |= dict(line.split("=", 1) for line in output.read_text().splitlines())
        return done.returncode


def _filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ ([a-z.-]+)(?:\.[A-Z_]+)? \}\}", lambda one: values.get(one[1], "secret-of-a-test"), text)


def played(project: Path, root: Path, broken: int | None = None) -> tuple[Runner, Path, int]:
    """The runner, the workspace of the join and its code; the machine of part `broken` vanishes."""
    runner = Runner(project, root)
    _, code = runner.job("plan")
    assert code == 0
    matrix = json.loads(runner.outputs["matrix"])["shard"]
    assert len(matrix) == int(WORKFLOW["env"]["PARTS"])
    for index, shard in enumerate(matrix):
        if index != broken:
            runner.job("play", {"shard": shard}, index)
    workspace, code = runner.job("join")
    return runner, workspace, code


@pytest.fixture
def bot_with_faults() -> Iterator[Server]:
    def say(turn: str) -> Answer | str:
        return "It is ZEBRA." if turn == "c06" else "A LION." if turn in ("c03", "c07") else "No."

    with Server(bot(say)) as server:
        yield server


def of(root: Path, url: str) -> Path:
    rules = [forbids("ZEBRA", rule="H1"), forbids("LION", rule="S1", **SOFT)]
    cases = [case(f"c{n:02}", rule="S1" if n % 2 else "H1") for n in range(14)]
    return write(root, http(url), rules=rules, cases=cases)


def test_played_it_gives_what_one_run_gives(tmp_path: Path, bot_with_faults: Server) -> None:
    project = of(tmp_path / "project", bot_with_faults.url)
    runner, workspace, code = played(project, tmp_path / "github")
    seen = len(bot_with_faults.seen)
    assert seen == 4 + 14, "a preflight for each machine, and every attempt once"
    whole = run_here(project)
    assert (code, whole.code) == (2, 2)
    assert verdicts(Ran(code, "", "", workspace / "whole.jsonl")) == verdicts(whole)
    assert counts(workspace, "whole.jsonl") == counts(project, "results.jsonl")
    assert "H1" in runner.summary.read_text()
    assert "results" in runner.artifacts


def test_a_machine_that_vanished_makes_it_3(tmp_path: Path, bot_with_faults: Server) -> None:
    _, workspace, code = played(of(tmp_path / "project", bot_with_faults.url), tmp_path / "github", broken=2)
    assert code == 3
    assert not (workspace / "whole.jsonl").exists()
