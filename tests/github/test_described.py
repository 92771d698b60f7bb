"""Every call held against the whole description that GitHub publishes, and the stand-in against itself."""

from __future__ import annotations

import json

import pytest

from guardgate.github.api import Api
from guardgate.github.exchange import Request
from tests.github.make import bad, good, standing_in
from tests.support import npm
from tests.support.github import GitHub, described, rules, sha_of
from tests.support.github.described import Description
from tests.support.left_out import skip_if_left_out
from tests.support.server import Answer, Seen

#: The description of every call, made for Octokit from the one that GitHub publishes (MIT).
WHOLE = npm.Member(
    "@octokit/openapi",
    "23.0.2",
    "sha512-pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==",
    "package/generated/api.github.com.json",
    "829b4bebb19a53133289f7b0bc819f4f1118115821db2ca9f25e9ee995a7da2a",
)
HEAD, BASE = sha_of("head"), sha_of("base")
#: A description with one call, so that the judge itself is tested everywhere.
_SCHEMA = {"type": "object", "required": ["number"], "properties": {"id": {"type": "integer"}}}
_GET = {"responses": {"200": {"description": "it", "content": {"application/json": {"schema": _SCHEMA}}}}}
_NAMES = [
    {"name": name, "in": "path", "required": True, "schema": {"type": kind}}
    for name, kind in (("owner", "string"), ("repo", "string"), ("number", "integer"))
]
SMALL = {
    "openapi": "3.0.3",
    "info": {"title": "small", "version": "1"},
    "paths": {"/repos/{owner}/{repo}/pulls/{number}": {"parameters": _NAMES, "get": _GET}},
}


def everything(github: GitHub, api: Api) -> None:
    """Each call of the client, with what it is answered when all is well, and some refusals."""
    github.add_pull(7, labels=["live", "a/b"])
    github.roles["dave"] = ("write", "maintain")
    github.files[BASE, "persona/rules.yaml"] = b"rules: []\n"
    github.changed[BASE, HEAD] = {"rules.yaml": "modified"}
    good(api.pull(7))
    good(api.permission("dave"))
    bad(api.permission("stranger"))
    good(api.remove_label(7, "a/b"))
    good(
        api.create_status(HEAD, state="pending", context="guardgate/live", description="d", target_url="https://x.test")
    )
    bad(api.create_status(HEAD, state="error", context="guardgate/live", description="d" * 141))
    good(api.statuses(HEAD))
    one = good(api.create_comment(7, "hello"))
    good(api.update_comment(one.id, "changed"))
    good(api.comments(7))
    good(api.delete_comment(one.id))
    issue = good(api.create_issue("Night run", "It was 2.", ["guardgate"]))
    good(api.update_issue(issue.number, title="Night", body="It was 0.", state="closed"))
    good(api.issues(state="all", labels=["guardgate"]))
    artifact = github.add_artifact(3301, "results", b"PK")
    good(api.artifacts(3301))
    good(api.download(artifact))
    good(api.file("persona/rules.yaml", BASE))
    good(api.compare(BASE, HEAD))
    good(api.login())
    github.fail("POST .*/graphql", Answer(b"{}"))
    bad(api.login())


def test_every_call_is_as_github_describes_it() -> None:
    skip_if_left_out("npm")
    whole = Description(json.loads(npm.read(WHOLE)), whole=True)
    with standing_in(description=whole, prefix="/api/v3") as (github, api, _):
        everything(github, api)
        assert len(github.seen) > 20


def test_every_call_is_as_the_part_of_the_description_beside_the_project_says() -> None:
    with standing_in(description=described.shared()) as (github, api, _):
        everything(github, api)


@pytest.mark.parametrize(
    ("line", "answer", "problem"),
    [
        ("GET /repos/a/b/pulls/7", Answer({"number": 7, "id": 3}), None),
        ("GET /repos/a/b/pulls/x", Answer({"number": 7}), "GET /repos/a/b/pulls/x: "),
        ("GET /repos/a/b/pulls/7", Answer({"id": 3}), "'number' is a required property"),
        ("GET /repos/a/b/pulls/7", Answer({"number": 7, "id": "3"}), "is not of type 'integer'"),
        ("GET /repos/a/b/pulls/7", Answer({"number": 7}, 201), "201 is not described"),
        ("GET /repos/a/b/pulls/7", rules.NOT_FOUND, None),
        ("GET /repos/a/b/other/7", Answer({}), "not described"),
        ("POST /graphql", Answer({}), None),
    ],
)
def test_the_judge_of_the_stand_in_sees_what_is_wrong(line: str, answer: Answer, problem: str | None) -> None:
    method, path = line.split()
    found = Description(SMALL, whole=True).problems(Seen(method, path, {}, {}, b""), answer, "")
    assert (found == []) if problem is None else (problem in found[0])


def test_a_problem_fails_the_test_that_caused_it() -> None:
    def unknown_call() -> None:
        with standing_in() as (github, api, _):
            assert bad(api._wire.send(Request("GET", f"{github.base}/repos/acme/bot/branches"))).kind == "missing"

    with pytest.raises(AssertionError, match="does not know this call"):
        unknown_call()
