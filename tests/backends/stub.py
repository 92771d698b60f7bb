"""Programs called claude and codex that write what the real ones wrote (`recorded/`), or misbehave.

A stub is asked like the real program. The words of the turn choose the recording, or one of the `ACTS`. What it was
called with, and what it found around it, stands in `calls(folder)`.
"""

from __future__ import annotations

import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parent / "recorded"
ROOT = Path(__file__).resolve().parents[2]
#: Words of the replies that are replaced where a test wants other ones.
HELLO = "Hello there."
#: What a stub can do besides replaying: by the first words of the turn.
ACTS = ("say ", "act hang", "act kill", "act flood", "act banner", "act ansi", "act fail", "act leave", "act cut")
_WORDS = {
    "claude": "-p --input-format --output-format --verbose --tools --disable-slash-commands --setting-sources "
    "--strict-mcp-config --session-id --resume --fork-session --system-prompt --model --effort",
    "codex": "Usage: codex exec fork --json --skip-git-repo-check --sandbox --disable --ignore-user-config",
}
_VERSIONS = {"claude": "2.1.197 (Claude Code)", "codex": "codex-cli 0.171.0"}


def file_of(turn: str) -> str:
    """The name of the recording of a turn."""
    return re.sub(r"\W+", "-", turn).strip("-") + ".json"


def recording(program: str, turn: str) -> dict[str, Any]:
    """What the real program wrote in that turn: `code`, `out` (events), `err`, `kept` (its session's file)."""
    value: dict[str, Any] = json.loads((RECORDED / program / file_of(turn)).read_text(encoding="utf-8"))
    return value


def install(folder: Path, program: str, *, without: str = "", version: str | None = None, port: str = "") -> Path:
    """Put a stub on a PATH of its own, which is returned.

    without: a word that its help does not know. port: where it, and a child of it, hold a connection when they hang.
    """
    (folder / "calls").mkdir(parents=True, exist_ok=True)
    settings = {
        "program": program,
        "folder": str(folder),
        "recorded": str(RECORDED / program),
        "root": str(ROOT),
        "help": " ".join(word for word in _WORDS[program].split() if word != without),
        "version": _VERSIONS[program] if version is None else version,
        "port": port,
    }
    body = (Path(__file__).parent / "stub_program.py").read_text(encoding="utf-8")
    return script(folder / "bin", program, f"SETTINGS = {settings!r}\n{body}")


def script(folder: Path, name: str, body: str) -> Path:
    """A program made of Python text, to be found on the PATH that is returned."""
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        (folder / f"{name}.py").write_text(body, encoding="utf-8")
        (folder / f"{name}.cmd").write_text(f'@"{sys.executable}" "%~dp0{name}.py" %*\n', encoding="utf-8")
    else:
        file = folder / name
        file.write_text(f"#!{sys.executable}\n{body}", encoding="utf-8")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return folder


def calls(folder: Path) -> list[dict[str, Any]]:
    """How the stub was called: `argv`, `env`, `given`, `work` (its names), `home` (its names), `system`, `config`."""
    files = sorted((folder / "calls").glob("*.json"), key=lambda file: int(file.stem))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]
