"""The live status: what a code puts on a commit, what is read back, whom it is believed, and that a break sticks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.github.records import CommitStatus, State
from guardgate.github.status import (
    CONTEXT,
    DESCRIPTION_CHARS,
    NO_PLAN,
    PLAN_CHARS,
    WAITING,
    Live,
    Said,
    Standing,
    live,
    publish,
    read_standing,
    said,
    standing,
    sticking,
)
from tests.github.make import bad, good, standing_in
from tests.support.github import BOT, sha_of

PLAN = "0123456789abcdef" * 4
OTHER = "fedcba9876543210" * 4
HEAD = sha_of("head")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

codes = st.integers(0, 3)


def status(
    text: Live | str, state: State | None = None, *, at: int = 0, by: str | None = BOT, context: str = CONTEXT
) -> CommitStatus:
    told = text if isinstance(text, Live) else Live(state or "success", text)
    return CommitStatus.model_construct(
        id=1_000 + at,
        state=state or told.state,
        context=context,
        description=told.description,
        creator=by,
        created_at=NOON + timedelta(seconds=at),
    )


def history(*texts: Live | CommitStatus) -> list[CommitStatus]:
    """Statuses one second apart, in the order in which GitHub lists them."""
    made = [one if isinstance(one, CommitStatus) else status(one, at=at) for at, one in enumerate(texts)]
    return made[::-1]


@pytest.mark.parametrize(
    ("code", "state", "description"),
    [
        (0, "success", "code 0, plan 0123456789ab: every attempted rule held"),
        (1, "failure", "code 1, plan 0123456789ab: a soft rule fell below its threshold"),
        (2, "failure", "code 2, plan 0123456789ab: a hard rule broke"),
        (3, "error", "code 3, plan 0123456789ab: the run could not complete"),
    ],
)
def test_what_a_code_puts_there(code: int, state: str, description: str) -> None:
    assert live(code, PLAN) == Live(state, description)  # type: ignore[arg-type]


def test_only_a_whole_run_with_0_is_a_success() -> None:
    made = {
        (code, narrowed): live(code, PLAN, narrowed=narrowed).state for code in range(4) for narrowed in (False, True)
    }
    assert [key for key, state in made.items() if state == "success"] == [(0, False)]
    assert made[0, True] == "pending"
    assert WAITING.state == "pending"


def test_earlier_codes_are_listed() -> None:
    told = live(2, PLAN, words="R03 broke in an earlier run", earlier=(2, 0))
    assert told.description == "code 2, plan 0123456789ab, earlier 2 0: R03 broke in an earlier run"
    assert said(status(told)) == Said(2, PLAN[:PLAN_CHARS])


@given(code=codes, words=st.text(max_size=300), narrowed=st.booleans(), earlier=st.lists(codes, max_size=30))
def test_any_words_fit_and_the_code_is_read_back(code: int, words: str, narrowed: bool, earlier: list[int]) -> None:
    told = live(code, PLAN, words=words, narrowed=narrowed, earlier=earlier)
    assert len(told.description.encode("utf-16-le")) <= 2 * DESCRIPTION_CHARS
    assert "\n" not in told.description
    assert said(status(told)) == Said(code, PLAN[:PLAN_CHARS], narrowed)


@pytest.mark.parametrize(("code", "plan"), [(4, PLAN), (-1, PLAN), (0, "short"), (0, ""), (0, "XYZ" * 10)])
def test_no_other_code_and_no_other_plan_is_written(code: int, plan: str) -> None:
    with pytest.raises(ValueError, match="expected a code from 0 to 3"):
        live(code, plan)


@given(text=st.text(max_size=150), state=st.sampled_from(["error", "failure", "pending", "success"]))
def test_a_text_that_is_not_ours_is_never_a_success(text: str, state: State) -> None:
    found = standing([status(text, state)], BOT)
    assert found.code == (None if state == "pending" else 3)
    assert found.runs == ()


@given(code=codes, narrowed=st.booleans(), state=st.sampled_from(["error", "failure", "pending", "success"]))
def test_words_and_state_must_agree(code: int, narrowed: bool, state: State) -> None:
    told = live(code, PLAN, narrowed=narrowed)
    found = standing([status(told, state)], BOT).code
    if state == told.state and state != "pending":
        assert found == code
    else:
        assert found == (None if state == "pending" else 3)


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ((), None),
        ((WAITING,), None),
        ((WAITING, live(0, PLAN)), 0),
        ((live(3, PLAN), live(0, PLAN)), 0),
        ((live(0, PLAN), live(3, PLAN)), 3),
        ((live(0, PLAN), live(1, PLAN)), 1),
        ((live(2, PLAN), live(0, OTHER)), 0),
        ((live(0, PLAN), WAITING), None),
        ((live(3, PLAN), WAITING), None),
        ((live(2, PLAN), WAITING), 2),
        ((live(2, PLAN), WAITING, WAITING), 2),
        ((live(2, PLAN), live(0, PLAN, narrowed=True)), 2),
        ((live(0, PLAN, narrowed=True),), None),
        ((live(2, PLAN, narrowed=True),), 2),
    ],
)
def test_the_last_decision_counts_and_pending_leaves_a_break(texts: tuple[Live, ...], code: int | None) -> None:
    assert standing(history(*texts), BOT).code == code
    assert standing(history(*texts), BOT).seen is bool(texts)


@pytest.mark.parametrize("by", ["mallory", "Github-actions", "github-actions", None])
def test_the_status_of_somebody_else_says_nothing(by: str | None) -> None:
    forged = status(live(0, PLAN), at=9, by=by)
    assert standing([forged], BOT) == Standing(None)
    assert standing([forged, *history(live(2, PLAN))], BOT).code == 2
    assert standing([status(live(0, PLAN), at=9, context="guardgate/other"), *history(live(3, PLAN))], BOT).code == 3


def test_logins_and_contexts_are_compared_as_github_does() -> None:
    assert standing([status(live(0, PLAN), by="GitHub-Actions[bot]", context="GuardGate/Live")], BOT).code == 0


def test_two_statuses_of_one_second_are_ordered_by_their_number() -> None:
    first, second = status(live(2, PLAN), at=1), status(live(0, PLAN), at=2)
    second = second.model_copy(update={"created_at": first.created_at})
    assert standing([second, first], BOT).code == 0
    assert standing([first, second], BOT).code == 0


@given(code=codes, earlier=st.lists(codes, max_size=6))
def test_a_hard_break_sticks_to_its_commit_and_plan(code: int, earlier: list[int]) -> None:
    before = standing(history(*(live(one, PLAN) for one in earlier)), BOT)
    assert before.earlier(PLAN) == tuple(earlier)
    broke = 2 in earlier
    assert sticking(code, PLAN, before) == (2 if broke and code in (0, 1) else code)
    assert sticking(code, OTHER, before) == code
    assert sticking(code, PLAN, before, signed="0" * 64) == sticking(code, PLAN, before), "nobody signed that break"


@pytest.mark.parametrize(("signed", "code"), [("", 2), (OTHER, 2), ("ab" * 32, 0)])
def test_a_mark_ends_the_break_that_it_speaks_of_and_no_other(signed: str, code: int) -> None:
    before = standing(history(live(2, PLAN, broke="ab" * 32)), BOT)
    assert sticking(0, PLAN, before, signed=signed) == code


def test_a_break_in_a_run_without_an_end_sticks_too() -> None:
    told = live(3, PLAN, broke="ab" * 32)
    assert told.description.startswith("code 3, broke abababab, plan ")
    before = standing(history(told), BOT)
    assert (before.code, sticking(0, PLAN, before), sticking(3, PLAN, before)) == (3, 2, 3)
    assert standing(history(told, WAITING), BOT).code == 2


@pytest.mark.parametrize("later", [live(3, PLAN), live(1, OTHER), live(3, OTHER)])
def test_no_later_red_run_makes_a_pending_one_forget_the_break(later: Live) -> None:
    assert standing(history(live(2, PLAN), later, WAITING), BOT).code == 2


def test_a_break_of_an_unknown_plan_stands_for_every_plan() -> None:
    before = standing(history(live(3, NO_PLAN, broke="ab" * 32, narrowed=True)), BOT)
    assert sticking(0, PLAN, before) == 2


def test_an_author_that_is_guessed_reads_nobody_elses_status() -> None:
    with standing_in() as (github, api, _):
        good(publish(api, HEAD, live(0, PLAN)))
        assert good(read_standing(api, HEAD, BOT, sure=False)).code == 0
        github.add_status(HEAD, "bot-app[bot]", context=CONTEXT, state="failure", description=live(2, PLAN).description)
        assert "whom the token speaks for" in bad(read_standing(api, HEAD, BOT, sure=False)).text
        assert good(read_standing(api, HEAD, BOT)).code == 0


def test_the_whole_way_on_a_commit() -> None:
    with standing_in() as (github, api, _):
        assert good(read_standing(api, HEAD, BOT)) == Standing(None)
        good(publish(api, HEAD, WAITING))
        assert good(read_standing(api, HEAD, BOT)) == Standing(None, seen=True)
        good(publish(api, HEAD, live(2, PLAN), target_url="https://github.test/run"))
        github.add_status(HEAD, "mallory", context=CONTEXT, state="success", description=live(0, PLAN).description)
        before = good(read_standing(api, HEAD, BOT))
        assert before.code == 2
        code = sticking(0, PLAN, before)
        good(publish(api, HEAD, live(code, PLAN, earlier=(*before.earlier(PLAN), 0))))
        last = good(api.statuses(HEAD))[0]
        assert (last.state, last.description) == (
            "failure",
            "code 2, plan 0123456789ab, earlier 2 0: a hard rule broke",
        )
        assert good(read_standing(api, sha_of("next"), BOT)) == Standing(None)


def test_a_token_that_may_not_write_statuses_is_told() -> None:
    with standing_in(may={"issues"}) as (_, api, _):
        assert bad(publish(api, HEAD, WAITING)).kind == "permission"
