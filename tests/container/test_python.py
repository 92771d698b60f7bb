"""uv brings the app's Python where the image has another one: from a mirror, since a test may not ask GitHub."""

from __future__ import annotations

import re

import pytest

from tests.ci.job import LABEL, pull
from tests.container.engine import Engine
from tests.container.machine import Machine, act
from tests.container.other_python import LIST, VERSION, Build, build, mirror
from tests.docs.pages import every_fence, text_of
from tests.support.github import GitHub
from tests.support.left_out import skip_if_left_out
from tests.support.project import case, lines, put, write
from tests.support.server import Answer, Server

LABELED = pull("labeled", label=LABEL)
APP = """
import os, sys
import packaging

def answer(turn):
    return f"{os.getuid()} {sys.version.split()[0]} {packaging.__file__}"
"""
#: One package with its hashes, out of our own lock.
LOCKED = re.search(r"^packaging==(?:.*\\\n)*.*\n", text_of("requirements/build.txt"), re.MULTILINE)
INSTALL = "uv pip install --require-hashes -r requirements.txt\n"
PROJECT = '[project]\nname = "bot"\nversion = "1"\nrequires-python = "==3.11.*"\n'
#: The commands that docs/action-app.md shows for it.
(SHOWN,) = (fence.text for fence in every_fence("sh setup"))
#: Where the app asks for its Python: a file of the workspace, or the commands themselves.
WAYS = {"pyproject.toml": (PROJECT, INSTALL), ".python-version": ("3.11\n", INSTALL), "setup": ("", SHOWN)}


@pytest.fixture(scope="module")
def other() -> Build:
    """A build of another Python."""
    skip_if_left_out("containers")
    skip_if_left_out("python")
    return build()


def app(machine: Machine, way: str) -> str:
    """A bot that tells which Python it runs in, and wants another one than the image's. The commands for `setup`."""
    text, setup = WAYS[way]
    put(machine.workspace, "app.py", APP)
    assert LOCKED is not None
    put(machine.workspace, "requirements.txt", LOCKED[0])
    if text:
        put(machine.workspace, way, text)
    write(machine.workspace, {"backend": "python", "entry": "app:answer"}, cases=[case("c1")])
    return setup


@pytest.mark.parametrize("way", ["pyproject.toml", "setup"])
def test_the_app_runs_in_the_python_that_it_asks_for(
    engine: Engine, machine: Machine, github: GitHub, other: Build, way: str
) -> None:
    setup = app(machine, way)
    with Server(mirror(other)) as server:
        env = {"UV_PYTHON_INSTALL_MIRROR": server.url, "UV_PYTHON_DOWNLOADS_JSON_URL": server.url + LIST}
        did = act(engine, machine, github, "pull_request", LABELED, env=env, setup=setup)
        assert {seen.path for seen in server.seen} == {LIST, other.path}
    assert (did.exit, did.code, did.outputs["held"]) == (0, 0, "1"), did.log
    (attempt,) = lines(machine.workspace / did.outputs["results-path"], "attempt")
    uid, version, place = attempt["replies"][0]["text"].split()
    assert (uid, version) == ("65532", VERSION)
    assert re.fullmatch(r"/github/runner_temp/guardgate-app-\w+/env/lib/python3\.11/site-packages/packaging/.*", place)
    assert machine.foreign() == []
    assert list((machine.root / "temp").iterdir()) == []


def test_a_python_that_is_refused_is_3_and_says_what_to_do(engine: Engine, machine: Machine, github: GitHub) -> None:
    """The mirror alone is named, so it is asked for one of uv's own builds."""
    setup = app(machine, "pyproject.toml")
    with Server(Answer(status=403)) as server:
        env = {"UV_PYTHON_INSTALL_MIRROR": server.url}
        did = act(engine, machine, github, "pull_request", LABELED, env=env, setup=setup)
        assert re.fullmatch(r"/\d{8}/cpython-3\.11\.\d+\D.*\.tar\.\w+", server.seen[0].path)
    is_refused(did.exit, did.code, did.summary)
    assert "403 Forbidden" in did.summary
    assert machine.foreign() == []


def test_a_python_with_another_checksum_is_3(engine: Engine, machine: Machine, github: GitHub, other: Build) -> None:
    setup = app(machine, ".python-version")
    with Server(mirror(other, "0" * 64)) as server:
        env = {"UV_PYTHON_INSTALL_MIRROR": server.url, "UV_PYTHON_DOWNLOADS_JSON_URL": server.url + LIST}
        did = act(engine, machine, github, "pull_request", LABELED, env=env, setup=setup)
    is_refused(did.exit, did.code, did.summary)
    assert f"Hash mismatch for `cpython-{VERSION}-" in did.log


def is_refused(exit_code: int, code: int, summary: str) -> None:
    assert (exit_code, code) == (3, 3), summary
    assert "setup (as user 65532): exit code 2" in summary
    assert "a Python that the image lacks" in summary
    assert "UV_PYTHON_INSTALL_MIRROR" in summary
