"""action.yml, Dockerfile, entry point, locks, hook and workflows say the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from guardgate.ci.inputs import INPUTS
from guardgate.ci.outputs import OUTPUTS
from guardgate.cli import COMMANDS
from tests.ci.action_yml import text as generated
from tests.docs.pages import ROOT, every_fence

ENTRY = str(ROOT / "entrypoint.py")
#: What the image does, where guardgate is not installed: isolated, with the package found by its place alone.
START = f"import sys, runpy; sys.path.append({str(ROOT)!r}); runpy.run_path({ENTRY!r}, run_name='__main__')"
#: And where it cannot be found at all.
NOWHERE = f"import runpy; runpy.run_path({ENTRY!r}, run_name='__main__')"
WORKFLOWS = sorted((ROOT / "examples" / "workflows").glob("*.yml"))


def enter(folder: Path, *arguments: str, start: str = START, **env: str) -> subprocess.CompletedProcess[str]:
    """The image's way in."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("INPUT_", "GITHUB_"))}
    command = [sys.executable, "-I", "-c", start, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environ | env, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("action") / "bot"
    assert enter(folder.parent, "init", str(folder)).returncode == 0
    return folder


def test_action_yml_is_what_the_code_says() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert text == generated()
    read = yaml.safe_load(text)
    assert {name: one["default"] for name, one in read["inputs"].items()} == {
        name: default for name, (default, _) in INPUTS.items()
    }
    assert set(read["outputs"]) == set(OUTPUTS)
    assert read["runs"] == {"using": "docker", "image": "Dockerfile"}


def test_without_arguments_it_is_the_action(project: Path) -> None:
    env = {"INPUT_MODE": "check", "GITHUB_OUTPUT": str(project.parent / "output")}
    done = enter(project, **env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "guardgate check: 0: valid" in done.stdout
    assert "exit-code<<" in (project.parent / "output").read_text(encoding="utf-8")


def test_with_arguments_it_is_the_command_line(project: Path) -> None:
    assert enter(project, "check").returncode == 0
    assert enter(project, "run").returncode == 2
    assert enter(project, "--version").stdout.startswith("guardgate ")
    assert enter(project, "--no-such-option").returncode == 3


def test_an_image_without_guardgate_is_3(project: Path) -> None:
    if enter(project, "--version", start="import guardgate").returncode == 0:
        code = f"import sys; sys.modules['guardgate'] = None; {NOWHERE}"  # it is installed here for development
    else:
        code = NOWHERE
    done = enter(project, "check", start=code)
    assert done.returncode == 3
    assert "the image is broken" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["yaml", "guardgate", "signal", "secrets", "click"])
def test_a_folder_of_the_workspace_is_never_imported(project: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("import os; os._exit(77)\n", encoding="utf-8")
    assert enter(tmp_path, "check", "--project", str(project)).returncode == 0


def test_the_image_is_built_by_the_rules_of_container_actions() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = text.rstrip().splitlines()
    assert re.fullmatch(r"ARG PYTHON_IMAGE=\S+@sha256:[0-9a-f]{64}", lines[0])
    assert "syntax=" not in text
    assert "<<" not in text
    assert re.findall(r"^USER\b", text, re.MULTILINE) == []
    assert lines[-1] == 'ENTRYPOINT ["/opt/gg/bin/python", "-I", "-u", "/opt/gg/entrypoint.py"]'
    bases = [line.split()[1] for line in lines if line.startswith("FROM")]
    stages = [line.split()[3] for line in lines if line.startswith("FROM") and " AS " in line]
    assert set(bases) - set(stages) == {"${PYTHON_IMAGE}"}
    assert bases[-1] == "${PYTHON_IMAGE}"


def test_everything_that_is_installed_is_locked_or_made_from_this_repository() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    installs = re.findall(r"\binstall\b([^&\n]*)", text)
    assert len(installs) == 3
    for options in installs:
        locked_file = "--require-hashes" in options and re.search(r"-r /src/(requirements/\S+\.txt)", options)
        assert locked_file or "--no-index --no-deps" in options, options
        assert not locked_file or (ROOT / locked_file[1]).is_file()
    copied = {name for line in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.MULTILINE) for name in line.split()}
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_the_build_sees_what_it_copies_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert lines[0] == "*"
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = {name for line in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.MULTILINE) for name in line.split()}
    assert {line[1:].partition("/")[0] for line in lines if line.startswith("!")} == copied


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


def steps(workflow: Any) -> list[Any]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_name_inputs_that_exist_and_pin_what_they_use(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    used = [step for step in steps(workflow) if "uses" in step]
    ours = [step for step in used if step["uses"] == "ORG/guardgate@COMMIT"]
    assert [name for step in ours for name in step.get("with", {}) if name not in INPUTS] == []
    others = [step["uses"] for step in used if step not in ours]
    assert [name for name in others if not re.search(r"@[0-9a-f]{40}$", name)] == []
    for step in used:
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False, "the app could read the token in .git/config"


def test_blocks_of_workflows_in_our_texts_are_the_examples() -> None:
    shown = every_fence("yaml workflow")
    assert shown
    whole = [path.read_text(encoding="utf-8") for path in WORKFLOWS]
    assert [fence.place for fence in shown if not any(fence.text in text for text in whole)] == []


def test_the_hook_runs_a_command_that_exists() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    program, command = hook["entry"].split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert program in project["project"]["scripts"]
    assert command in COMMANDS
    assert hook["always_run"] is True
    assert hook["pass_filenames"] is False
