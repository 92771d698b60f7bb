"""What was printed and did not arrive: 3, said where somebody can still read it. Linux and macOS."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import Ran, ended, guardgate, refused, run, start, write

COMMANDS = [
    ["check"],
    ["run"],
    ["run", "--json"],
    ["run", "--plan"],
    ["gate", "results.jsonl"],
    ["gate", "results.jsonl", "--json"],
    ["report", "results.jsonl"],
    ["show", "results.jsonl", "0"],
    ["schema", "suite"],
    ["backends"],
    ["--help"],
    ["--version"],
]
#: One of each way to print: pieces, JSON, and what the CLI library prints itself.
SOME = [["check"], ["run"], ["gate", "results.jsonl", "--json"], ["--help"], ["--version"]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("streams"), [{"say": "No."}])
    assert run(root).code == 0
    return root


def lost(ran: Ran) -> None:
    """It is 3, and standard error says in the last lines that standard output took nothing."""
    assert ran.code == 3
    said = [line for line in ran.err.splitlines() if not line.startswith("playing")]
    assert 1 <= len(said) <= 2, ran.err
    assert said[0].startswith("guardgate: ")
    assert "standard output" in said[0] or "No space left" in said[0], ran.err


def closed(*numbers: int) -> Any:
    """Closes these streams in the child, before it begins."""
    return lambda: [*map(os.close, numbers)]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_closed_standard_output_is_3(project: Path, arguments: list[str]) -> None:
    lost(guardgate(project, *arguments, preexec_fn=closed(1), stdout=None))


@pytest.mark.parametrize("arguments", SOME, ids=" ".join)
def test_a_pipe_without_a_reader_is_3(project: Path, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    process = start(project, *arguments, stdout=writer)
    os.close(writer)
    os.close(reader)
    lost(ended(process))


@pytest.mark.parametrize("arguments", SOME, ids=" ".join)
def test_a_full_device_is_3(project: Path, arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        lost(guardgate(project, *arguments, stdout=full))


@pytest.mark.parametrize("arguments", [["check"], ["run"], ["--version"]], ids=" ".join)
def test_a_closed_standard_error_changes_nothing(project: Path, arguments: list[str]) -> None:
    ran = guardgate(project, *arguments, preexec_fn=closed(2), stderr=None)
    assert ran.code == 0
    assert ran.out


@pytest.mark.parametrize("arguments", [["check"], ["run"], ["--version"], ["--nonsense"]], ids=" ".join)
def test_without_any_stream_it_is_3(project: Path, arguments: list[str]) -> None:
    quiet = {"stdin": None, "stdout": None, "stderr": None}
    assert guardgate(project, *arguments, preexec_fn=closed(0, 1, 2), **quiet).code == 3


STRAY = """
import os
import guardgate.cli.report as command

def render(*arguments, whole=command.render, **more):
    os.write(2, b"stray words")
    yield from whole(*arguments, **more)

command.render = render
"""


def test_no_file_gets_the_number_of_a_closed_stream(project: Path) -> None:
    """What a library writes to standard error would else stand in the first file that is opened."""
    arguments = ["report", "results.jsonl", "--out", "report.md"]
    assert guardgate(project, *arguments, before=STRAY, preexec_fn=closed(2), stderr=None).code == 0
    assert "stray words" not in (project / "report.md").read_text()


def test_rules_from_a_closed_standard_input_are_3(project: Path) -> None:
    refused(guardgate(project, "check", "--constraints", "-", preexec_fn=closed(0), stdin=None), "standard input")


def test_a_usage_error_that_nobody_reads_is_3(project: Path) -> None:
    with open("/dev/full", "wb") as full:
        assert guardgate(project, "--nonsense", stderr=full).code == 3


def test_standard_error_and_output_on_one_closed_pipe(project: Path) -> None:
    reader, writer = os.pipe()
    process = start(project, "run", stdout=writer, stderr=subprocess.STDOUT)
    os.close(writer)
    os.close(reader)
    assert ended(process).code == 3
