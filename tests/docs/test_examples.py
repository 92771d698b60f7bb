"""Every example in our texts is a file that guardgate accepts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guardgate import schema
from guardgate.codec import attempt_to
from guardgate.constraints import Constraints, parsed
from guardgate.explain import validated
from guardgate.lending import suite
from guardgate.model.project import Project, UseSuite
from guardgate.reader import Reader
from guardgate.record import Attempt
from guardgate.schema import MODELS, WRITTEN_BY_USERS, model_of
from guardgate.shipped import PREFIX
from guardgate.source import Document, parse
from tests.docs.pages import ROOT, Fence, every_fence, fences, pages, table

#: Words behind a fence of YAML or JSON that a test reads; see there.
WALKS = {"yaml starts-with", "yaml echo"}
READ = (
    {f"yaml {name}" for name in WRITTEN_BY_USERS}
    | WALKS
    | {"yaml rules", "yaml targets", "yaml workflow", "yaml suites", "yaml suppressions", "json attempt"}
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


@pytest.mark.parametrize("fence", every_fence("yaml suites"), ids=lambda fence: fence.place)
def test_each_choice_of_suites_names_what_ships(fence: Fence) -> None:
    entries = Project.model_validate({"version": 1, "constraints": "c.yaml", **document(fence).data}).suites
    reader = Reader(Path())
    for use in (UseSuite(use=one) if isinstance(one, str) else one for one in entries):
        rules = {one.rule.id.partition("/")[2] for one in suite(reader, use.use.removeprefix(PREFIX)).rules}
        assert {*use.rules, *use.without} <= rules
    assert reader.problems == []


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
