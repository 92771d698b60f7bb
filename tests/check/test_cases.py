"""The folders `tests/cases/invalid` and `tests/cases/valid` are the list of tests."""

from __future__ import annotations

from pathlib import Path

import pytest

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
