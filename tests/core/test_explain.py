"""Messages about values of the wrong shape: found, expected, what to do; always all three, always on one line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from guardgate import schema
from guardgate.errors import Problem
from guardgate.explain import describe, path_of, validated
from guardgate.keys import allowed_keys, belongs
from guardgate.model.constraints import ConstraintsFile
from guardgate.model.project import Project
from guardgate.model.suite import Suite
from guardgate.source import locate
from tests.core.test_schema import changed


def explained(kind: str, data: Any) -> list[Problem]:
    found = validated(schema.model_of(kind), data, "file.yaml")
    return found if isinstance(found, list) else []


@settings(max_examples=300)
@given(changed())
def test_every_message_has_its_parts(file: tuple[str, Any]) -> None:
    problems = explained(*file)
    assert len(problems) == len(set(problems)), "the same thing twice"
    for one in problems:
        assert one.found
        assert one.expected
        assert one.todo
        assert one.code
        assert not {"\n", "\r"} & set(one.message)
        assert "pydantic" not in one.message
        assert "Input should be" not in one.message
        assert one.message == one.message.strip()


@settings(max_examples=100)
@given(changed())
def test_every_path_leads_into_the_file(file: tuple[str, Any]) -> None:
    kind, data = file
    for one in explained(kind, data):
        value: Any = data
        for step in one.path:
            assert type(value) in (dict, list), one
            value = value[step]


def problem(model: type[Any], data: Any) -> Problem:
    found = validated(model, data, "file.yaml")
    assert isinstance(found, list)
    (one,) = found
    return one


def suite(**more: Any) -> dict[str, Any]:
    return {"cases": [{"id": "c", "attack": "guilt", "rule": "R1", "turns": ["x"], **more}]}


@pytest.mark.parametrize(
    ("more", "path", "todo"),
    [
        ({"turns": "x"}, ("turns",), "write the values as a list: [a, b]"),
        ({"turns": [5]}, ("turns", 0), "put the value in quotes"),
        ({"turns": [{"a": 1}]}, ("turns", 0), "write one text, in quotes if it holds ': '"),
        ({"transform": "no"}, ("transform",), "write true or false, without quotes"),
        ({"checks": {"latency": "5"}}, ("checks", "latency"), "write the number without quotes"),
        ({"checks": {"latency": "5s"}}, ("checks", "latency"), "write a number"),
        ({"checks": {"canary": "OTTER"}}, ("checks", "canary"), "write keys and values: {values: ...}"),
        ({"checks": {"contains": []}}, ("checks", "contains"), "add an entry, or remove the key"),
        ({"attack": ""}, ("attack",), "write the text, or remove it"),
        ({"checks": {"canary": {}}}, ("checks", "canary"), "add values: ..."),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_what_to_do_fits_what_was_found(more: dict[str, Any], path: tuple[Any, ...], todo: str) -> None:
    one = problem(Suite, suite(**more))
    assert (one.path, one.todo) == (("cases", 0, *path), todo)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (True, "the value true"),
        (1, "the number 1"),
        (0.5, "the number 0.5"),
        ("a\nb", r"the text 'a\nb'"),
        ("x" * 61, f"the text '{'x' * 60}'..."),
        ("\u202e", r"the text '\u202e'"),
        ({}, "an empty mapping"),
        ({"a": 1}, "a mapping"),
        ([], "an empty list"),
        ((1,), "a list"),
        (b"x", "a bytes"),
    ],
    ids=repr,
)
def test_a_value_is_called_by_its_name(value: Any, words: str) -> None:
    assert describe(value) == words


@pytest.mark.parametrize(
    ("loc", "path"),
    [
        (("cases", 0, "checks", "contains", "one", "any"), ("cases", 0, "checks", "contains", "any")),
        (("cases", 0, "checks", "contains", "list", 1, "any", 0), ("cases", 0, "checks", "contains", 1, "any", 0)),
        (("rules", 2, "samples", "broke", 0, "full", "tools", 1), ("rules", 2, "samples", "broke", 0, "tools", 1)),
        (("targets", "web", "http", "url"), ("targets", "web", "url")),
        (("judges", "j", "litellm"), ("judges", "j")),
        (("targets", "my desk", "[key]"), ("targets", "my desk")),
        (("cases", 0, "id"), ("cases", 0, "id")),
    ],
)
def test_a_path_is_that_of_the_file(loc: tuple[Any, ...], path: tuple[Any, ...]) -> None:
    assert path_of(loc) == path


def test_an_unknown_key_is_placed_at_the_key() -> None:
    text = "cases:\n  - id: c\n    attack: guilt\n    rule: R1\n    turns: [x]\n    assertt: 1\n"
    one = problem(Suite, suite(assertt=1))
    assert locate(text, one.path, one.at_key) == (6, 5)


@pytest.mark.parametrize(
    ("model", "key", "path", "place"),
    [
        (Suite, "checks", (), "in an entry of cases"),
        (Suite, "not_contains", ("cases", 3), "under checks"),
        (
            Suite,
            "any",
            ("cases", 0, "checks"),
            "under contains or under not_contains or under regex or under not_regex",
        ),
        (Suite, "required_scores", ("cases", 0), "under judge"),
        (Suite, "nonsense", (), None),
        (Project, "call_seconds", ("runs", "nightly"), "under limits"),
        (Project, "repeats", (), "in an entry of runs"),
        (Project, "script", ("targets", "web"), None),
        (ConstraintsFile, "ask", ("rules", 0), "in an entry of criteria"),
        (ConstraintsFile, "broke", ("rules", 0), "under samples"),
    ],
)
def test_a_key_belongs_somewhere(model: type[Any], key: str, path: tuple[Any, ...], place: str | None) -> None:
    assert belongs(model, key, path) == place


def test_the_keys_of_a_target_are_those_of_its_backend() -> None:
    keys = allowed_keys(Project, ("targets", "web"), "http")
    assert keys[:4] == ["backend", "url", "request", "reply"]
    assert "script" not in keys
    assert "script" in allowed_keys(Project, ("targets", "web"), "scripted")
    assert allowed_keys(Project, ("targets", "web", "nonsense")) == []
