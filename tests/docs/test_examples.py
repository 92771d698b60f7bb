"""Every example in our texts is a file that guardgate accepts."""

from __future__ import annotations

import json

import pytest

from guardgate import schema
from guardgate.codec import attempt_to
from guardgate.constraints import Constraints, parsed
from guardgate.explain import validated
from guardgate.record import Attempt
from guardgate.schema import MODELS, WRITTEN_BY_USERS, model_of
from guardgate.source import Document, parse
from tests.docs.pages import ROOT, Fence, every_fence, fences, pages, table

#: Words behind a fence of YAML or JSON that a test reads; see there.
WALKS = {"yaml starts-with", "yaml echo"}
READ = (
    {f"yaml {name}" for name in WRITTEN_BY_USERS}
    | WALKS
    | {"yaml rules", "yaml targets", "yaml workflow", "yaml suppressions", "json attempt"}
)


def document(fence: Fence) -> Document:
    read = parse(fence.text, fence.page)
    assert isinstance(read, Document), read
    return read


@pytest.mark.parametrize("kind", WRITTEN_BY_USERS)
def test_each_kind_of_file_has_an_example(kind: str) -> None:
    assert any(fence.page == "docs/files.md" for fence in every_fence(f"yaml {kind}"))


@pytest.mark.parametrize(
    ("kind", "fence"),
    [(kind, fence) for kind in WRITTEN_BY_USERS for fence in every_fence(f"yaml {kind}")],
    ids=lambda value: value.place if isinstance(value, Fence) else value,
)
def test_each_example_is_accepted_by_model_and_schema(kind: str, fence: Fence) -> None:
    read = document(fence)
    assert isinstance(validated(model_of(kind), read.data, fence.page), model_of(kind))
    assert schema.refused(kind, read.data, fence.page) == []
    if kind == "constraints":
        assert isinstance(parsed(read), Constraints)


def test_the_table_of_files_names_every_schema() -> None:
    named = [row[2].strip("`") for row in table("docs/files.md", "file")]
    assert sorted(filter(None, named)) == sorted(MODELS)


def test_the_example_of_an_attempt_has_the_keys_that_are_written() -> None:
    (fence,) = every_fence("json attempt")
    shown = json.loads(fence.text)
    assert list(shown) == list(attempt_to(Attempt(0, "a", 0, 0)))


def test_no_block_of_yaml_or_json_is_left_unread() -> None:
    named = [path.relative_to(ROOT).as_posix() for path in pages()]
    left = [
        fence.place
        for name in named
        for fence in fences(name)
        if fence.words.split(" ")[0] in ("yaml", "yml", "json")
        and fence.words not in READ
        and not fence.words.endswith(".schema.json")
    ]
    assert left == []
