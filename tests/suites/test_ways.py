"""Patterns taken apart for the tests that want a reply for each of their ways."""

from __future__ import annotations

import pytest

from guardgate.checks.pattern import found
from tests.suites.persona.conftest import persona
from tests.suites.ways import ways


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("a", ["a"]),
        ("a|b", ["a", "b"]),
        ("(?:a|b)|c", ["(?:a|b)", "c"]),
        (r"[|]|[]|]|[^]|]|[\]|]", ["[|]", "[]|]", "[^]|]", r"[\]|]"]),
        (r"\||\(|b", [r"\|", r"\(", "b"]),
        ("a(b(c|d)|e)|f", ["a(b(c|d)|e)", "f"]),
    ],
)
def test_only_what_stands_outside_all_brackets_parts(pattern: str, parts: list[str]) -> None:
    assert ways(pattern) == parts


def test_each_way_is_a_pattern() -> None:
    patterns = [
        pattern
        for rule in persona().rules.values()
        if rule.checks.not_regex and not isinstance(rule.checks.not_regex, tuple)
        for pattern in rule.checks.not_regex.any
    ]
    assert ["|".join(ways(pattern)) for pattern in patterns] == patterns
    for way in (way for pattern in patterns for way in ways(pattern)):
        found(way, "nothing of the kind")  # raises where it is none
    assert sum(map(len, map(ways, patterns))) > len(patterns)
