"""The project's own workflows: they pin what the examples pin, name what is there, and a release tags what it built."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from guardgate.ci.inputs import INPUTS
from tests.docs.pages import ROOT
from tests.support.project import guardgate, write

OURS = {path.stem: path for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))}
PIN = re.compile(r"uses: (\S+@[0-9a-f]{40} # v[0-9.]+)$", re.MULTILINE)
IMAGE = "ghcr.io/acme/guardgate@sha256:" + "ab" * 32


def read(name: str) -> Any:
    return yaml.safe_load(OURS[name].read_text(encoding="utf-8"))


def steps(name: str) -> list[Any]:
    return [step for job in read(name)["jobs"].values() for step in job["steps"]]


def test_there_is_one_for_tests_one_for_the_action_and_one_for_releases() -> None:
    assert list(OURS) == ["guardgate", "release", "test"]


@pytest.mark.parametrize("name", OURS)
def test_it_has_few_rights_an_end_and_no_expression_in_a_script(name: str) -> None:
    workflow = read(name)
    assert workflow["permissions"] == {}
    assert "group" in workflow["concurrency"]
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        assert job["permissions"].get("contents") in ("read", "write")
    assert [step["run"] for step in steps(name) if "${{" in step.get("run", "")] == []


@pytest.mark.parametrize("name", OURS)
def test_every_action_is_one_that_the_examples_pin(name: str) -> None:
    known = {pin for path in (ROOT / "examples" / "workflows").glob("*.yml") for pin in PIN.findall(path.read_text())}
    pinned = PIN.findall(OURS[name].read_text(encoding="utf-8"))
    used = [step["uses"] for step in steps(name) if "uses" in step]
    assert set(pinned) <= known
    assert sorted(pin.partition(" ")[0] for pin in pinned) == sorted(one for one in used if one != "./")
    for step in steps(name):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_every_python_that_the_package_names_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [one.rpartition(" ")[2] for one in project["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert read("test")["jobs"]["linux"]["strategy"]["matrix"]["python"] == versions


def test_the_scripts_name_what_is_there() -> None:
    said = "\n".join(step.get("run", "") for name in OURS for step in steps(name))
    named = re.findall(r"(?:tests|requirements|examples)/[\w./]+|\.ci/run", said)
    assert len(named) >= 6
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_guardgate_uses_itself_with_what_exists() -> None:
    (given,) = (step["with"] for step in steps("guardgate") if step.get("uses") == "./")
    assert [name for name in given if name not in INPUTS] == []
    project = yaml.safe_load((ROOT / given["project"] / "guardgate.yaml").read_text(encoding="utf-8"))
    assert given["run"] in project["runs"]


def test_gitlab_finds_the_list_of_attempts_where_a_live_run_leaves_it(tmp_path: Path) -> None:
    write(tmp_path, [{"say": "It is ZEBRA."}])
    assert guardgate(tmp_path, "ci", "--mode", "live").code == 2
    job = yaml.safe_load((ROOT / "examples" / "gitlab-ci.yml").read_text(encoding="utf-8"))["guardgate live"]
    assert any(line.startswith("guardgate ci --mode live") for line in job["script"])
    (report,) = tmp_path.glob(job["artifacts"]["reports"]["junit"])
    assert ElementTree.parse(report).getroot().get("failures") == "1"


class TestTheTagWithTheImage:
    """The script of the release, in a real repository whose remote is a folder."""

    @pytest.fixture
    def place(self, tmp_path: Path) -> Path:
        git(tmp_path, "init", "--quiet", "--bare", "remote")
        git(tmp_path, "clone", "--quiet", "remote", "place")
        place = tmp_path / "place"
        for name in ("action.yml", "Dockerfile"):
            (place / name).write_bytes((ROOT / name).read_bytes())
        git(place, "add", "--all")
        who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        git(place, *who, "commit", "--quiet", "--message", "released")
        git(place, "tag", "v1.2.3")
        git(place, "push", "--quiet", "origin", "HEAD", "v1.2.3")
        return place

    def test_it_differs_in_the_image_alone(self, place: Path) -> None:
        assert tagged(place) == 0
        remote = place.parent / "remote"
        changed = git(remote, "diff", "--unified=0", "v1.2.3", "v1.2.3-image").splitlines()
        lines = [line for line in changed if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        assert lines == ["-  image: Dockerfile", f"+  image: docker://{IMAGE}"]
        assert git(remote, "rev-parse", "v1.2.3-image^") == git(remote, "rev-parse", "v1.2.3")
        action = yaml.safe_load(git(remote, "show", "v1.2.3-image:action.yml"))
        assert action["runs"] == {"using": "docker", "image": f"docker://{IMAGE}"}
        assert git(remote, "rev-parse", "v1.2.3-image").strip() in (place.parent / "summary").read_text()
        assert git(remote, "branch", "--contains", "v1.2.3-image") == ""

    def test_an_action_that_builds_nothing_gets_no_tag(self, place: Path) -> None:
        text = (place / "action.yml").read_text(encoding="utf-8")
        (place / "action.yml").write_text(text.replace("image: Dockerfile", "image: other"), encoding="utf-8")
        assert tagged(place) != 0
        assert git(place.parent / "remote", "tag").split() == ["v1.2.3"]

    def test_a_tag_is_never_moved(self, place: Path) -> None:
        assert tagged(place) == 0
        before = git(place.parent / "remote", "rev-parse", "v1.2.3-image")
        git(place, "reset", "--quiet", "--hard", "v1.2.3")
        git(place, "tag", "--delete", "v1.2.3-image")
        assert tagged(place, IMAGE.replace("ab", "cd")) != 0
        assert git(place.parent / "remote", "rev-parse", "v1.2.3-image") == before


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "init.defaultBranch=main", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tagged(place: Path, image: str = IMAGE) -> int:
    """Run the last script of the release as a runner does."""
    (script,) = (step["run"] for step in read("release")["jobs"]["action"]["steps"] if "run" in step)
    env = {**os.environ, "GITHUB_REF_NAME": "v1.2.3", "GITHUB_STEP_SUMMARY": str(place.parent / "summary"),
           "GH_TOKEN": "token-of-a-test", "IMAGE": image}  # fmt: skip
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=place, env=env, capture_output=True, check=False, timeout=60).returncode
