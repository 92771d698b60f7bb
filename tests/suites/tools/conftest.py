"""The runs of the three voices, and the app with its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType

import pytest

from tests.examples.conftest import guardgate
from tests.suites.tools.suite import (
    EXAMPLE,
    Played,
)
from tests.support.apps import graph_of
from tests.support.project import lines


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Played]:
    folder = tmp_path_factory.mktemp("tools")
    runs = {}
    for run in ("default", "careless", "refusing"):
        results = folder / f"{run}.jsonl"
        done = guardgate("run", run, "--project", EXAMPLE, "--out", results, "--quiet")
        assert results.exists(), done.stdout + done.stderr
        assert guardgate("gate", results).returncode == done.returncode
        runs[run] = Played(done.returncode, {one["case"]: one for one in lines(results, "attempt")})
    return runs


@pytest.fixture(scope="module")
def app() -> Iterator[ModuleType]:
    """The module app.graph of the desk; another example's app may be loaded, and stays so."""
    with graph_of(EXAMPLE) as module:
        yield module


@pytest.fixture(autouse=True)
def desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No voice and no model, unless a test names one."""
    for name in ("DESK_VOICE", "DESK_MODEL_URL", "DESK_MODEL", "DESK_MODEL_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
