"""Redirects: within the API they are followed, elsewhere only for artifacts, and the token never leaves its origin."""

from __future__ import annotations

import pytest

from tests.github.make import bad, good, standing_in
from tests.support.github import TOKEN, sha_of
from tests.support.server import Answer, Server


def moved(to: str, status: int = 301) -> Answer:
    return Answer(b'{"message": "Moved Permanently"}', status, {"location": to})


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("absolute", [True, False])
def test_a_renamed_repository_is_found(status: int, absolute: bool) -> None:
    with standing_in(prefix="/api/v3") as (github, api, _):
        github.add_pull(8)
        to = f"{github.base if absolute else '/api/v3'}/repos/acme/bot/pulls/8"
        github.fail("GET .*/pulls/8", moved(to, status))
        assert good(api.pull(8)).number == 8
        assert github.seen[-1].headers["Authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize("status", [307, 308])
def test_a_change_is_sent_on_as_it_is(status: int) -> None:
    with standing_in() as (github, api, _):
        github.add_pull(7)
        github.fail("POST .*/comments", moved(f"{github.base}/repos/acme/bot/issues/7/comments", status))
        assert good(api.create_comment(7, "hello")).body == "hello"


@pytest.mark.parametrize("status", [301, 302])
def test_a_change_that_would_become_another_request_is_not_sent_on(status: int) -> None:
    with standing_in() as (github, api, _):
        github.add_pull(7)
        github.fail("POST .*/comments", moved(f"{github.base}/repos/acme/bot/issues/7/comments", status))
        assert bad(api.create_comment(7, "hello")).kind == "redirected"
        assert len(github.seen) == 1


@pytest.mark.parametrize(
    "to",
    [
        "{other}/repos/acme/bot/pulls/7",
        "//{host}/repos/acme/bot/pulls/7",
        "https://127.0.0.1:{port}/",
        "http://user:word@127.0.0.1:{port}/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "http://[broken",
    ],
)
def test_another_origin_is_not_asked(to: str) -> None:
    with Server(Answer({"number": 7})) as other, standing_in() as (github, api, _):
        where = to.format(other=other.url, host=f"127.0.0.1:{other.port}", port=github.server.port)
        github.fail("GET", moved(where))
        assert bad(api.pull(7)).kind == "redirected"
        assert (other.seen, len(github.seen)) == ([], 1)


@pytest.mark.parametrize("to", ["http://a\u00e4\u2024b/", "http://127.0.0.1:99999/", "http://a\x01b/", "http://\xff"])
def test_what_is_no_address_is_not_asked(to: str) -> None:
    with standing_in() as (github, api, _):
        github.fail("GET", moved(to), times=9)
        assert bad(api.pull(7)).kind in ("redirected", "unavailable")
        assert set(github.asked) == {"GET /repos/acme/bot/pulls/7"}


def test_a_circle_of_redirects_ends() -> None:
    with standing_in() as (github, api, _):
        github.fail("GET", moved("/repos/acme/bot/pulls/7"), times=99)
        assert bad(api.pull(7)).kind == "redirected"
        assert len(github.seen) == 4


@pytest.mark.parametrize("status", [300, 301, 303, 304])
def test_a_redirect_without_an_address_is_malformed(status: int) -> None:
    with standing_in() as (github, api, _):
        github.fail("GET", Answer(status=status))
        assert bad(api.pull(7)).kind == "malformed"
        assert len(github.seen) == 1


def test_an_artifact_is_fetched_from_its_storage_without_the_token() -> None:
    with Server(moved("/b/2.zip?signature=more", 302), Answer(b"PK and more")) as storage:
        with standing_in(storage=f"{storage.url}/a") as (github, api, _):
            own = github.add_artifact(3, "results", b"")
            assert good(api.download(own)) == b"PK and more"
        assert [one.path for one in storage.seen] == [f"/a/{own}.zip", "/b/2.zip"]
        for one in storage.seen:
            assert "authorization" not in {name.lower() for name in one.headers}
            assert TOKEN not in str(one)


@pytest.mark.parametrize("to", ["ftp://127.0.0.1/a", "file:///etc/passwd", "http://user:word@127.0.0.1:1/a"])
def test_an_artifact_is_not_fetched_from_anything_else(to: str) -> None:
    with standing_in() as (github, api, _):
        github.fail("GET .*/zip", moved(to, 302))
        failure = bad(api.download(1))
        assert failure.kind == "redirected"


def test_a_storage_that_leads_back_gets_no_token_on_the_way() -> None:
    with standing_in() as (github, api, _):
        github.files[sha_of("base"), "secret"] = b"of the repository"
        back = f"{github.base}/repos/acme/bot/contents/secret?ref={sha_of('base')}"
        with Server(moved(back, 302)) as storage:
            github.storage = storage.url
            own = github.add_artifact(3, "results", b"")
            failure = bad(api.download(own))
        assert (failure.kind, failure.status) == ("permission", 401)
        assert "Authorization" not in github.seen[-1].headers
        github.problems.clear()  # without its headers on purpose


def test_a_storage_that_fails_is_told_without_its_signature() -> None:
    with (
        Server(Answer(b"<Error>expired</Error>", 403)) as storage,
        standing_in(storage=storage.url) as (github, api, _),
    ):
        failure = bad(api.download(github.add_artifact(3, "results", b"")))
    assert "signature" not in failure.text
    assert failure.kind == "permission"
