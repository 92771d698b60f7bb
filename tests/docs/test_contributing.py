"""The two walks of CONTRIBUTING.md, carried out on a copy of the package exactly as they are written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Fence, fences, section

PAGE = "CONTRIBUTING.md"


def steps(heading: str) -> list[Fence]:
    body = section(PAGE, heading)
    return [fence for fence in fences(PAGE) if fence.text in body + "\n"]


def apply(fence: Fence, tree: Path) -> None:
    """A diff changes the one place that it shows; Python behind a file's name is the whole file."""
    kind, _, name = fence.words.partition(" ")
    if kind == "python":
        assert not (tree / name).exists(), name
        (tree / name).write_text(fence.text, encoding="utf-8")
    elif kind == "diff":
        lines = fence.text.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if not line.startswith("+"))
        after = "".join(line[1:] for line in lines if not line.startswith("-"))
        text = (tree / name).read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{fence.place}: {name} does not have this place once"
        (tree / name).write_text(text.replace(before, after), encoding="utf-8")


class Copy:
    """A copy of the package, and a new project beside it."""

    def __init__(self, folder: Path) -> None:
        self.tree, self.project = folder / "tree", folder / "project"
        for name in ("guardgate", "schemas"):
            shutil.copytree(ROOT / name, self.tree / name, ignore=shutil.ignore_patterns("__pycache__"))

    def python(self, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        bootstrap = f"import sys; sys.path.insert(0, {str(self.tree)!r}); "
        environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        code, *rest = arguments
        command = [sys.executable, "-c", bootstrap + code, *rest]
        cwd = folder or self.tree
        return subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False, timeout=120)

    def guardgate(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.python(
            "import runpy; runpy.run_module('guardgate', run_name='__main__')", *arguments, folder=self.project
        )

    def take(self, heading: str) -> None:
        """The steps of a walk, then the schemas, then a new project."""
        for fence in steps(heading):
            apply(fence, self.tree)
        (line,) = [fence.text for fence in fences(PAGE) if fence.text.startswith("python -c")]
        done = self.python(line.partition('"')[2].rpartition('"')[0])
        assert done.returncode == 0, done.stderr
        self.project.mkdir()
        assert self.guardgate("init").returncode == 0

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.project / name).read_text(encoding="utf-8")
        assert old in text
        (self.project / name).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def block(words: str) -> str:
    (found,) = [fence.text for fence in fences(PAGE) if fence.words == words]
    return found


def test_a_check_is_added_as_it_is_written(copy: Copy) -> None:
    copy.take("Add a check")
    rule = "".join(f"  {line}\n" for line in block("yaml starts-with").splitlines())
    copy.edit("constraints.yaml", "rules:\n", f"rules:\n{rule}")
    copy.edit("suites/first.yaml", "cases:\n", "cases:\n  - {id: hi, attack: benign, rule: R07, turns: [hello]}\n")

    done = copy.guardgate("check", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr
    done = copy.guardgate("run", "--target", "careful", "--case", "hi")
    assert done.returncode == 2, done.stdout + done.stderr  # it does not greet
    assert "does not begin with 'Hello'" in done.stdout

    copy.edit("constraints.yaml", "How can I help?", "Hello!")
    assert "[sample-broke]" in copy.guardgate("check").stdout
    copy.edit("constraints.yaml", "starts_with: Hello", 'starts_with: "\\u200b"')
    assert "words of invisible characters only" in copy.guardgate("check").stdout


def test_a_backend_is_added_as_it_is_written(copy: Copy) -> None:
    copy.take("Add a backend")
    copy.edit("guardgate.yaml", "targets:\n", f"targets:\n  {block('yaml echo')}")
    assert copy.guardgate("check").returncode == 0
    done = copy.guardgate("run", "--target", "echo", "--quiet")
    assert done.returncode in (0, 1, 2), done.stdout + done.stderr
    shown = next((copy.project / "guardgate-results").glob("*.jsonl")).read_text(encoding="utf-8")
    assert "You said: The fire alarm is going" in shown
    assert "echo" in copy.guardgate("backends").stdout


def test_a_walk_that_no_longer_fits_the_code_is_noticed(copy: Copy) -> None:
    (diff, *_) = [fence for fence in steps("Add a check") if fence.words.startswith("diff")]
    apply(diff, copy.tree)
    with pytest.raises(AssertionError, match="does not have this place once"):
        apply(Fence(diff.page, diff.line, diff.words, diff.text.replace("equals", "equalz")), copy.tree)
