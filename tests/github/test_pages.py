"""Lists are whole, or a failure: pages of a hundred, links that lead on, and links that lead astray."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.github.pages import _next_page
from tests.github.make import bad, good, standing_in
from tests.support.github.routes import as_json
from tests.support.github.shapes import comment, sha_of


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 250])
def test_all_pages_are_read_and_no_page_more(count: int) -> None:
    with standing_in(prefix="/api/v3") as (github, api, _):
        github.add_pull(7)
        own = [github.add_comment(7, f"comment {n}") for n in range(count)]
        assert [one.id for one in good(api.comments(7))] == own
        assert len(github.seen) == max(1, -(-count // 100))
        assert {one.query["per_page"] for one in github.seen} == {"100"}


def test_what_nobody_wants_is_not_kept() -> None:
    with standing_in() as (github, api, _):
        github.add_pull(7)
        for n in range(150):
            github.add_comment(7, "x" * 1_000, "somebody" if n != 120 else github.login)
        found = good(api.comments(7, keep=lambda one: one.author == github.login))
        assert len(found) == 1


def test_statuses_and_artifacts_have_pages_too() -> None:
    with standing_in() as (github, api, _):
        for n in range(130):
            github.add_status(sha_of("head"), context=f"c{n}", state="success")
            github.add_artifact(3, f"a{n}", b"PK")
        assert len(good(api.statuses(sha_of("head")))) == 130
        assert len(good(api.artifacts(3))) == 130


def test_a_page_that_is_missing_leaves_no_list() -> None:
    with standing_in() as (github, api, _):
        github.add_pull(7)
        for n in range(150):
            github.add_comment(7, f"comment {n}")
        pages = iter([False, True])
        plain = github._answer
        github.server._answers = (lambda seen: as_json([], 404) if next(pages) else plain(seen),)
        assert bad(api.comments(7)).kind == "missing"


@pytest.mark.parametrize(
    "link",
    [
        "https://elsewhere.test/comments?page=2",
        "http://127.0.0.1:1/comments?page=2",
        "/repos/acme/bot/issues/7/comments?page=2",
        "http://[broken",
        "",
    ],
)
def test_a_next_page_elsewhere_is_not_asked_for(link: str) -> None:
    with standing_in() as (github, api, _):
        github.fail("GET .*/comments", as_json([], link=f'<{link}>; rel="next"'))
        failure = bad(api.comments(7))
        assert failure.kind == "malformed"
        assert "leads elsewhere" in failure.text
        assert len(github.seen) == 1


def test_pages_in_a_circle_end() -> None:
    with standing_in() as (github, api, _):
        at = f"{github.base}/repos/acme/bot/issues/7/comments?page=2"
        github.fail("GET .*/comments", as_json([], link=f'<{at}>; rel="next"'), times=9)
        assert bad(api.comments(7)).kind == "malformed"
        assert len(github.seen) == 2


def test_pages_without_end_are_not_read_for_ever() -> None:
    with standing_in() as (github, api, _):
        one = comment(github.base, github.repository, 7, 1, "somebody", "again", 0)

        def endless(seen: object) -> object:
            at = f"{github.base}/repos/acme/bot/issues/7/comments?page={len(github.seen) + 1}"
            return as_json([one], link=f'<{at}>; rel="next"')

        github.server._answers = (endless,)  # type: ignore[assignment]
        assert bad(api.comments(7)).kind == "too_large"
        assert len(github.seen) == 100


def test_an_entry_that_is_none_spoils_the_list() -> None:
    with standing_in() as (github, api, _):
        one = comment(github.base, github.repository, 7, 1, None, "by nobody", 0)
        github.fail("GET .*/comments", as_json([one, {**one, "id": "2"}]))
        failure = bad(api.comments(7))
        assert failure.kind == "malformed"
        assert "1.id: Input should be a valid integer" in failure.text
        github.fail("GET .*/comments", as_json([one]))
        assert [(found.author, found.body) for found in good(api.comments(7))] == [(None, "by nobody")]


@given(header=st.text(max_size=80) | st.from_regex(r"<[^<>,]{0,20}>; ?rel=\"?(next|last)\"?(, <x>; rel=\"next\")?"))
def test_any_link_header_leads_to_one_text_or_to_none(header: str) -> None:
    found = _next_page(header)
    assert found is None or f"<{found}>" in header
