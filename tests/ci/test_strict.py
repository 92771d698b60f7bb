"""`strict: true`: what `check` only warns of gives 3, and nothing is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ci.job import HEAD, LABEL, job, pull
from tests.support.github import GitHub
from tests.support.project import case, forbids, put

LABELED = pull("labeled", label=LABEL)


@pytest.fixture(name="untried")
def _untried(workspace: Path) -> Path:
    """A project with a rule that no case attacks."""
    put(workspace, "constraints.yaml", {"rules": [forbids(rule="R1"), forbids(rule="R2")]})
    put(workspace, "suite.yaml", {"cases": [case("c1", "hi", rule="R1")]})
    return workspace


@pytest.mark.parametrize(("strict", "code"), [("false", 0), ("true", 3)])
def test_a_rule_without_a_case(untried: Path, github: GitHub, strict: str, code: int) -> None:
    did = job(untried, github, "pull_request", pull("opened"), mode="check", strict=strict)
    assert (did.exit, did.code) == (code, code)
    assert "not-attacked" in did.log


def test_live_plays_nothing_then(untried: Path, github: GitHub) -> None:
    did = job(untried, github, "pull_request", LABELED, strict="true")
    assert (did.exit, did.code) == (3, 3)
    assert not list((untried / "guardgate-results").glob("**/*.jsonl"))
    assert [one["given"]["state"] for one in github.statuses.get(HEAD, [])].count("success") == 0
    github.pulls[7]["labels"] = [LABEL]
    assert job(untried, github, "pull_request", LABELED).code == 0


def test_nothing_else_changes(workspace: Path, github: GitHub) -> None:
    did = job(workspace, github, "pull_request", pull("opened"), mode="check", strict="true")
    assert did.code == (3 if "::warning" in did.log else 0)


def test_it_is_true_or_false(workspace: Path, github: GitHub) -> None:
    did = job(workspace, github, "pull_request", pull("opened"), mode="check", strict="yes")
    assert did.code == 3
    assert "strict" in did.verdict
