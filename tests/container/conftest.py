"""The image, built once a session, and a runner's machine with a small project in its workspace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ci.conftest import RULES, SCRIPT
from tests.ci.job import BASE, HEAD, checkout
from tests.container.engine import Engine, ready
from tests.container.machine import Machine
from tests.support.github import GitHub
from tests.support.left_out import skip_if_left_out
from tests.support.project import write


@pytest.fixture(scope="session")
def engine() -> Engine:
    """A container engine with the image of the working tree."""
    skip_if_left_out("containers")
    return ready()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A project that holds, checked out at the head of the pull request."""
    found = Machine(tmp_path)
    found.workspace.mkdir()
    write(found.workspace, SCRIPT, rules=RULES)
    checkout(found.workspace, HEAD)
    return found


@pytest.fixture
def github() -> Iterator[GitHub]:
    """Pull request 7, labelled for live by dave, who may write."""
    with GitHub() as found:
        found.add_pull(7, head=HEAD, base=BASE, labels=["guardgate:live"])
        found.roles["dave"] = ("write", "write")
        yield found
