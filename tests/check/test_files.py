"""Files that cannot lie in a folder of cases: links, large files, names that no file can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardgate.constraints import load
from guardgate.errors import Invalid
from guardgate.loaded import MAX_NAMED
from guardgate.source import MAX_BYTES
from tests.check.overlay import BASE, laid_over, lines, problems

READER = """\
cases:
  - id: letter-01
    attack: ignore_previous
    rule: R1
    agent: ../agents/reader.md
    task: Summarise the letter.
    document: ../documents/letter.md
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = laid_over(BASE, tmp_path / "project")
    (folder / "suites" / "a.yaml").write_text(READER, "utf-8")
    return folder


def said(project: Path) -> list[tuple[str, str, str]]:
    return [(one.file, one.found, one.code) for one in problems(project)]


def test_a_document_that_is_a_link_out_of_the_project(project: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("a secret", "utf-8")
    document = project / "documents" / "letter.md"
    document.unlink()
    document.symlink_to(tmp_path / "secret.md")
    found = "the document '../documents/letter.md', which leads out of the project"
    assert said(project) == [("suites/a.yaml", found, "missing-file")]


def test_a_folder_that_is_a_link_out_of_the_project(project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "reader.md").write_text("a secret", "utf-8")
    (project / "agents" / "reader.md").unlink()
    (project / "agents").rmdir()
    (project / "agents").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert said(project) == [
        ("suites/a.yaml", "the agent '../agents/reader.md', which leads out of the project", "missing-file")
    ]


def test_a_link_inside_the_project_is_fine(project: Path) -> None:
    document = project / "documents" / "letter.md"
    document.rename(project / "documents" / "real.md")
    document.symlink_to(project / "documents" / "real.md")
    assert said(project) == []


def test_a_suite_that_is_a_link_out_of_the_project_is_not_left_out_in_silence(project: Path, tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text("cases: []\n", "utf-8")
    (project / "suites" / "z.yaml").symlink_to(tmp_path / "suite.yaml")
    found = "the pattern 'suites/*.yaml', which finds suites/z.yaml, and that leads out of the project"
    assert said(project) == [("guardgate.yaml", found, "no-suite")]


@pytest.mark.parametrize("name", ["constraints.yaml", "scripts/desk.yaml", "persona.md"])
def test_a_file_of_the_project_that_is_a_link_out(name: str, project: Path, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes((project / name).read_bytes())
    (project / name).unlink()
    (project / name).symlink_to(tmp_path / "other")
    assert {(found.partition(", ")[2], code) for _, found, code in said(project)} == {
        ("which leads out of the project", "missing-file")
    }


def test_a_document_that_is_too_large(project: Path) -> None:
    (project / "documents" / "letter.md").write_bytes(b"x" * (MAX_NAMED + 1))
    found = f"the document '../documents/letter.md', which is larger than {MAX_NAMED:,} bytes"
    assert said(project) == [("suites/a.yaml", found, "missing-file")]


def test_a_suite_that_is_too_large(project: Path) -> None:
    with (project / "suites" / "a.yaml").open("ab") as file:
        file.truncate(MAX_BYTES + 1)
    assert [code for _, _, code in said(project)] == ["yaml-size"]


def test_a_document_that_is_no_text(project: Path) -> None:
    (project / "documents" / "letter.md").write_bytes(b"\x89PNG\xff")
    found = "the document '../documents/letter.md', which is not UTF-8 text (byte 1)"
    assert said(project) == [("suites/a.yaml", found, "missing-file")]


@pytest.mark.parametrize("name", ["\\0", "a\\nb.md", "\\u202egnp.md", " "])
def test_names_that_no_file_can_have(name: str, project: Path) -> None:
    suite = project / "suites" / "a.yaml"
    suite.write_text(suite.read_text("utf-8").replace("../agents/reader.md", f'"{name}"'), "utf-8")
    assert [code for _, _, code in said(project)] in (["missing-file"], ["value"])
    assert all(line.isprintable() for line in lines(project))


def test_no_name_tells_what_lies_outside(project: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("x", "utf-8")
    suite, text = project / "suites" / "a.yaml", READER
    told = []
    for name in ("../../secret.md", "../../nothing.md", f"{tmp_path}/secret.md", f"{tmp_path}/nothing.md"):
        suite.write_text(text.replace("../documents/letter.md", name), "utf-8")
        told.append([one.found.replace(name, "NAME") + one.todo for one in problems(project)])
    assert told[0] == told[1] == told[2] == told[3]


def test_the_bot_s_loader_says_the_same_of_a_faulty_file(project: Path) -> None:
    file = project / "constraints.yaml"
    file.write_text(file.read_text("utf-8").replace("severity: hard", "severity: hrad\n    sample: []"), "utf-8")
    with pytest.raises(Invalid) as raised:
        load(file)
    bot = [(one.line, one.col, one.message) for one in raised.value.problems]
    assert bot == [(one.line, one.col, one.message) for one in problems(project)]
    assert len(bot) == 2


def test_the_bot_s_loader_reads_what_check_reads(project: Path) -> None:
    constraints = load(project / "constraints.yaml")
    assert [rule.id for rule in constraints.rules] == ["R1", "R2"]
    assert constraints.rule("R2").threshold == 0.9
    assert constraints.persona == "persona.md"
    with pytest.raises(KeyError, match="did you mean 'R1'"):
        constraints.rule("R11")
    with pytest.raises(AttributeError):
        constraints.rules = ()  # type: ignore[misc]
