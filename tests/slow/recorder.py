"""Stands in front of a real program on PATH, and keeps what it wrote, turn by turn, in a form that tests can replay."""

from __future__ import annotations

import json
import re
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.backends.stub import file_of

_SHIM = """\
#!{python}
import json, os, pathlib, subprocess, sys
real, out = {real!r}, pathlib.Path({out!r})
if not {{"exec", "-p"}} & set(sys.argv) or "--help" in sys.argv:
    os.execv(real, [real, *sys.argv[1:]])
given = sys.stdin.buffer.read()
done = subprocess.run([real, *sys.argv[1:]], input=given, capture_output=True)
kept = []
for file in sorted(pathlib.Path(os.environ.get("CODEX_HOME", "/nowhere")).glob("sessions/*/*/*/rollout-*.jsonl")):
    kept = file.read_text().splitlines()
words = json.loads(given)["message"]["content"][0]["text"] if given.startswith(b'{{"type"') else given.decode()
streams = {{"out": done.stdout.decode(), "err": done.stderr.decode(), "kept": kept}}
record = {{"turn": words, "code": done.returncode, **streams}}
(out / f"{{len(list(out.iterdir())):03}}.json").write_text(json.dumps(record))
sys.stdout.buffer.write(done.stdout)
sys.stderr.buffer.write(done.stderr)
sys.stdout.flush()
os._exit(done.returncode)
"""
#: Lines of a session's file that say much and that nobody reads.
_BULKY = ("world_state", "thread_settings_applied")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_PLACES = (
    (re.compile(r'/[^\s"]*?guardgate-[0-9a-f]{16}'), "/room"),
    (re.compile(r"-[\w-]*?guardgate-[0-9a-f]{16}"), "-room"),
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:1"),
    (re.compile(r"20\d\d-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(\.\d+Z)?"), "2026-01-01T00:00:00.000Z"),
)
_CLOCK = re.compile(r"\w+_ms|started_at|completed_at|create_time")


def shim(folder: Path, real: Path, out: Path) -> None:
    """Put a recording program with the name of the real one into the folder."""
    file = folder / real.name
    file.write_text(_SHIM.format(python=sys.executable, real=str(real), out=str(out)), encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def scrubbed(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record without ids, times and places of the machine it was made on."""
    kept = [json.loads(line) for line in record["kept"] if not any(f'"{kind}"' in line[:200] for kind in _BULKY)]
    out = [json.loads(line) for line in record["out"].splitlines()]
    value: dict[str, Any] = _clean({**record, "out": out, "err": _warned(record["err"]), "kept": kept}, "", {})
    return value


def _clean(value: Any, key: str, ids: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _clean(inner, name, ids) for name, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner, key, ids) for inner in value]
    if isinstance(value, int | float) and _CLOCK.fullmatch(key):
        return 1
    if not isinstance(value, str):
        return value
    value = _UUID.sub(lambda match: ids.setdefault(match[0], f"00000000-0000-4000-8000-{len(ids):012}"), value)
    for pattern, instead in _PLACES:
        value = pattern.sub(instead, value)
    return value


def save(folder: Path, record: Mapping[str, Any]) -> None:
    """Write it where the other tests look for it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(record, ensure_ascii=False, indent=1)
    (folder / file_of(record["turn"])).write_text(text + "\n", encoding="utf-8", newline="\n")


def shape(record: Mapping[str, Any]) -> list[str]:
    """What a reader goes by: exit code, kinds of events, and where errors and results stand in them."""
    kinds = [f"exit {record['code']}"]
    for event in record["out"]:
        item = event.get("item", {})
        parts = event.get("message", {}).get("content") or [] if isinstance(event.get("message"), dict) else []
        words = [event["type"], event.get("subtype"), item.get("type"), *(part["type"] for part in parts)]
        flags = [
            f"{key}={event[key]}" for key in ("is_error", "api_error_status", "stop_reason", "error") if key in event
        ]
        kinds.append(" ".join(str(word) for word in (*words, *flags) if word and not isinstance(word, dict)))
    kinds += [str(event.get("payload", {}).get("type", event["type"])) for event in record["kept"]]
    return kinds


def _warned(errors: str) -> str:
    """Error output without the warnings about folders that depend on the machine."""
    return "\n".join(line for line in errors.splitlines() if not line.startswith("WARNING: proceeding"))
