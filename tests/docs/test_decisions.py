"""docs/decisions: numbered without gaps, and a reason for every dependency."""

from __future__ import annotations

import re
import tomllib

from guardgate.backends import TABLE
from tests.docs.pages import ROOT, table, text_of

FOLDER = ROOT / "docs" / "decisions"


def test_numbers_are_without_gaps() -> None:
    names = sorted(path.name for path in FOLDER.glob("*.md"))
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


def test_every_dependency_has_its_reason_and_extras_are_spoken_of() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    rows = table("docs/decisions/0001-dependencies.md", "package")
    assert [name for name, _ in rows] == [re.split(r"[<>=!]", text)[0] for text in project["dependencies"]]
    assert all(reason for _, reason in rows)
    for extra in project["optional-dependencies"]:
        assert f"guardgate-ci[{extra}]" in text_of("docs/decisions/0001-dependencies.md")


def test_the_changelog_does_not_plan_a_backend_that_is_there() -> None:
    planned = text_of("CHANGELOG.md").partition("### Planned")[2].partition("\n## ")[0]
    assert [name for name in TABLE if f"`{name}`" in planned] == []
    assert [name for name in TABLE if f"`{name}`" not in text_of("CHANGELOG.md")] == []
