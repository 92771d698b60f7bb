"""The same image elsewhere: arguments are the command line, and a shell finds `guardgate`."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.ci.conftest import RULES, SCRIPT
from tests.container.engine import Box, Engine
from tests.docs.pages import ROOT
from tests.support.project import case, put, write

INSIDE = "/builds/bot"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str


def run(engine: Engine, box: Box) -> Ran:
    process = engine.start(box)
    try:
        out, _ = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.terminate()
        raise
    return Ran(process.returncode, out.decode("utf-8", "replace"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of user 1000, with one attack that breaks a hard rule."""
    folder = tmp_path / "bot"
    folder.mkdir()
    write(folder, SCRIPT, rules=RULES, cases=[case("c1", "hard")])
    for place in (folder, *folder.rglob("*")):
        os.chown(place, 1000, 1000)
    return folder


def box(project: Path, *arguments: str, entrypoint: str | None = None, user: str | None = None) -> Box:
    return Box(arguments, {}, {project: INSIDE}, INSIDE, entrypoint, user)


@pytest.mark.parametrize("user", [None, "1000"])
def test_arguments_are_the_command_line(engine: Engine, project: Path, user: str | None) -> None:
    checked = run(engine, box(project, "check", user=user))
    assert checked.code == 0, checked.out
    played = run(engine, box(project, "run", "--out", "results.jsonl", user=user))
    assert played.code == 2, played.out
    assert played.out.startswith("2: broke: a hard rule broke") or "\n2: broke: a hard rule broke" in played.out
    assert (project / "results.jsonl").stat().st_uid == (0 if user is None else 1000)
    gated = run(engine, box(project, "gate", "results.jsonl", user=user))
    assert gated.code == 2


@pytest.mark.parametrize("arguments", [("--no-such-option",), ("chekc",), ("run", "nightly"), ()])
def test_whatever_is_wrong_is_3(engine: Engine, project: Path, arguments: tuple[str, ...]) -> None:
    ran = run(engine, box(project, *arguments))
    assert ran.code == 3, ran.out
    assert "Traceback" not in ran.out


EXAMPLE = ROOT / "examples" / "gitlab-ci.yml"


def gitlab(job: str) -> tuple[str, dict[str, str]]:
    """The script of a job of the example as a shell gets it from GitLab's runner, and its variables."""
    read = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    assert read["default"]["image"]["entrypoint"] == [""]
    return "set -eo pipefail\n" + "\n".join(read[job]["script"]), read[job].get("variables", {})


def test_gitlab_checks_and_plays_with_a_shell_in_place_of_the_entry_point(engine: Engine, project: Path) -> None:
    script, _ = gitlab("guardgate check")
    ran = run(engine, box(project, "-c", script, entrypoint="/bin/bash"))
    assert ran.code == 0, ran.out
    app = "import iniconfig\ndef answer(turn):\n    return 'No.'\n"
    put(project, "app.py", app)
    put(project, "requirements.txt", "iniconfig>=2\n")
    write(project, {"backend": "python", "entry": "app:answer"}, cases=[case("c1", "hard")])
    script, variables = gitlab("guardgate live")
    there = Box(("-c", script), variables, {project: INSIDE}, INSIDE, "/bin/bash")
    ran = run(engine, there)
    assert ran.code == 0, ran.out
    assert "guardgate live: 0: held" in ran.out
    assert len(list(project.glob("guardgate-results/*/bot.md"))) == 1
    pattern = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))["guardgate live"]["artifacts"]["reports"]["junit"]
    assert [path.name for path in project.glob(pattern)] == ["bot.junit.xml"]
    write(project, SCRIPT, rules=RULES, cases=[case("c1", "hard")])
    assert run(engine, there).code == 2


def test_a_workspace_that_wants_to_be_imported(engine: Engine, project: Path) -> None:
    for name in ("yaml/__init__.py", "click.py", "sitecustomize.py", "guardgate/__init__.py"):
        put(project, name, "import os; os._exit(77)\n")
    assert run(engine, box(project, "check")).code == 0
    assert run(engine, box(project, "-c", "guardgate check", entrypoint="/bin/sh")).code == 0
