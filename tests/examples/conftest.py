"""The companion's app, imported once, and its project as the command line sees it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.support.apps import graph_of
from tests.support.server import Answer, Server

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "care_companion"
Seen = Callable[[str], list[dict[str, Any]]]


@pytest.fixture(scope="session")
def app() -> Iterator[ModuleType]:
    """The module app.graph of the companion; other apps in the tests are called `app` too."""
    with graph_of(EXAMPLE) as module:
        yield module


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment in which asking a model is an error."""
    for name in ("COMPANION_MODEL_URL", "COMPANION_MODEL", "COMPANION_SCRIPT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGSMITH_TRACING", "false")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, no_model: None) -> Iterator[Callable[..., Server]]:
    """Start a model on a real socket that gives these answers in turn."""
    servers: list[Server] = []

    def start(*texts: str, status: int = 200) -> Server:
        bodies = [{"choices": [{"message": {"role": "assistant", "content": text}}]} for text in texts]
        server = Server(*[Answer(body, status=status) for body in bodies]).__enter__()
        servers.append(server)
        monkeypatch.setenv("COMPANION_MODEL_URL", f"{server.url}/v1")
        return server

    yield start
    for server in servers:
        server.__exit__(None, None, None)


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the companion whose workers find guardgate where this checkout is not installed."""
    copy = tmp_path_factory.mktemp("companion") / "care_companion"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("guardgate-results", "__pycache__"))
    file = copy / "guardgate.yaml"
    text = file.read_text(encoding="utf-8")
    path = json.dumps(f"PYTHONPATH={ROOT}")
    changed = text.replace("LANGSMITH_TRACING=false]", f"LANGSMITH_TRACING=false, {path}]")
    assert changed.count("PYTHONPATH") == 3
    file.write_text(changed, encoding="utf-8")
    return copy


def guardgate(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """The command line as a process, started from the checkout."""
    command = [sys.executable, "-m", "guardgate", *[str(word) for word in words]]
    return subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
