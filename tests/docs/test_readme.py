"""What the README shows is what happens, and what it names is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from guardgate import __version__
from guardgate.cli import COMMANDS
from guardgate.gate import MEANING
from guardgate.lint.headings import anchors
from tests.docs.pages import ROOT, fences, pages, text_of, tokens

PRINTED = [fence for fence in fences("README.md") if fence.words == "text"]
COMMAND_LINES = [line for fence in fences("README.md") if fence.words == "sh" for line in fence.text.splitlines()]


def guardgate(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); import runpy; "
               "runpy.run_module('guardgate', run_name='__main__')", *arguments]  # fmt: skip
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands of the README make."""
    folder = tmp_path_factory.mktemp("readme") / "my-bot"
    assert guardgate(folder.parent, "init", "my-bot").returncode == 0
    return folder


@pytest.fixture(scope="module")
def printed(project: Path) -> str:
    done = guardgate(project, "run")
    assert done.returncode == 2
    return done.stdout


def test_the_output_in_the_readme_begins_as_the_real_one(printed: str) -> None:
    assert printed.startswith(PRINTED[0].text)


def test_every_block_of_output_is_printed_as_it_stands(printed: str) -> None:
    assert [fence.place for fence in PRINTED if fence.text not in printed] == []
    assert len(PRINTED) == 3


def test_the_suites_that_ship_are_listed_as_they_are(project: Path) -> None:
    (block,) = [fence for fence in fences("README.md") if fence.words == "text suites"]
    assert guardgate(project, "suites").stdout == block.text


def test_the_other_commands_end_as_the_readme_says(project: Path) -> None:
    assert guardgate(project, "check").returncode == 0
    assert guardgate(project, "run", "--target", "careful").returncode == 0


def test_the_rule_and_the_case_are_those_of_the_new_project(project: Path) -> None:
    names = {"yaml constraints": "constraints.yaml", "yaml suite": "suites/first.yaml"}
    for fence in fences("README.md"):
        if fence.words in names:
            wanted = re.findall(r"id: (\S+)", fence.text)[0]
            assert f"- id: {wanted}\n" in (project / names[fence.words]).read_text(encoding="utf-8")


def test_both_commands_of_dev_py_stand_in_the_readme() -> None:
    assert {line.split()[2] for line in COMMAND_LINES if line.startswith("python3 dev.py")} == set(dev.COMMANDS)


def test_every_command_that_our_texts_name_exists() -> None:
    said = {
        (path.name, word)
        for path in pages()
        for word in re.findall(r"`guardgate ([a-z]+)", path.read_text(encoding="utf-8"))
    } | {("README.md", match) for line in COMMAND_LINES for match in re.findall(r"guardgate ([a-z]+)", line)}
    assert [one for one in sorted(said) if one[1] not in COMMANDS] == []


def test_dev_py_explains_codes_in_the_words_of_the_gate() -> None:
    for code, words in dev.CODES.items():
        assert MEANING[code].startswith(words), code


@pytest.mark.parametrize("page", [path.relative_to(ROOT).as_posix() for path in pages()])
def test_every_link_leads_to_a_file_and_a_heading_that_exist(page: str) -> None:
    links = [
        str(child.attrGet("href"))
        for token in tokens(page)
        for child in token.children or ()
        if child.type == "link_open"
    ]
    for link in links:
        name, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", name):
            continue
        place = (ROOT / page).parent / name if name else ROOT / page
        assert place.exists(), link
        if anchor:
            assert anchor in anchors(place.read_text(encoding="utf-8")), link


def test_every_page_in_docs_can_be_reached_from_the_readme() -> None:
    readme = text_of("README.md")
    reached = {path.name for path in (ROOT / "docs").glob("*.md") if f"docs/{path.name}" in readme}
    linked = {
        path.name
        for path in (ROOT / "docs").glob("*.md")
        for page in pages()
        if page != path and re.search(rf"\]\(([^)]*/)?{re.escape(path.name)}[)#]", page.read_text(encoding="utf-8"))
    }
    assert {path.name for path in (ROOT / "docs").glob("*.md")} == reached | linked


def test_the_newest_entry_of_the_changelog_is_this_version() -> None:
    assert re.findall(r"^## (\d\S*)", text_of("CHANGELOG.md"), re.MULTILINE)[0] == __version__


def test_every_picture_is_shown_by_a_page() -> None:
    pictures = {path.name for path in (ROOT / "docs" / "pictures").glob("*.png")}
    told = "\n".join(page.read_text(encoding="utf-8") for page in pages())
    assert pictures
    assert {name for name in pictures if f"pictures/{name})" not in told} == set()
