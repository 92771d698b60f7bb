"""What is waited for, for how long, and what never. No test waits: time is a watch in the test's hand."""

from __future__ import annotations

import pytest

from guardgate.github.wire import PATIENCE
from tests.github.make import START, bad, good, standing_in
from tests.support.github import rules, sha_of
from tests.support.server import Answer

HEAD = sha_of("head")
LIMITED = "You have exceeded a secondary rate limit."


def refused(status: int, message: str = LIMITED, **headers: str) -> Answer:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return rules.told(status, message, headers=told)


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after": "7", "x_ratelimit_remaining": "0", "x_ratelimit_reset": str(int(START) + 30)}, 7.0),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": str(int(START) + 30)}, 30.0),
        ({"x_ratelimit_remaining": "5", "x_ratelimit_reset": str(int(START) + 30)}, 60.0),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "soon"}, 60.0),
        ({"retry_after": "-3"}, 60.0),
        ({"retry_after": "Mon, 12 Jan 1970 13:47:05 GMT"}, 25.0),
        ({}, 60.0),
        ({"retry_after": "0"}, 1.0),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "5"}, 1.0),
    ],
)
def test_github_says_how_long_to_wait(status: int, headers: dict[str, str], waits: float) -> None:
    with standing_in() as (github, api, watch):
        github.add_pull(7)
        github.fail("POST .*/comments", refused(status, **headers))
        assert good(api.create_comment(7, "hello")).body == "hello"
        assert watch.slept == [waits]
        assert github.asked == ["POST /repos/acme/bot/issues/7/comments"] * 2


@pytest.mark.parametrize("after", ["91", "86400", "9" * 11])
def test_a_wait_beyond_the_patience_is_not_begun(after: str) -> None:
    with standing_in() as (github, api, watch):
        github.fail("GET .*/pulls", refused(429, retry_after=after))
        failure = bad(api.pull(7))
        assert (failure.kind, failure.status) == ("rate_limited", 429)
        assert (watch.slept, len(github.seen)) == ([], 1)


def test_all_calls_together_have_one_patience() -> None:
    with standing_in() as (github, api, watch):
        github.add_pull(7)
        github.fail("GET", refused(403), times=1)
        good(api.pull(7))
        github.fail("GET", refused(403), times=1)
        assert bad(api.pull(7)).kind == "rate_limited"
        assert watch.slept == [60.0]
        github.fail("GET", refused(429, retry_after="20"), times=9)
        assert bad(api.pull(7)).kind == "rate_limited"
        assert watch.slept == [60.0, 20.0]
        assert sum(watch.slept) <= PATIENCE


def test_a_limit_that_always_says_at_once_is_no_loop() -> None:
    with standing_in() as (github, api, watch):
        github.fail("GET", refused(429, retry_after="0"), times=99)
        assert bad(api.pull(7)).kind == "rate_limited"
        assert watch.slept == [1.0, 2.0, 4.0, 8.0, 16.0]


@pytest.mark.parametrize("status", [403, 429])
def test_a_permission_is_never_asked_for_twice(status: int) -> None:
    with standing_in() as (github, api, watch):
        exhausted = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": str(int(START) + 5), "retry_after": "1"}
        github.fail("POST", refused(status, "Resource not accessible by integration", **exhausted))
        failure = bad(api.create_status(HEAD, state="pending", context="c", description="d"))
        assert failure.kind == "permission"
        assert "Resource not accessible by integration" in failure.text
        assert (watch.slept, len(github.seen)) == ([], 1)


def test_a_read_only_token_changes_nothing() -> None:
    with standing_in(may=set()) as (github, api, watch):
        github.add_pull(7, labels=["live"])
        own = github.add_comment(7, "mine", github.login)
        calls = [
            api.create_comment(7, "x"),
            api.update_comment(own, "x"),
            api.delete_comment(own),
            api.remove_label(7, "live"),
            api.create_status(HEAD, state="pending", context="c", description="d"),
            api.create_issue("t", "b"),
            api.artifacts(3),
        ]
        assert [bad(call).kind for call in calls] == ["permission"] * len(calls)
        assert (watch.slept, len(github.seen)) == ([], len(calls))
        assert good(api.pull(7)).label_names == ("live",)


