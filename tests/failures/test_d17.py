"""D17, a clean install: the wheel is built, installed into an empty environment and used there.

The row of the others that needs package indexes; they are those that pip is configured with.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from guardgate.report import FORMATS
from guardgate.shipped import shipped_suites
from tests.support.project import PATIENCE, ROOT, environment, put, write


def _quiet(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run to the end with nothing of the checkout on the path."""
    env = {name: value for name, value in environment().items() if name != "PYTHONPATH"}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=4 * PATIENCE, check=False)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `guardgate` of an environment that holds the wheel, and what it says it needs."""
    folder = tmp_path_factory.mktemp("wheel")
    built = _quiet(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, ROOT, cwd=folder)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("guardgate_ci-*.whl")
    home = folder / "env"
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    place = home / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", place / "python", "install", "--quiet")
    done = _quiet(*pip, wheel, cwd=folder)
    assert done.returncode == 0, done.stderr
    return place / "guardgate"


@pytest.mark.slow_install
def test_d17_a_clean_install_works(installed: Path, tmp_path: Path) -> None:
    """Its version, a new project, check and both runs of it; a module of the project never replaces one of ours."""
    said = _quiet(installed, "--version", cwd=tmp_path)
    assert (said.returncode, said.stdout.split()[0]) == (0, "guardgate"), said
    assert _quiet(installed, "init", "demo", cwd=tmp_path).returncode == 0
    demo = tmp_path / "demo"
    for module in ("yaml", "json", "click", "guardgate", "asyncio"):
        put(demo, f"{module}.py", f"open({str(tmp_path / 'imported')!r}, 'w')\nraise SystemExit(0)\n")
    assert (checked := _quiet(installed, "check", "--strict", cwd=demo)).returncode == 0, checked
    assert (careless := _quiet(installed, "run", cwd=demo)).returncode == 2, careless
    for form in FORMATS:
        assert (report := _quiet(installed, "report", "--format", form, cwd=demo)).returncode == 0, report
    assert (careful := _quiet(installed, "run", "--target", "careful", cwd=demo)).returncode == 0, careful
    assert not (tmp_path / "imported").exists()


@pytest.mark.slow_install
def test_d17_its_suites_are_there(installed: Path, tmp_path: Path) -> None:
    said = _quiet(installed, "suites", "--json", cwd=tmp_path)
    assert [one["name"] for one in json.loads(said.stdout)["suites"]] == list(shipped_suites()), said


@pytest.mark.slow_install
def test_d17_its_python_target_works(installed: Path, tmp_path: Path) -> None:
    put(tmp_path, "app.py", "async def reply(turn, *, session):\n    return 'It is ZEBRA.'\n")
    root = write(tmp_path, {"backend": "python", "entry": "app:reply"})
    ran = _quiet(installed, "run", cwd=root)
    assert ran.returncode == 2, ran
