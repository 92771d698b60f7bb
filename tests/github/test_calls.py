"""Each call against the stand-in; where GitHub's description is there, it judges both sides."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from guardgate.github.api import Api, Removed
from tests.github.make import Watch, bad, good, standing_in
from tests.support.github import BOT, GitHub, sha_of
from tests.support.github.routes import as_json

HEAD, BASE = sha_of("head"), sha_of("base")
World = tuple[GitHub, Api, Watch]


@pytest.fixture(params=["", "/api/v3"], ids=["public", "enterprise"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    with standing_in(prefix=request.param) as made:
        yield made


def test_a_pull_request_is_what_github_says_now(world: World) -> None:
    github, api, _ = world
    github.add_pull(7, labels=["guardgate:live"], title="Softer words")
    found = good(api.pull(7))
    assert (found.number, found.state, found.draft, found.title) == (7, "open", False, "Softer words")
    assert (found.head_sha, found.base_sha, found.head_ref, found.base_ref) == (HEAD, BASE, "topic", "main")
    assert (found.author, found.label_names, found.fork) == ("author", ("guardgate:live",), False)
    github.pulls[7]["head"] = sha_of("pushed")
    assert good(api.pull(7)).head_sha == sha_of("pushed")
    assert bad(api.pull(8)).kind == "missing"


@pytest.mark.parametrize("head_repo", ["somebody/bot", None])
def test_a_fork_is_one_also_when_it_is_gone(head_repo: str | None) -> None:
    # the description says that there is always a repository; the events that GitHub sends say null
    more = {} if head_repo else {"description": None}
    with standing_in(**more) as (github, api, _):
        github.add_pull(7, head_repo=head_repo)
        assert good(api.pull(7)).fork


@pytest.mark.parametrize(
    ("permission", "role", "writes"),
    [
        ("admin", "admin", True),
        ("write", "maintain", True),
        ("write", "write", True),
        ("write", "release-manager", True),
        ("read", "triage", False),
        ("read", "read", False),
        ("read", "reviewer", False),
        ("none", "none", False),
        ("write", "triage", False),
        ("admin", "none", False),
    ],
)
def test_who_may_write(permission: str, role: str, writes: bool) -> None:
    with standing_in() as (github, api, _):
        github.roles["dave"] = (permission, role)
        found = good(api.permission("dave"))
        assert (found.permission, found.role_name, found.writes) == (permission, role, writes)
        assert bad(api.permission("stranger")).kind == "missing"


@pytest.mark.parametrize("name", ["guardgate:live", "a/b c", "100%", "é\u202e#?"])
def test_a_label_is_removed_once(world: World, name: str) -> None:
    github, api, _ = world
    github.add_pull(7, labels=["other", name])
    assert good(api.remove_label(7, name)) == Removed(was_there=True)
    assert github.pulls[7]["labels"] == ["other"]
    assert good(api.remove_label(7, name)) == Removed(was_there=False)
    assert bad(api.remove_label(8, name)).kind == "missing"


@pytest.mark.parametrize("name", ["", ".", "..", "\ud800"])
def test_a_name_that_would_reach_another_call_is_not_asked_for(name: str) -> None:
    with standing_in() as (github, api, _):
        github.add_pull(7, labels=["other"])
        assert bad(api.remove_label(7, name)).kind == "refused"
        assert bad(api.permission(name)).kind == "refused"
        assert github.asked == []


def test_statuses_come_with_context_and_creator(world: World) -> None:
    github, api, _ = world
    made = good(api.create_status(HEAD, state="pending", context="guardgate/live", description="waits"))
    assert (made.state, made.context, made.description, made.creator) == ("pending", "guardgate/live", "waits", BOT)
    github.add_status(HEAD, "mallory", state="success", context="guardgate/live", description="code 0")
    url = "https://github.test/run"
    good(api.create_status(HEAD, state="failure", context="guardgate/live", description="code 2", target_url=url))
    found = good(api.statuses(HEAD))
    assert [(one.creator, one.state) for one in found] == [(BOT, "failure"), ("mallory", "success"), (BOT, "pending")]
    assert found[0].target_url == url
    assert found[0].order > found[1].order > found[2].order
    assert good(api.statuses(BASE)) == ()
    assert bad(api.statuses("main")).kind == "refused"


def test_a_comment_is_made_changed_and_deleted(world: World) -> None:
    github, api, _ = world
    github.add_pull(7)
    made = good(api.create_comment(7, "<!-- mark -->\nfirst \u202e"))
    assert (made.author, made.body) == (BOT, "<!-- mark -->\nfirst \u202e")
    assert made.html_url.startswith("https://")
    assert good(api.update_comment(made.id, "second")).body == "second"
    assert [one.body for one in good(api.comments(7))] == ["second"]
    assert good(api.delete_comment(made.id)) == Removed(was_there=True)
    assert good(api.delete_comment(made.id)) == Removed(was_there=False)
    assert bad(api.update_comment(made.id, "third")).kind == "missing"
    assert good(api.comments(7)) == ()


def test_an_issue_is_opened_changed_and_closed(world: World) -> None:
    _, api, _ = world
    made = good(api.create_issue("Night run", "It was 2.", ["guardgate"]))
    assert (made.author, made.state, made.body, made.is_pull) == (BOT, "open", "It was 2.", False)
    other = good(api.create_issue("Other", "A question.", []))
    assert [one.number for one in good(api.issues())] == [other.number, made.number]
    assert [one.number for one in good(api.issues(labels=["guardgate"]))] == [made.number]
    good(api.update_issue(made.number, body="It was 0.", state="closed"))
    changed = good(api.issues(state="all", keep=lambda one: one.title == "Night run"))
    assert [(one.state, one.body) for one in changed] == [("closed", "It was 0.")]
    assert [one.number for one in good(api.issues())] == [other.number]


def test_artifacts_of_a_run_and_one_as_a_zip(world: World) -> None:
    github, api, _ = world
    kept = github.add_artifact(3301, "guardgate-results", b"PK\3\4 and more")
    gone = github.add_artifact(3301, "old", b"PK", expired=True)
    github.add_artifact(3302, "of another run", b"PK")
    found = good(api.artifacts(3301))
    assert [(one.name, one.size, one.run, one.expired) for one in found] == [
        ("guardgate-results", 13, 3301, False),
        ("old", 2, 3301, True),
    ]
    assert good(api.download(kept)) == b"PK\3\4 and more"
    assert bad(api.download(gone)).kind == "missing"
    assert bad(api.download(kept, limit=12)).kind == "too_large"


def test_a_file_at_a_commit(world: World) -> None:
    github, api, _ = world
    data = bytes(range(256)) * 20
    github.files[BASE, "a b/rules.yaml"] = data
    github.files[BASE, "large"] = b"x" * (1024 * 1024 + 1)
    assert good(api.file("a b/rules.yaml", BASE)) == data
    assert bad(api.file("a b/rules.yaml", HEAD)).kind == "missing"
    assert bad(api.file("a b", BASE)).kind == "malformed"
    assert bad(api.file("large", BASE)).kind == "malformed"
    asked = len(github.asked)
    for path in ("", "../secret", "a//b", "/etc/passwd", "./x"):
        assert bad(api.file(path, BASE)).kind == "refused"
    assert bad(api.file("a", "main")).kind == "refused"
    assert len(github.asked) == asked


def test_two_commits_are_compared(world: World) -> None:
    github, api, _ = world
    github.changed[BASE, HEAD] = {"constraints.yaml": "modified", "new.yaml": "added"}
    found = good(api.compare(BASE, HEAD))
    assert (found.status, found.ahead_by, found.behind_by, found.merge_base) == ("ahead", 1, 0, BASE)
    assert [(one.filename, one.status) for one in found.files] == [
        ("constraints.yaml", "modified"),
        ("new.yaml", "added"),
    ]
    assert found.complete
    github.changed[BASE, HEAD] = {f"{n}.yaml": "modified" for n in range(300)}
    assert not good(api.compare(BASE, HEAD)).complete
    assert bad(api.compare(BASE, "main")).kind == "refused"


def test_whom_the_token_speaks_for(world: World) -> None:
    github, api, _ = world
    assert good(api.login()) == BOT
    github.login = "own-app[bot]"
    assert good(api.login()) == "own-app[bot]"


def test_a_login_that_nobody_tells_is_a_failure() -> None:
    with standing_in() as (github, api, _):
        github.fail("POST /graphql", as_json({"errors": [{"message": "no"}]}))
        assert bad(api.login()).kind == "permission"
        assert github.asked == ["POST /graphql", "GET /user"]
