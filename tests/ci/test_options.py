"""Options that a workflow needs: trusted settings, one suite, lower limits, the interpreter of this job."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support.project import case, guardgate, lines, put, refused, run, write

SAYS = [{"say": "No."}]


def test_targets_and_judges_come_from_another_project_file(tmp_path: Path) -> None:
    """A pull request that points its target at a script of its own changes nothing."""
    root = write(tmp_path, [{"say": "It is ZEBRA."}])
    put(root, "trusted.yaml", [{"say": "No."}])
    put(tmp_path, "kind.yaml", [{"say": "No."}])
    trusted = {
        "version": 1, "constraints": "elsewhere.yaml", "suites": ["none.yaml"],
        "targets": {"bot": {"backend": "scripted", "script": "kind.yaml"}},
    }  # fmt: skip
    put(tmp_path, "base/guardgate.yaml", trusted)
    assert run(root, out="head.jsonl").code == 2
    ran = run(root, "--config-from", "base", out="base.jsonl")
    assert ran.code == 0
    assert guardgate(root, "check", "--config-from", "base").code == 0


def test_a_target_that_only_the_pull_request_has_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path, SAYS, targets={"mine": {"backend": "scripted", "script": "script.yaml"}})
    base = {"version": 1, "constraints": "c.yaml", "suites": ["s.yaml"], "targets": {"other": {
        "backend": "scripted", "script": "script.yaml"}}}  # fmt: skip
    put(tmp_path, "base.yaml", base)
    refused(run(root, "--target", "mine", "--config-from", "base.yaml"), "bot")


def test_settings_that_cannot_be_read_are_no_settings(tmp_path: Path) -> None:
    root = write(tmp_path, SAYS)
    put(tmp_path, "base.yaml", {"version": 1, "targets": {}})
    assert run(root, "--config-from", "base.yaml").code == 3
    assert run(root, "--config-from", "nowhere.yaml").code == 3
    assert guardgate(root, "check", "--config-from", "base.yaml").code == 3


def test_one_suite_is_a_narrowed_run(tmp_path: Path) -> None:
    root = write(tmp_path, SAYS, suites=["*suite.yaml"])
    put(root, "other-suite.yaml", {"cases": [case("c2"), case("c3")]})
    ran = run(root, "--suite", "other-suite.yaml")
    assert set(ran.verdicts) == {"c2", "c3"}
    assert "2 of 3 cases" in ran.first
    assert "narrowed by --suite other-suite.yaml" in ran.first
    refused(run(root, "--suite", "no-suite.yaml", out="none.jsonl"), "no-suite.yaml")


def test_limits_are_lowered_and_never_raised(tmp_path: Path) -> None:
    root = write(tmp_path, SAYS, run={"limits": {"calls": 2}}, cases=[case(f"c{n}") for n in range(4)])
    assert lines(run(root, "--max-calls", "9", out="a.jsonl").file, "run")[0]["limits"]["calls"] == 2
    assert lines(run(root, "--max-calls", "1", out="b.jsonl").file, "run")[0]["limits"]["calls"] == 1
    ran = run(root, "--max-cost-usd", "0.5", out="c.jsonl")
    assert lines(ran.file, "run")[0]["limits"]["cost_usd"] == 0.5


def test_the_interpreter_of_the_job_replaces_the_one_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("def answer(turn):\n    return 'No.'\n", encoding="utf-8")
    root = write(tmp_path, {"backend": "python", "entry": "app:answer", "python": ".venv/bin/python"})
    assert run(root, out="a.jsonl").code == 3
    assert run(root, out="b.jsonl", env={"GUARDGATE_PYTHON": sys.executable}).code == 0
