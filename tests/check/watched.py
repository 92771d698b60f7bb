"""Runs `check` and `compare` over projects in a process that ends with 99 at the first call, process or project code.

    python -m tests.check.watched LIMIT PROJECT...     LIMIT: the folder below which nothing may be run or written

With `--try WHAT` in place of the projects it does one forbidden thing, so that a test sees the watch work.
"""

from __future__ import annotations

import os
import runpy
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from guardgate.cli import run_command_line

FORBIDDEN: tuple[str, ...] = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.spawn",
    "os.posix_spawn",
    "os.fork",
    "os.startfile",
)
FORBIDDEN += ("pty.", "urllib.", "http.client.", "ftplib.", "smtplib.", "ctypes.dlopen", "webbrowser.")
CAUGHT = 99


def watch(limit: Path) -> None:
    """From now on the process ends at the first forbidden event."""
    root = str(limit.resolve())

    def hook(event: str, args: tuple[Any, ...]) -> None:
        code = args and event in ("exec", "compile") and _file_of(args)
        if event.startswith(FORBIDDEN):
            _caught(event)
        elif code and str(code).startswith(root):
            _caught(f"{event} of {code}")
        elif event == "import" and args[0].partition(".")[0] in ("app", "conftest"):
            _caught(f"import of {args[0]}")
        elif event == "open" and isinstance(args[0], str) and args[0].startswith(root) and _writes(args):
            _caught(f"open of {args[0]} to write")

    sys.addaudithook(hook)


def _file_of(args: tuple[Any, ...]) -> object:
    return getattr(args[0], "co_filename", None) or (args[1] if len(args) > 1 else None)


def _writes(args: tuple[Any, ...]) -> bool:
    mode, flags = args[1], args[2]
    written = os.O_WRONLY | os.O_RDWR | os.O_CREAT
    return bool(set(mode) & set("wax+")) if isinstance(mode, str) else bool(flags and flags & written)


def _caught(what: str) -> None:
    os.write(2, f"caught: {what}\n".encode())
    os._exit(CAUGHT)


def attempt(what: str, limit: Path) -> None:
    """Do one forbidden thing."""
    match what:
        case "socket":
            socket.create_connection(("127.0.0.1", 9))
        case "process":
            subprocess.run([sys.executable, "-c", ""], check=False)
        case "shell":
            os.system("exit 0")
        case "import":
            sys.path.insert(0, str(limit))
            __import__("app.graph")
        case "module":
            runpy.run_path(str(limit / "app" / "graph.py"))
        case "write":
            (limit / "written").write_text("x")


def main() -> None:
    limit, *rest = sys.argv[1:]
    watch(Path(limit))
    if rest[0] == "--try":
        attempt(rest[1], Path(limit))
        return
    for project in rest:
        code = run_command_line(["check", "--project", project])
        print(f"{Path(project).name}={code}")
        print(f"compared-{Path(project).name}={run_command_line(['compare', project, project])}")


if __name__ == "__main__":
    main()
