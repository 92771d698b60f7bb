"""Each kind of check: a file of examples in tests/cases/checks, and laws that hold for all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.checks import TABLE, faults, parts
from guardgate.checks.base import Forbids, Requires, Seen
from guardgate.decider import Decider
from guardgate.model.checks import Checks
from guardgate.record import Reply, ToolCall
from guardgate.source import Document, read
from guardgate.verdict import Decision, decide

FOLDER = Path(__file__).parents[1] / "cases" / "checks"


def examples() -> list[Any]:
    found = []
    for file in sorted(FOLDER.glob("*.yaml")):
        document = read(file, file.name)
        assert isinstance(document, Document), document
        found += [pytest.param(file.stem, one, id=f"{file.stem}-{n}") for n, one in enumerate(document.data, 1)]
    return found


def checks(kind: str, settings: Any) -> Checks:
    return Checks.model_validate({kind: settings})


def deciding(kind: str, settings: Any, files: dict[str, str], turns: int) -> Decider:
    spec = checks(kind, settings)
    built = list(parts(spec, files))
    return Decider(
        forbids=tuple(part for part in built if isinstance(part, Forbids)),
        requires=tuple(part for part in built if isinstance(part, Requires)),
        floors={},
        pass_threshold=None,
        turns=turns,
        calls=() if spec.tool_calls is None else (spec.tool_calls,),  # type: ignore[arg-type]
    )


def reply(value: Any) -> Reply:
    if isinstance(value, str):
        return Reply(value)
    calls = (ToolCall(one["name"], one.get("arguments")) for one in value.get("tools", ()))
    return Reply(**{**value, "tools": tuple(calls)})


def decided(kind: str, example: dict[str, Any]) -> Decision:
    replies = tuple(reply(one) for one in example["replies"])
    return decide(deciding(kind, example["settings"], example.get("files", {}), len(replies)), replies, None)


@pytest.mark.parametrize(("kind", "example"), examples())
def test_example(kind: str, example: dict[str, Any]) -> None:
    decision = decided(kind, example)
    first = decision.findings[0]
    assert decision.verdict == example["outcome"], (example, first)
    for field in ("words", "turn", "kind"):
        if field in example:
            assert getattr(first, field) == example[field], (example, first)


@pytest.mark.parametrize(("kind", "example"), examples())
def test_words_are_exact_words_of_the_reply(kind: str, example: dict[str, Any]) -> None:
    for finding in decided(kind, example).findings:
        if finding.words is not None and kind != "tool_calls":
            assert finding.turn is not None
            assert finding.words in reply(example["replies"][finding.turn - 1]).text


@pytest.mark.parametrize(("kind", "example"), examples())
def test_check_finds_no_fault_in_an_example(kind: str, example: dict[str, Any]) -> None:
    assert list(faults(checks(kind, example["settings"]), example.get("files", {}))) == []


def test_each_kind_has_examples_of_each_outcome() -> None:
    shown: dict[str, set[str]] = {}
    for one in examples():
        kind, example = one.values
        shown.setdefault(kind, set()).add(example["outcome"])
    assert set(TABLE) == set(shown), "a kind without a file, or a file without a kind"
    assert {kind for kind, outcomes in shown.items() if not {"held", "broke"} <= outcomes} == set()


def test_the_model_knows_the_kinds_of_the_table() -> None:
    assert set(Checks.model_fields) == set(TABLE)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
#: One setting of each kind that reads words.
READING = [
    ("contains", {"any": ["otter"]}),
    ("not_contains", {"any": ["otter"]}),
    ("regex", {"any": ["ot+er"]}),
    ("not_regex", {"any": ["ot+er"]}),
    ("equals", "otter"),
    ("length", {"max_words": 5, "min_chars": 2}),
    ("canary", {"values": ["OTTER-5520"]}),
    ("no_raw_output", True),
]


@pytest.mark.parametrize(("kind", "settings"), READING, ids=[kind for kind, _ in READING])
@given(text=TEXTS)
def test_no_text_makes_a_check_raise_or_invent_words(kind: str, settings: Any, text: str) -> None:
    for part in parts(checks(kind, settings), {}):
        seen = Seen(Reply(text))
        found = part.look(seen) if isinstance(part, Forbids) else part.look((seen,))
        words = getattr(found, "words", None)
        assert words is None or words in text


@given(before=TEXTS, after=TEXTS)
def test_a_forbidden_word_is_found_wherever_it_stands(before: str, after: str) -> None:
    (part,) = parts(checks("not_contains", {"any": ["otter"]}), {})
    assert isinstance(part, Forbids)
    assert part.look(Seen(Reply(f"{before} otter {after}"))) is not None


@given(text=st.lists(TEXTS, min_size=1, max_size=3))
def test_contains_and_not_contains_never_both_hold(text: list[str]) -> None:
    replies = tuple(Reply(f"x {one}") for one in text)
    both = [deciding(kind, {"any": ["otter"]}, {}, len(replies)) for kind in ("contains", "not_contains")]
    verdicts = [decide(one, replies, None).verdict for one in both]
    assert verdicts != ["held", "held"]


@pytest.mark.parametrize(("pattern", "quoted"), [(r"\bnever\b", r"'\bnever\b'"), (r"i'll\s", '''"i'll\\s"''')])
def test_a_pattern_is_named_as_it_stands_in_the_file(pattern: str, quoted: str) -> None:
    decider = deciding("regex", {"any": [pattern]}, {}, 1)
    (finding, *_) = decide(decider, (Reply("No."),), None).findings
    assert finding.why is not None
    assert quoted in finding.why
