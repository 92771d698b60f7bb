"""`check` and `compare` make no call, start no process, run no code of the project and write nothing into it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.check.overlay import BASE, CASES, laid_over, named
from tests.check.watched import CAUGHT
from tests.support.project import ROOT, environment, guardgate

APP = 'open("it-ran", "w").close()\ngraph = None\n'


def watched(limit: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A child that is watched."""
    command = [sys.executable, "-m", "tests.check.watched", str(limit), *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=120, check=False
    )


def with_app(project: Path) -> Path:
    (project / "app").mkdir(exist_ok=True)
    for name in ("app/__init__.py", "app/graph.py", "conftest.py", "sitecustomize.py"):
        (project / name).write_text(APP, "utf-8")
    return project


@pytest.mark.parametrize("what", ["socket", "process", "shell", "import", "module", "write"])
def test_the_watch_sees(what: str, tmp_path: Path) -> None:
    done = watched(with_app(tmp_path), "--try", what)
    assert done.returncode == CAUGHT, done
    assert "caught: " in done.stderr


def test_check_of_every_case_makes_no_call_and_runs_nothing(tmp_path: Path) -> None:
    cases = [*named("valid"), *named("invalid")]
    projects = [with_app(laid_over(case, tmp_path / f"{case.parent.name}-{case.stem}")) for case in cases]
    done = watched(tmp_path, *map(str, projects))
    assert done.returncode == 0, done.stderr
    codes = dict(line.split("=") for line in done.stdout.splitlines() if line.startswith(("valid-", "invalid-")))
    assert len(codes) == len(cases)
    assert {codes[project.name] for project in projects if project.name.startswith("valid-")} == {"0"}
    assert {project.name for project in projects if codes[project.name] == "0"} - {
        project.name for project in projects if project.name.startswith("valid-")
    } == {f"invalid-{case.stem}" for case in named("invalid") if _only_warnings(case)}
    compared = [line for line in done.stdout.splitlines() if line.startswith("compared-")]
    assert len(compared) == len(cases)
    assert {line.partition("=")[2] for line in compared if "-valid-" in line} == {"0"}
    assert {line.partition("=")[2] for line in compared} == {"0", "3"}
    assert not list(tmp_path.rglob("it-ran"))


def _only_warnings(case: Path) -> bool:
    expected = (CASES / "invalid" / f"{case.stem}.txt").read_text("utf-8")
    return ": error: " not in expected


def test_a_project_cannot_bring_modules_of_its_own(tmp_path: Path) -> None:
    project = laid_over(BASE, tmp_path)
    for name in (
        "click",
        "yaml",
        "pydantic",
        "re2",
        "jsonschema",
        "jsonschema_rs",
        "markdown_it",
        "jsonpath",
        "signal",
    ):
        (project / f"{name}.py").write_text('raise SystemExit("it ran")\n', "utf-8")
    ran = guardgate(project, "check")
    assert (ran.code, ran.err) == (0, "")
