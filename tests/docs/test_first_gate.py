"""docs/action-setup.md from an empty repository on, step by step, up to what only GitHub itself can do."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ci.job import BASE, LABEL, MERGE, Did, checkout, job, pull
from tests.docs.pages import ROOT, text_of
from tests.support.github import BOT, GitHub, sha_of
from tests.support.project import guardgate

PAGE = text_of("docs/action-setup.md")
#: The actions of a pull request that start a workflow which names none.
UNSAID = ["opened", "synchronize", "reopened"]
FIRST, SECOND = sha_of("first"), sha_of("second")


@pytest.fixture
def github() -> Iterator[GitHub]:
    """A repository whose pull request 7 was just opened by somebody who may write."""
    with GitHub() as found:
        found.add_pull(7, head=FIRST, base=BASE)
        found.roles["dave"] = ("write", "write")
        found.changed[BASE, FIRST] = found.changed[BASE, SECOND] = {"README.md": "modified"}
        yield found


def steps(heading: str) -> list[str]:
    """The numbered steps under a heading of the page."""
    part = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [" ".join(one.split()) for one in re.findall(r"^\d\. (.*?)(?=^\d\. |^\n|\Z)", part, re.M | re.S)]


def copied(name: str, repository: Path) -> Any:
    """The workflow in its place, with the two words replaced that the page names; its triggers and its one job."""
    place = repository / ".github" / "workflows" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "examples" / "workflows" / name).read_text(encoding="utf-8")
    text = text.replace("ORG/guardgate@COMMIT", f"acme/guardgate@{sha_of('reviewed')}")
    place.write_text(text, encoding="utf-8")
    read = yaml.safe_load(text)
    assert not re.search(r"\b(ORG|COMMIT)\b", re.sub(r"#.*", "", text))
    (only,) = read["jobs"].values()
    return read[True], only  # YAML takes `on` for true


def played(repository: Path, github: GitHub, workflow: Any, action: str, head: str) -> Did:
    """What the workflow does on this event: it must be among its triggers, and the step gets the workflow's inputs."""
    triggers, only = workflow
    assert action in (triggers["pull_request"] or {"types": UNSAID})["types"]
    assert "if" not in only
    own = str(only["steps"][0]["with"].get("ref", "")).startswith("${{ github.event.pull_request.head.sha")
    checkout(repository, head if own else MERGE)
    (step,) = [one for one in only["steps"] if one.get("uses", "").startswith("acme/guardgate@")]
    given: dict[str, Any] = {name.replace("-", "_"): str(value) for name, value in step.get("with", {}).items()}
    label = LABEL if action == "labeled" else None
    return job(repository, github, "pull_request", pull(action, label=label, head=head), **given)


def states(github: GitHub, head: str) -> list[str]:
    return [one["given"]["state"] for one in github.statuses.get(head, [])]


def comments(github: GitHub) -> list[str]:
    return [one["body"] for one in github.comments.values() if one["author"] == BOT]


def made(repository: Path) -> None:
    """Step 1 of the first ten minutes, in an empty repository."""
    subprocess.run(["git", "init", "-q", str(repository)], check=True, timeout=60)
    assert guardgate(repository, "init").code == 0
    assert guardgate(repository, "check").code == 0


def test_the_page_has_the_steps_that_are_followed_here() -> None:
    first, live = steps("In ten minutes"), steps("Then live")
    assert [("init" in first[0]), ("check.yml" in first[1]), ("guardgate check" in first[2])] == [True] * 3
    assert ["guardgate.yml" in live[0], "env" in live[1], f"label create {LABEL}" in live[2]] == [True] * 3
    assert "The action takes it off" in live[3]
    assert "Push again, and the status waits again" in live[3]
    assert (len(first), len(live)) == (4, 5)


def test_from_an_empty_repository_to_a_gate(tmp_path: Path, github: GitHub) -> None:
    repository = tmp_path / "repository"
    made(repository)

    workflow = copied("check.yml", repository)
    did = played(repository, github, workflow, "opened", FIRST)
    assert (did.exit, did.outputs["mode"], did.outputs["verdict"]) == (0, "check", "valid")

    (repository / ".github" / "workflows" / "check.yml").unlink()
    workflow = copied("guardgate.yml", repository)
    did = played(repository, github, workflow, "opened", FIRST)
    assert (did.exit, did.outputs["mode"], states(github, FIRST)) == (0, "check", ["pending"])

    github.pulls[7]["labels"] = [LABEL]
    did = played(repository, github, workflow, "labeled", FIRST)
    assert (did.exit, did.outputs["mode"], did.code) == (2, "live", 2)  # a new project's bot breaks a rule on purpose
    assert (github.pulls[7]["labels"], states(github, FIRST)[-1]) == ([], "failure")
    assert "## guardgate live: 2: broke" in comments(github)[0]

    project = (repository / "guardgate.yaml").read_text(encoding="utf-8")  # the bot is mended, and pushed
    mended = re.sub(r"targets: \[\w+\]", "targets: [careful]", project)
    assert mended != project
    (repository / "guardgate.yaml").write_text(mended, encoding="utf-8")
    github.pulls[7]["head"] = SECOND
    did = played(repository, github, workflow, "synchronize", SECOND)
    assert (did.exit, did.outputs["mode"], states(github, SECOND)) == (0, "check", ["pending"])

    github.pulls[7]["labels"] = [LABEL]
    did = played(repository, github, workflow, "labeled", SECOND)
    assert (did.exit, did.outputs["mode"], did.code) == (0, "live", 0)
    assert (github.pulls[7]["labels"], states(github, SECOND)[-1]) == ([], "success")
    assert states(github, FIRST)[-1] == "failure"
    assert len(comments(github)) == 1
    assert "## guardgate live: 0: held" in comments(github)[0]
