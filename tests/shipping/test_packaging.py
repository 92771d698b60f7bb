"""What ships: every file of every suite goes into the wheel, the source distribution and the image.

`tests/failures/test_d17.py` installs the wheel and asks it for its suites.
"""

from __future__ import annotations

import tomllib

from guardgate.shipped import PREFIX, located, shipped, shipped_suites, top_of
from tests.support.project import ROOT

SUITES = ROOT / "suites"
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]


def test_there_is_something_to_ship() -> None:
    assert shipped("suites") == SUITES
    assert "persona" in shipped_suites()
    named = {one.name for one in SUITES.iterdir() if one.is_dir() and (one / "README.md").is_file()}
    assert set(shipped_suites()) <= named


def test_the_wheel_takes_in_the_whole_folder_where_the_package_looks_for_it() -> None:
    assert BUILD["wheel"]["force-include"]["suites"] == "guardgate/_shipped/suites"


def test_the_source_distribution_takes_in_what_the_wheel_is_made_of() -> None:
    assert {"suites", *BUILD["wheel"]["force-include"]} <= set(BUILD["sdist"]["include"])


def test_the_image_copies_the_suites_before_it_builds_the_wheel() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    build = next(number for number, line in enumerate(lines) if "hatchling build" in line)
    assert "COPY suites /src/suites" in lines[:build]
    assert "!suites" in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()


def test_no_file_of_a_suite_is_hidden_from_a_packager() -> None:
    """A name with a dot in front, or one that git ignores, would be missing in the packages."""
    files = [path for path in SUITES.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert [path for path in files if path.name.startswith(".")] == []
    kinds = {path.suffix for path in files}
    assert not kinds & {".pyc", ".jsonl", ".db", ".sqlite"}


def test_a_name_of_a_shipped_file_leads_into_its_suite_and_no_further() -> None:
    assert located(ROOT, f"{PREFIX}persona/persona.md") == SUITES / "persona" / "persona.md"
    assert top_of(ROOT, f"{PREFIX}persona/persona.md") == SUITES / "persona"
    assert located(ROOT, "suites/a.yaml") == ROOT / "suites" / "a.yaml"
    assert located(ROOT, f"{PREFIX}nowhere/a.yaml") == ROOT / f"{PREFIX}nowhere" / "a.yaml"
    assert top_of(ROOT, f"{PREFIX}nowhere/a.yaml") == ROOT
