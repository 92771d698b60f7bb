"""Linters of others over all that GitHub and GitLab read: action, workflows, Dockerfile. None goes online."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

PROGRAMS = Path(sys.executable).parent
#: What people put in the place of ORG and COMMIT; no real commit.
PINNED = "ORG/guardgate@0123456789012345678901234567890123456789"
#: Workflows by the name under which they are looked at: those to copy, and our own. Some are called alike.
WORKFLOWS = {
    f"{kind}{path.name}": path
    for kind, folder in (("", "examples/workflows"), ("our-", ".github/workflows"))
    for path in sorted((ROOT / folder).glob("*.yml"))
}


def repository(place: Path, ours: str) -> Path:
    """A repository that uses all workflows; `ours` is how they name the action."""
    (place / ".git").mkdir()
    workflows = place / ".github" / "workflows"
    workflows.mkdir(parents=True)
    for name, path in WORKFLOWS.items():
        text = path.read_text(encoding="utf-8")
        (workflows / name).write_text(text.replace("ORG/guardgate@COMMIT", ours), encoding="utf-8")
    for name in ("action.yml", "Dockerfile", ".github/dependabot.yml"):
        (place / name).write_bytes((ROOT / name).read_bytes())
    return place


def run(place: Path, program: str, *arguments: str) -> tuple[int, str]:
    """Its exit code and what it said."""
    command = [str(PROGRAMS / program), *arguments]
    done = subprocess.run(
        command, cwd=place, capture_output=True, text=True, encoding="utf-8", check=False, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


def zizmor(place: Path) -> tuple[int, str]:
    """Security of workflows: injections, pins, permissions, credentials that stay. Its strictest usual view."""
    return run(place, "zizmor", "--offline", "--no-progress", "--no-config", "--pedantic", "--strict-collection", ".")


def actionlint(place: Path) -> tuple[int, str]:
    """Expressions, events, and the inputs of our own action. Without other programs, which may be there or not."""
    return run(place, "actionlint", "-no-color", "-shellcheck=", "-pyflakes=")


def hadolint(place: Path) -> tuple[int, str]:
    """The Dockerfile. No rule is switched off."""
    return run(place, "hadolint", "--no-color", "Dockerfile")


def schema(place: Path, name: str, *files: str) -> tuple[int, str]:
    """A schema that is published for such files."""
    return run(place, "check-jsonschema", "--builtin-schema", f"vendor.{name}", *files)


def broken(path: Path, old: str, new: str) -> None:
    """Put a fault into a file, so that a linter that sees nothing is seen."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_zizmor(tmp_path: Path) -> None:
    place = repository(tmp_path, PINNED)
    code, said = zizmor(place)
    assert code == 0, said
    assert all(f"completed ./.github/workflows/{name}" in said for name in WORKFLOWS)
    assert "completed ./action.yml" in said
    assert "completed ./.github/dependabot.yml" in said
    broken(place / ".github/workflows/check.yml", "permissions: {}", "permissions: write-all")
    assert "excessive-permissions" in zizmor(place)[1]


def test_actionlint(tmp_path: Path) -> None:
    place = repository(tmp_path, "./")
    code, said = actionlint(place)
    assert code == 0, said
    broken(place / ".github/workflows/check.yml", "          project: .", "          projekt: .")
    assert 'input "projekt" is not defined' in actionlint(place)[1]


def test_hadolint(tmp_path: Path) -> None:
    place = repository(tmp_path, PINNED)
    code, said = hadolint(place)
    assert code == 0, said
    broken(place / "Dockerfile", "WORKDIR /src", "WORKDIR src")
    assert "DL3000" in hadolint(place)[1]


def test_the_schema_of_actions(tmp_path: Path) -> None:
    place = repository(tmp_path, PINNED)
    code, said = schema(place, "github-actions", "action.yml")
    assert code == 0, said
    broken(place / "action.yml", "using: docker", "using: podman")
    assert schema(place, "github-actions", "action.yml")[0] != 0


def test_the_schema_of_workflows(tmp_path: Path) -> None:
    place = repository(tmp_path, PINNED)
    files = [f".github/workflows/{name}" for name in WORKFLOWS]
    assert {"check.yml", "our-guardgate.yml", "our-release.yml", "our-test.yml"} <= set(WORKFLOWS)
    code, said = schema(place, "github-workflows", *files)
    assert code == 0, said
    broken(place / ".github/workflows/check.yml", "runs-on:", "run-on:")
    assert schema(place, "github-workflows", *files)[0] != 0


def test_the_schema_of_dependabot(tmp_path: Path) -> None:
    copy = tmp_path / "dependabot.yml"
    copy.write_bytes((ROOT / ".github" / "dependabot.yml").read_bytes())
    code, said = schema(tmp_path, "dependabot", copy.name)
    assert code == 0, said
    broken(copy, "interval: weekly", "interval: hourly")
    assert schema(tmp_path, "dependabot", copy.name)[0] != 0


@pytest.mark.parametrize("name", ["gitlab-ci.yml"])
def test_the_schema_of_gitlab(tmp_path: Path, name: str) -> None:
    copy = tmp_path / name
    copy.write_bytes((ROOT / "examples" / name).read_bytes())
    code, said = schema(tmp_path, "gitlab-ci", name)
    assert code == 0, said
    broken(copy, "script:", "skript:")
    assert schema(tmp_path, "gitlab-ci", name)[0] != 0
