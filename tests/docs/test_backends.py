"""docs/backends.md: every kind of backend, and which of them this version has."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from guardgate.backends import TABLE
from guardgate.lint.targets import FILLED
from guardgate.model.project import Target
from guardgate.source import Document, parse
from tests.docs.pages import Fence, every_fence, fences, headings, section, table, text_of

PAGE = "docs/backends.md"
VARIANTS = {get_args(one.model_fields["backend"].annotation)[0]: one for one in get_args(get_args(Target)[0])}
TARGET: TypeAdapter[Target] = TypeAdapter(Target)


def test_every_backend_has_its_heading_in_the_order_of_the_model() -> None:
    assert headings(PAGE) == list(VARIANTS)


def test_the_page_says_which_backends_are_not_part_of_this_version() -> None:
    said = {kind for kind in VARIANTS if "not part of this version" in section(PAGE, kind)}
    assert said == set(VARIANTS) - set(TABLE)


def test_the_keys_that_every_backend_takes_are_in_one_table() -> None:
    shared = set.intersection(*(set(one.model_fields) for one in VARIANTS.values())) - {"backend"}
    assert {row[0].strip("`") for row in table(PAGE, "key")} == shared


def data(fence: Fence) -> Any:
    """What the block of YAML says."""
    read = parse(fence.text, fence.page)
    assert isinstance(read, Document), read
    return read.data


@pytest.mark.parametrize("fence", every_fence("yaml targets"), ids=lambda fence: fence.place)
def test_each_example_is_a_target(fence: Fence) -> None:
    for name, settings in data(fence).items():
        TARGET.validate_python(settings)
        assert name


@pytest.mark.parametrize("kind", VARIANTS)
def test_the_example_under_a_heading_is_of_its_kind_and_names_every_needed_key(kind: str) -> None:
    under = [
        fence for fence in fences(PAGE) if fence.text in section(PAGE, kind) + "\n" and fence.words == "yaml targets"
    ]
    assert len(under) == 1
    assert {settings["backend"] for settings in data(under[0]).values()} == {kind}


@pytest.mark.parametrize("kind", TABLE)
def test_every_setting_of_a_backend_of_this_version_stands_on_the_page(kind: str) -> None:
    shared = {row[0].strip("`") for row in table(PAGE, "key")} | {"backend"}
    named = section(PAGE, kind)
    missing = [key for key in VARIANTS[kind].model_fields if key not in shared and f"{key}:" not in named]
    assert missing == []


def test_every_placeholder_of_a_request_is_named() -> None:
    assert [name for name in FILLED if f"`{{{name}}}`" not in text_of(PAGE)] == []
