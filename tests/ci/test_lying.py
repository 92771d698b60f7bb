"""A token that the checkout left lies open for the bot's code: no live run there, and the label is not used up."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardgate.ci.lying import lying_token
from tests.ci.job import LABEL, job, pull
from tests.support.github import GitHub
from tests.support.project import put

HEADER = '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46dG9rZW4=\n'


def test_the_configuration_of_the_repository(workspace: Path, github: GitHub) -> None:
    put(workspace, ".git/config", HEADER)
    did = job(workspace, github, "pull_request", pull("labeled", label=LABEL))
    assert (did.exit, did.code) == (3, 3)
    assert "persist-credentials: false" in did.summary
    assert github.pulls[7]["labels"] == [LABEL]
    assert github.statuses == {}
    assert job(workspace, github, "pull_request", pull("opened"), mode="check").exit == 0


def test_a_file_of_the_runner(tmp_path: Path) -> None:
    put(tmp_path, "temp/git-credentials-1.config", HEADER)
    found = lying_token(tmp_path / "workspace", {"RUNNER_TEMP": str(tmp_path / "temp")}, "")
    assert found is not None
    assert "git-credentials-1.config" in found


@pytest.mark.parametrize("text", ["[core]\n\tbare = false\n", ""])
def test_a_checkout_without_it(tmp_path: Path, text: str) -> None:
    put(tmp_path, ".git/config", text)
    put(tmp_path, "temp/other.config", HEADER)
    assert lying_token(tmp_path, {"RUNNER_TEMP": str(tmp_path / "temp")}, "ghs_token0000") is None
    assert lying_token(tmp_path, {}, "") is None


def test_the_token_itself_in_an_address(tmp_path: Path) -> None:
    put(tmp_path, ".git/config", "[remote]\n\turl = https://x:ghs_token0000@127.0.0.1/acme/bot\n")
    assert lying_token(tmp_path, {}, "ghs_token0000") is not None
