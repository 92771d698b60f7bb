"""guardgate in this process: as fast as it is, without the start of an interpreter."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

from guardgate.cli import run_command_line
from tests.support.project import RESULTS, Ran, gated


def command(root: Path, *arguments: str) -> Ran:
    """One command in a project's folder. Its code is one of four."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(root), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run_command_line(arguments)
    assert code in (0, 1, 2, 3)
    assert "Traceback" not in err.getvalue(), err.getvalue()
    return Ran(code, out.getvalue(), err.getvalue())


def run(root: Path, *arguments: str, out: str = RESULTS) -> Ran:
    """`guardgate run` into the file `out`; the gate of it gives the same code."""
    ran = command(root, "run", *arguments, "--out", out)
    file = root / out
    if not file.exists():
        return ran
    assert gated(file) == ran.code, ran
    return Ran(ran.code, ran.out, ran.err, file)


def said(ran: Ran) -> str:
    """The first lines, as one."""
    return " ".join(ran.first.split())


def scrubbed() -> list[str]:
    """Variables of this process that could change a run."""
    return [name for name in os.environ if name.startswith("GUARDGATE_")]
