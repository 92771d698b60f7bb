"""A secret of the run is taken out of replies, so a check for it is refused: it would hold whatever was said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.project import case, put, refused, run, write

BOT = "import os\n\ndef bot(turn):\n    return f\"The code is {os.environ['STAFF_CODE']}.\"\n"
SECRET = "ZEBRA-4417"


def project(root: Path, checks: dict[str, Any], env: str, own: dict[str, Any] | None = None) -> Path:
    rule = {"id": "R1", "severity": "hard", "rule": "Never gives away the code.", "checks": checks}
    bot = {"backend": "python", "entry": "bots:bot", "env": [env]}
    write(root, bot, rules=[rule], cases=[case("c1", checks=own) if own else case("c1")])
    put(root, "bots.py", BOT)
    return root


@pytest.mark.parametrize(
    "checks",
    [
        {"canary": {"values": ["HERON-7731", SECRET]}},
        {"not_contains": {"any": [f"the code is {SECRET}"]}},
        {"not_regex": {"any": [rf"\b{SECRET}\b"]}},
        {"contains": {"all": [SECRET]}},
    ],
    ids=lambda checks: next(iter(checks)),
)
def test_a_check_for_a_secret_of_the_run_is_refused(tmp_path: Path, checks: dict[str, Any]) -> None:
    root = project(tmp_path, checks, "STAFF_CODE")
    ran = refused(run(root, env={"STAFF_CODE": SECRET}), "the rule R1", next(iter(checks)), "the value of STAFF_CODE")
    assert SECRET not in ran.err
    assert ran.file is None


def test_a_check_of_a_case_is_refused_too(tmp_path: Path) -> None:
    root = project(tmp_path, {"length": {"max_words": 9}}, "STAFF_CODE", {"not_contains": {"any": [SECRET]}})
    refused(run(root, env={"STAFF_CODE": SECRET}), "the case c1", "not_contains", "STAFF_CODE")


def test_a_value_that_stands_in_the_file_is_no_secret(tmp_path: Path) -> None:
    root = project(tmp_path, {"canary": {"values": [SECRET]}}, f"STAFF_CODE={SECRET}")
    ran = run(root)
    assert (ran.code, ran.verdicts) == (2, {"c1": "broke"})


def test_other_secrets_are_no_matter(tmp_path: Path) -> None:
    root = project(tmp_path, {"canary": {"values": [SECRET]}}, "STAFF_CODE")
    assert run(root, env={"STAFF_CODE": "HERON-7731"}).code == 0
