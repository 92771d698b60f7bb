"""action.yml, Dockerfile, entrypoint, hook and workflow say the same, and outputs are written on every path."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import entrypoint
from guardgate.cli import COMMANDS
from tests.docs.pages import ROOT, every_fence

#: What the image does, where guardgate is not installed: isolated, with the package found by its place alone.
ENTRY = str(ROOT / "entrypoint.py")
START = f"import sys, runpy; sys.path.append({str(ROOT)!r}); runpy.run_path({ENTRY!r}, run_name='__main__')"


def act(workspace: Path, output: Path | None, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The entry point as the runner starts it."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("INPUT_", "GITHUB_"))}
    environ |= {f"INPUT_{name.upper()}": value for name, value in inputs.items()}
    if output is not None:
        environ["GITHUB_OUTPUT"] = str(output)
    command = [sys.executable, "-I", "-c", START]
    return subprocess.run(command, cwd=workspace, env=environ, capture_output=True, text=True, check=False, timeout=60)


def outputs(path: Path) -> dict[str, str]:
    """The output file as the runner reads it."""
    found = re.findall(r"^([a-z-]+)<<(\S+)\n(.*?)\n\2$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len({end for _, end, _ in found}) == 1
    return {name: value for name, _, value in found}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    command = [sys.executable, "-m", "guardgate", "init", str(folder)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60)
    return folder


def action() -> dict[str, dict[str, dict[str, str]]]:
    read = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert isinstance(read, dict)
    return read


def test_inputs_and_their_defaults_are_the_entry_point_s() -> None:
    assert {name: one["default"] for name, one in action()["inputs"].items()} == entrypoint.INPUTS
    assert {command[0] for command in entrypoint.COMMANDS.values()} <= set(COMMANDS)


def test_a_project_that_is_valid(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "output").write_text("before=kept\n", encoding="utf-8")
    done = act(workspace, tmp_path / "output", mode="check", project=".")
    assert (done.returncode, done.stderr) == (0, "")
    assert outputs(tmp_path / "output") == {"exit-code": "0", "verdict": "valid"}
    assert set(outputs(tmp_path / "output")) == set(action()["outputs"])
    assert (tmp_path / "output").read_text(encoding="utf-8").startswith("before=kept\n")


def test_inputs_that_are_left_out_have_their_defaults(workspace: Path, tmp_path: Path) -> None:
    assert act(workspace, tmp_path / "output", mode="", project=" ").returncode == 0
    assert outputs(tmp_path / "output")["verdict"] == "valid"


@pytest.mark.parametrize("inputs", [{"project": "nowhere"}, {"project": "--help"}, {"mode": "run"}, {"mode": "::x::"}])
def test_outputs_are_written_when_nothing_could_be_checked(
    workspace: Path, tmp_path: Path, inputs: dict[str, str]
) -> None:
    done = act(workspace, tmp_path / "output", **inputs)
    assert done.returncode == 3
    assert outputs(tmp_path / "output") == {"exit-code": "3", "verdict": "incomplete"}
    assert "found" in done.stdout + done.stderr
    assert "::x::" not in done.stdout + done.stderr


def test_problems_become_annotations(workspace: Path, tmp_path: Path) -> None:
    suite = workspace / "suites" / "first.yaml"
    suite.write_text(suite.read_text(encoding="utf-8").replace("rule: R02", "rule: R22"), encoding="utf-8")
    done = act(workspace, tmp_path / "output")
    assert done.returncode == 3
    assert "::error file=suites/first.yaml,line=18," in done.stdout
    assert outputs(tmp_path / "output")["exit-code"] == "3"


def test_an_output_file_that_cannot_be_written_is_no_success(workspace: Path, tmp_path: Path) -> None:
    assert act(workspace, tmp_path).returncode == 3  # a folder


def test_another_ci_has_no_output_file(workspace: Path) -> None:
    assert act(workspace, None).returncode == 0


@pytest.mark.parametrize("name", ["yaml", "guardgate", "signal", "secrets", "click"])
def test_a_folder_of_the_pull_request_is_never_imported(workspace: Path, tmp_path: Path, name: str) -> None:
    (workspace / name).mkdir()
    (workspace / name / "__init__.py").write_text("import os; os._exit(77)\n", encoding="utf-8")
    assert act(workspace, tmp_path / "output").returncode == 0


def test_the_image_is_built_by_the_rules_of_container_actions() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    first = text.splitlines()[0]
    assert re.fullmatch(r"ARG PYTHON_IMAGE=\S+@sha256:[0-9a-f]{64}", first)
    assert "syntax=" not in text
    assert "<<" not in text
    assert re.findall(r"^USER\b", text, re.MULTILINE) == []
    assert text.rstrip().splitlines()[-1] == 'ENTRYPOINT ["/opt/gg/bin/python", "-I", "-u", "/opt/gg/entrypoint.py"]'
    assert [line for line in text.splitlines() if line.startswith("FROM")] == [
        "FROM ${PYTHON_IMAGE} AS build",
        "FROM ${PYTHON_IMAGE}",
    ]
    for line in re.findall(r"-r /src/(\S+)", text):
        assert (ROOT / line).is_file()
    copied = {name for line in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.MULTILINE) for name in line.split()}
    assert [name for name in copied if not (ROOT / name).exists()] == []


def locked(name: str) -> dict[str, str]:
    """Version by package of a lock file; each with at least one hash, and nothing that names a server."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    assert "://" not in text
    pins = re.findall(
        r"^([A-Za-z0-9_.-]+)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    lines = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(pins) == len(lines) > 0
    return {package.lower().replace("_", "-"): version for package, version, _ in pins}


def test_every_dependency_is_locked_by_hash_at_a_version_that_the_project_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = locked("image.txt")
    for text in [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["litellm"]]:
        wanted = Requirement(text)
        assert wanted.specifier.contains(pins[wanted.name.lower().replace("_", "-")]), text
    build = locked("build.txt")
    for text in project["build-system"]["requires"]:
        assert Requirement(text).specifier.contains(build[Requirement(text).name])


def test_the_workflow_in_the_readme_is_the_example_and_names_inputs_that_exist() -> None:
    text = (ROOT / "examples" / "workflows" / "check.yml").read_text(encoding="utf-8")
    assert [fence.text for fence in every_fence("yaml workflow") if fence.page == "README.md"] == [text]
    workflow = yaml.safe_load(text)
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    (ours,) = [step for step in steps if "guardgate@" in step["uses"]]
    assert set(ours["with"]) <= set(entrypoint.INPUTS)
    assert ours["with"]["mode"] in entrypoint.COMMANDS
    others = [step["uses"] for step in steps if step is not ours]
    assert [name for name in others if not re.search(r"@[0-9a-f]{40}$", name)] == []
    assert workflow["permissions"] == {}


def test_the_hook_runs_a_command_that_exists() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    program, command = hook["entry"].split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert program in project["project"]["scripts"]
    assert command in COMMANDS
    assert hook["always_run"] is True
    assert hook["pass_filenames"] is False
