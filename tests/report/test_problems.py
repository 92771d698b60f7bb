"""Problems for people, programs and GitHub."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from hypothesis import given

from guardgate.errors import Problem, Refused
from guardgate.normalize import visible
from guardgate.report.escape import defused
from guardgate.report.problems import FORMATS, render
from tests.report.hostile import faults, problems

TWO = (
    Problem(
        "suites/a.yaml", (), "the key 'assertt'", "'checks'", "did you mean 'checks'? rename it", "key", "error", 3, 5
    ),
    Problem("rules.yaml", (), "no case", "a case", "write one", "not-attacked", "warning", 9, 1),
)


def _out(of: Sequence[Problem], form: str = "text", *, colour: bool = False) -> str:
    return "".join(render(of, form, colour))


def test_text_says_where_found_expected_and_what_to_do() -> None:
    assert _out(TWO) == (
        "suites/a.yaml:3:5: error: found the key 'assertt' [key]\n"
        "    expected 'checks'\n"
        "    do: did you mean 'checks'? rename it\n"
        "rules.yaml:9:1: warning: found no case [not-attacked]\n"
        "    expected a case\n"
        "    do: write one\n"
        "1 error, 1 warning in 2 files\n"
    )


@pytest.mark.parametrize(
    ("of", "count"),
    [
        ((), "0 errors, 0 warnings"),
        (TWO[:1] * 2, "2 errors, 0 warnings in 1 file"),
        ((*TWO, Problem("x", (), "a", "b", "c", "d", "note")), "1 error, 1 warning, 1 note in 3 files"),
    ],
)
def test_the_last_line_counts(of: Sequence[Problem], count: str) -> None:
    assert _out(of).splitlines()[-1] == count
    assert _out(of, "github").splitlines()[-1] == count


def test_colour_dresses_the_severity_alone() -> None:
    out = _out(TWO, colour=True)
    assert "\x1b[1;31merror\x1b[0m" in out
    assert re.sub(r"\x1b\[[0-9;]*m", "", out) == _out(TWO)
    assert "\x1b" not in _out(TWO, "github", colour=True) + _out(TWO, "json", colour=True)


def test_json_is_for_programs() -> None:
    value = json.loads(_out(TWO, "json"))
    assert (value["errors"], value["warnings"]) == (1, 1)
    assert value["problems"][0] == {
        "file": "suites/a.yaml",
        "line": 3,
        "col": 5,
        "severity": "error",
        "code": "key",
        "found": "the key 'assertt'",
        "expected": "'checks'",
        "todo": "did you mean 'checks'? rename it",
    }


def test_github_gets_workflow_commands() -> None:
    assert _out(TWO, "github").splitlines()[:2] == [
        "::error file=suites/a.yaml,line=3,col=5,title=guardgate key::found the key 'assertt'%0Aexpected 'checks'%0A"
        "do: did you mean 'checks'? rename it",
        "::warning file=rules.yaml,line=9,col=1,title=guardgate not-attacked::found no case%0Aexpected a case%0A"
        "do: write one",
    ]


def test_a_problem_without_a_line_names_the_file_alone() -> None:
    one = Problem("a.yaml", (), "nothing", "a file", "write it", "missing")
    assert _out([one], "github").startswith("::error file=a.yaml,title=guardgate missing::")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(Refused, match="one of 'text', 'json', 'github'"):
        render([], "xml")
    assert list(FORMATS) == ["text", "json", "github"]


@given(problems)
def test_text_and_json_command_nothing(of: list[Problem]) -> None:
    assert not list(faults(_out(of)))
    out = _out(of, "json")
    assert not list(faults(out))
    assert [one["found"] for one in json.loads(out)["problems"]] == [one.found for one in of]


_COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-z]+=[^,:]*,)*[a-z]+=[^,:]*)::(.*)")


def _back(text: str, *, data: bool) -> str:
    for code, char in (("%0D", "\r"), ("%0A", "\n"), *(() if data else (("%3A", ":"), ("%2C", ","))), ("%25", "%")):
        text = text.replace(code, char)
    return text


@given(problems)
def test_a_runner_reads_one_command_a_problem_and_gets_its_texts(of: list[Problem]) -> None:
    *lines, count = _out(of, "github").split("\n")[:-1]
    assert len(lines) == len(of)
    assert re.match(r"\d+ errors?, \d+ warnings?", count)
    for line, one in zip(lines, of, strict=True):
        command = _COMMAND.fullmatch(line)
        assert command is not None
        assert command[1] == {"error": "error", "warning": "warning", "note": "notice"}[one.severity]
        properties = dict(pair.split("=", 1) for pair in command[2].split(","))
        assert _back(properties["title"], data=False) == defused(visible(f"guardgate {one.code}"))
        assert _back(properties.get("file", ""), data=False) == defused(visible(one.file))
        assert int(properties.get("line", 0)) == one.line
        message = f"found {one.found}\nexpected {one.expected}\ndo: {one.todo}"
        assert _back(command[3], data=True) == defused(visible(message))
        assert not [
            fault for fault in faults(line) if not fault.startswith("a workflow command") and "\\t" not in fault
        ]
