"""The folders `tests/cases/invalid` and `tests/cases/valid` are the list of tests."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import guardgate
from tests.check.overlay import BASE, CASES, laid_over, lines, named

INVALID, VALID = named("invalid"), named("valid")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GUARDGATE_MODEL", "GUARDGATE_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("case", INVALID, ids=lambda case: case.stem)
def test_every_problem_is_said(case: Path, tmp_path: Path) -> None:
    expected = (CASES / "invalid" / f"{case.stem}.txt").read_text("utf-8").splitlines()
    assert lines(laid_over(case, tmp_path)) == expected
    assert expected


@pytest.mark.parametrize("case", VALID, ids=lambda case: case.stem)
def test_nothing_is_said_of_what_is_right(case: Path, tmp_path: Path) -> None:
    assert lines(laid_over(case, tmp_path)) == []


def test_the_base_itself_is_right(tmp_path: Path) -> None:
    assert lines(laid_over(BASE, tmp_path)) == []


def test_each_expectation_has_its_case() -> None:
    expectations = {path.stem for path in (CASES / "invalid").glob("*.txt")}
    assert expectations == {case.stem for case in INVALID}


def test_each_code_has_a_case() -> None:
    said = {line.rpartition("[")[2].rstrip("]\n") for path in (CASES / "invalid").glob("*.txt") for line in path.open()}
    assert _codes() - said == ELSEWHERE


#: The published schema refuses nothing that the models take, so no file can show its code.
ELSEWHERE = {"schema"}


def _codes() -> set[str]:
    """The codes that the sources give to problems."""
    package = Path(guardgate.__file__).parent
    files = [*package.glob("lint/*.py"), *(package / f"{name}.py" for name in SOURCES)]
    calls = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))) if _is_problem(node)]
    return {str(node.args[5].value) for node in calls if isinstance(node.args[5], ast.Constant)}  # type: ignore[attr-defined]


SOURCES = ("constraints", "empty", "explain", "load", "reader", "schema")


def _is_problem(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem"
