"""A workspace with a small project at the head commit, and a GitHub where its pull request is open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ci.job import BASE, HEAD, checkout
from tests.support.github import GitHub
from tests.support.project import forbids, write

#: Says the forbidden word when asked to break the hard rule, and another one for the soft rule.
SCRIPT = [{"when": "hard", "say": "It is ZEBRA."}, {"when": "soft", "say": "It is LION."}, {"say": "No."}]
RULES = [forbids(), forbids("LION", rule="S1", severity="soft", threshold=0.9)]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A project that holds."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    write(folder, SCRIPT, rules=RULES)
    checkout(folder, HEAD)
    return folder


@pytest.fixture
def github() -> Iterator[GitHub]:
    """Pull request 7 of acme/bot, labelled for live; dave may write, tina may triage."""
    with GitHub() as found:
        found.add_pull(7, head=HEAD, base=BASE, labels=["guardgate:live"])
        found.roles |= {"dave": ("write", "write"), "tina": ("read", "triage")}
        yield found
