"""What holds for any words: nothing is weaker than itself, no removal hides, and no strengthening is called weaker."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate.checks import parts
from guardgate.checks.base import Forbids, Seen
from guardgate.model.checks import Checks
from guardgate.record import Reply
from guardgate.report.softening import FORMATS, blocks, render
from guardgate.softening import KINDS, WEIGHTS, Compared, Softening
from guardgate.softening.atoms import Atom, atoms
from guardgate.softening.demands import missing
from tests.softening.edits import EDITS
from tests.softening.project import compared, fresh

WORD = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8).filter(lambda word: word.strip("\ufeff").strip())
WORDS = st.lists(WORD, min_size=1, max_size=5, unique=True)
SECRETS = st.sampled_from(["lion", "zebra", "crane", "otter", "heron", "viper", "gecko", "moose"])
#: No one of these is a part of another.
APART = st.lists(SECRETS, min_size=2, max_size=6, unique=True)
FORBIDDING: dict[str, Callable[[list[str]], Any]] = {
    "not_contains": lambda words: {"any": words},
    "not_regex": lambda words: {"any": words},
    "canary": lambda words: {"values": words},
    "tool_calls": lambda words: {"forbidden": [{"name": word} for word in words]},
}


def demands(kind: str, value: Any) -> tuple[Atom, ...]:
    return atoms(Checks.model_validate({kind: value}), {})


@pytest.mark.parametrize("kind", FORBIDDING)
@given(words=APART, data=st.data())
def test_any_single_value_that_is_not_forbidden_any_more_is_found(kind: str, words: list[str], data: Any) -> None:
    gone = data.draw(st.sampled_from(words))
    left = [word for word in words if word != gone]
    found = list(missing(demands(kind, FORBIDDING[kind](words)), demands(kind, FORBIDDING[kind](left))))
    assert [(one.kind, one.before.removesuffix("()")) for one in found] == [(f"check-{kind}", gone)]
    assert list(missing(demands(kind, FORBIDDING[kind](left)), demands(kind, FORBIDDING[kind](words)))) == []


@pytest.mark.parametrize("kind", FORBIDDING)
@given(words=WORDS, more=WORDS)
def test_what_is_forbidden_besides_makes_nothing_weaker(kind: str, words: list[str], more: list[str]) -> None:
    assert list(missing(demands(kind, FORBIDDING[kind](words)), demands(kind, FORBIDDING[kind](words + more)))) == []


@pytest.mark.parametrize("kind", ["contains", "regex"])
@given(words=APART, turn=st.sampled_from(["any", "last"]), data=st.data())
def test_a_choice_that_grows_and_a_list_that_shrinks_are_found(
    kind: str, words: list[str], turn: str, data: Any
) -> None:
    one = data.draw(st.sampled_from(words))
    fewer = [word for word in words if word != one]
    for key, weak, strong in (("any", words, fewer), ("all", fewer, words)):
        weaker, stronger = (demands(kind, {key: some, "turn": turn}) for some in (weak, strong))
        assert len(list(missing(stronger, weaker))) == 1
        assert list(missing(weaker, stronger)) == []


LETTERS = st.text(st.sampled_from("aAàbßＡıİ\u0301\u200b \u03bd\u0430"), min_size=1, max_size=4).filter(str.strip)


@pytest.mark.parametrize("kind", ["contains", "not_contains"])
@given(old=st.lists(LETTERS, min_size=1, max_size=2), new=st.lists(LETTERS, min_size=1, max_size=2),
       exact=st.tuples(st.booleans(), st.booleans()), around=st.tuples(LETTERS, LETTERS), data=st.data())  # fmt: skip
def test_where_nothing_is_said_no_reply_gets_away(
    kind: str, old: list[str], new: list[str], exact: tuple[bool, bool], around: tuple[str, str], data: Any
) -> None:
    """Every reply that broke the base breaks the head, unless something is said."""
    both = [{"any": words, "exact": one} for words, one in zip((old, new), exact, strict=True)]
    if exact[0] != exact[1] or list(missing(*(demands(kind, one) for one in both))):
        return
    reply = Seen(Reply(around[0] + " " + data.draw(st.sampled_from([*old, *new])) + " " + around[1]))
    before, after = (
        any(_breaks(part, reply) for part in parts(Checks.model_validate({kind: one}), {})) for one in both
    )
    assert after or not before


def _breaks(part: Any, seen: Seen) -> bool:
    return part.look(seen if isinstance(part, Forbids) else (seen,)) is not None


@given(st.integers(1, 9), st.integers(1, 9))
def test_bounds_are_weaker_in_one_direction(old: int, new: int) -> None:
    for key, weaker in (("max_words", new > old), ("max_chars", new > old), ("min_words", new < old)):
        assert bool(list(missing(demands("length", {key: old}), demands("length", {key: new})))) is weaker
    assert bool(list(missing(demands("latency", float(old)), demands("latency", float(new))))) is (new > old)


@settings(max_examples=25)
@given(st.lists(st.sampled_from(EDITS), max_size=4, unique=True))
def test_a_project_that_is_compared_with_itself_gives_nothing(edits: list[Any]) -> None:
    files = fresh()
    for edit in edits:
        try:
            edit.do(files)
        except (KeyError, IndexError):  # the edit before took it away
            return
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = compared(Path(folder), files, files)
        except AssertionError:  # together the edits make no valid project
            return
    assert found == Compared((), 0)


ANY = st.text(max_size=30)
SOFTENING = st.builds(
    Softening, kind=st.sampled_from(list(KINDS)), weight=st.sampled_from(WEIGHTS), on=st.just("rule"), name=ANY,
    part=ANY, before=ANY, after=ANY, file=ANY, line=st.integers(1, 9), side=st.sampled_from(["base", "head"]),
)  # fmt: skip


@given(st.lists(SOFTENING, max_size=5))
def test_text_of_any_characters_is_harmless_in_every_format(found: list[Softening]) -> None:
    for form in FORMATS:
        text = "".join(render(Compared(tuple(found), 1), form))
        text.encode()
        assert not any(ord(char) < 32 and char not in "\n\t" for char in text)
        for line in text.splitlines() if form != "json" else ():
            assert not line.startswith("::") or form == "github", line
            assert "##[" not in line
            assert "::" not in line.removeprefix("::").replace("::", "", 1 if form == "github" else 0), line
    page = "".join(blocks(found))
    assert (page == "") is (not found)
    assert page.count("\n- ") == len(found)


def test_no_words_of_a_file_make_a_block_too_long_for_a_comment() -> None:
    """A page is cut between blocks: what comes behind must not be pushed out by a single one."""
    odd = "\U000e0001" * 5_000
    one = Softening("statement-changed", "look", "rule", odd[:120], odd, odd, odd, odd, 1, "head")
    found = list(blocks([one] * 100))
    assert max(len(block.encode()) for block in found) < 40_000
    assert "and 80 more of these" in found[-1]
