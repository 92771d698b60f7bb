"""A path of names is followed without the JSONPath library, and leads to what the library finds."""

from __future__ import annotations

from typing import Any

import jsonpath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.lookup import lookup
from tests.core.test_layers import loaded

NAMES = st.sampled_from(["a", "b", "_c", "D9", "true", "null", "in", "length", "keys"])
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=4)
)


@given(st.lists(NAMES, max_size=4), VALUES.filter(lambda value: not isinstance(value, str)))
def test_names_lead_where_the_library_leads(names: list[str], value: Any) -> None:
    path = ".".join(["$", *names])
    assert lookup(path)(value) == jsonpath.compile(path).findall(value)


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("$", "text", ["text"]),
        ("$.a", {"a": None}, [None]),
        ("$.a", '{"a": 1}', []),
        ("$.a.b", {"a": {"b": [1, 2]}}, [[1, 2]]),
        ("$.a.b", {"a": [{"b": 1}]}, []),
        ("$.a[*].b", {"a": [{"b": 1}, {"b": 2}]}, [1, 2]),
        ("$..b", {"a": [{"b": 1}]}, [1]),
        ("$..b", '{"b": 1}', []),
        ("$['a b']", {"a b": 1}, [1]),
    ],
)
def test_what_stands_there(path: str, value: Any, found: list[Any]) -> None:
    assert lookup(path)(value) == found


@pytest.mark.parametrize("path", ["$.", "$.a.", "a[", "$.9", "$.a\n\n.["])
def test_no_path_is_a_value_error(path: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        lookup(path)


def test_the_library_is_imported_for_other_paths_only() -> None:
    assert "jsonpath" not in loaded("from guardgate.lookup import lookup; lookup('$.a.b')({'a': {'b': 1}})")
    assert "jsonpath" in loaded("from guardgate.lookup import lookup; lookup('$.a[0]')")
