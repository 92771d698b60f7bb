"""In a terminal: 80 columns, and colour only there and without NO_COLOR. A real terminal, not a claim of one."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping

import pytest

from guardgate.report.layout import WIDTH, columns
from tests.support.project import ROOT, guardgate, start

RESULTS = ("docs/first-run/results.jsonl", "docs/sweep-run/results.jsonl", "docs/judged-run/own-words.jsonl")
COMMANDS = (("gate", RESULTS[0]), ("report", RESULTS[1], "--format", "terminal"), ("show", RESULTS[0], "0"))
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it has no such terminals")


def in_a_terminal(arguments: tuple[str, ...], env: Mapping[str, str]) -> str:
    """What the command writes to a terminal."""
    import pty  # noqa: PLC0415 - not on Windows

    ours, its = pty.openpty()
    process = start(ROOT, *arguments, stdout=its, env=env)
    os.close(its)
    said = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so where the other side is gone
            break
        if not piece:
            break
        said += piece
    os.close(ours)
    process.communicate()
    assert process.returncode in (0, 2)
    return said.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda one: one[0])
def test_colour_is_for_terminals_and_no_color_takes_it_away(arguments: tuple[str, ...]) -> None:
    colourful = in_a_terminal(arguments, {"NO_COLOR": ""})
    assert "\x1b[1;31m" in colourful
    assert "\x1b" not in in_a_terminal(arguments, {"NO_COLOR": "1"})
    piped = guardgate(ROOT, *arguments, env={"NO_COLOR": ""}).out
    assert piped == re.sub(r"\x1b\[[0-9;]*m", "", colourful)


@pytest.mark.parametrize("results", RESULTS)
def test_every_line_fits_into_80_columns(results: str) -> None:
    out = guardgate(ROOT, "report", results, "--format", "terminal").out
    assert max(map(columns, out.splitlines())) <= WIDTH == 80