def test_the_hourly_limit_is_waited_for_when_it_ends_soon() -> None:
    with standing_in(remaining=1, reset=int(START) + 40) as (github, api, watch):
        github.add_pull(7)
        good(api.pull(7))
        assert bad(api.pull(7)).kind == "rate_limited"
        assert watch.slept[0] == 40.0


def test_more_than_eighty_creations_a_minute_wait_for_the_next() -> None:
    with standing_in() as (github, api, watch):
        github.add_pull(7)
        for n in range(81):
            good(api.create_comment(7, f"comment {n}"))
        assert watch.slept == [60.0]
        assert len(github.comments) == 81


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
def test_a_server_that_stumbles_is_asked_three_times(status: int) -> None:
    with standing_in() as (github, api, watch):
        github.add_pull(7)
        github.fail("GET", rules.told(status, "Server Error"), times=2)
        assert good(api.pull(7)).number == 7
        assert watch.slept == [1.0, 2.0]
        github.fail("GET", rules.told(status, "Server Error"), times=3)
        failure = bad(api.pull(7))
        assert (failure.kind, failure.status, failure.maybe_done) == ("unavailable", status, False)
        assert watch.slept == [1.0, 2.0, 1.0, 2.0]


@pytest.mark.parametrize("lost", [rules.told(502, "Server Error"), Answer(drop=True)], ids=["502", "reset"])
def test_what_may_have_been_done_is_not_done_twice(lost: Answer) -> None:
    with standing_in() as (github, api, watch):
        github.add_pull(7)
        github.fail("POST .*/comments", lost, done=True)
        github.fail("POST .*/issues$", lost, done=True)
        for failure in (bad(api.create_comment(7, "once")), bad(api.create_issue("once", "b"))):
            assert (failure.kind, failure.maybe_done) == ("unavailable", True)
        assert watch.slept == []
        assert [one.body for one in good(api.comments(7))] == ["once"]
        assert [one.title for one in good(api.issues())] == ["once"]


@pytest.mark.parametrize("lost", [rules.told(502, "Server Error"), Answer(drop=True)], ids=["502", "reset"])
def test_what_may_be_done_twice_is_sent_again(lost: Answer) -> None:
    with standing_in() as (github, api, watch):
        github.add_pull(7, labels=["live"])
        own = github.add_comment(7, "mine", github.login)
        github.fail("PATCH", lost, done=True)
        assert good(api.update_comment(own, "new")).body == "new"
        github.fail("POST .*/statuses", lost, done=True)
        good(api.create_status(HEAD, state="pending", context="c", description="d"))
        assert len(github.statuses[HEAD]) == 2
        github.fail("DELETE .*/labels", lost, done=True)
        assert not good(api.remove_label(7, "live")).was_there
        github.fail("DELETE .*/comments", lost, done=True)
        assert not good(api.delete_comment(own)).was_there
        assert watch.slept == [1.0] * 4


@pytest.mark.parametrize("status", [400, 404, 409, 410, 418, 422])
def test_what_github_will_not_do_is_asked_once(status: int) -> None:
    with standing_in() as (github, api, watch):
        github.fail("GET", rules.told(status, "No"))
        failure = bad(api.pull(7))
        assert failure.kind == ("missing" if status in (404, 410) else "refused")
        assert (watch.slept, len(github.seen)) == ([], 1)


def test_what_is_too_long_is_said_in_github_s_words() -> None:
    with standing_in() as (github, api, _):
        github.add_pull(7)
        own = github.add_comment(7, "mine", github.login)
        calls = [
            api.create_comment(7, "x" * 65_537),
            api.update_comment(own, "x" * 65_537),
            api.create_status(HEAD, state="success", context="c", description="x" * 141),
            api.create_issue("x" * 256, "b"),
        ]
        for call in calls:
            failure = bad(call)
            assert (failure.kind, failure.status) == ("refused", 422)
            assert "is too long (maximum is" in failure.text
        good(api.create_comment(7, "x" * 65_536))
        good(api.create_status(HEAD, state="success", context="c", description="x" * 140))
        good(api.create_issue("x" * 255, "b"))


def test_the_thousandth_status_of_a_context_is_the_last() -> None:
    with standing_in() as (github, api, _):
        for _ in range(1_000):
            github.add_status(HEAD, context="c", state="pending")
        assert bad(api.create_status(HEAD, state="success", context="c", description="d")).kind == "refused"
        good(api.create_status(HEAD, state="success", context="other", description="d"))
