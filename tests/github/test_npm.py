"""What comes from npm is what was meant, or the test fails; only the variable lets it be left out."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support import npm
from tests.support.left_out import NAMES, VARIABLE, left_out, skip_if_left_out
from tests.support.webhooks import PACKAGE


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (None, []),
        ("", []),
        ("npm", ["npm"]),
        ("npm,containers", ["containers", "npm"]),
        (" containers ,", ["containers"]),
    ],
)
def test_only_what_is_named_is_left_out(value: str | None, names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(VARIABLE, value)
    assert [name for name in NAMES if left_out(name)] == names


def test_what_is_left_out_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "npm")
    with pytest.raises(pytest.skip.Exception, match="GUARDGATE_WITHOUT leaves out npm"):
        skip_if_left_out("npm")


def test_a_misspelt_name_leaves_out_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "nmp")
    with pytest.raises(AssertionError, match="expected some of browser, containers, npm"):
        skip_if_left_out("npm")


def test_a_machine_without_npm_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npm, "CACHE", tmp_path)
    monkeypatch.setattr(npm, "_ENVIRON", {"PATH": str(tmp_path)})
    with pytest.raises(pytest.fail.Exception, match="found no program npm; expected npm; install it, or leave"):
        npm.read(PACKAGE)


def test_a_file_that_was_changed_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npm, "CACHE", tmp_path)
    PACKAGE.kept.write_bytes(b"[]")
    with pytest.raises(AssertionError, match="delete the file"):
        npm.read(PACKAGE)
    meant = replace(PACKAGE, sha256=hashlib.sha256(b"[]").hexdigest())
    assert npm.read(meant) == b"[]"


def test_a_package_with_another_content_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_if_left_out("npm")
    monkeypatch.setattr(npm, "CACHE", tmp_path)
    with pytest.raises(AssertionError, match="expected sha512-AAAA"):
        npm.read(replace(PACKAGE, integrity="sha512-AAAA"))
    assert list(tmp_path.iterdir()) == []
