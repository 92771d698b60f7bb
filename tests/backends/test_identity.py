"""Programs of the project run as a user of their own, who reads neither guardgate's environment nor its files."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from guardgate.backends.cli_home import open_room
from guardgate.backends.identity import HOME, UID, give, identity
from guardgate.backends.process import child_environment, spawn
from guardgate.record import Failure

CHILD = 65532
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everyone may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def said(script: str, place: Path, environ: dict[str, str]) -> str:
    """What a shell script of the project prints."""

    async def run() -> str:
        parts: list[bytes] = []
        env = child_environment([], environ)
        assert not isinstance(env, Failure)
        process = await spawn(["/bin/sh", "-c", script], cwd=place, env=env, on_output=parts.append)
        process.close_input()
        await process.gone
        return b"".join(parts).decode()

    return asyncio.run(run())


def test_without_the_setting_nobody_changes() -> None:
    assert identity({}) is None
    assert identity({UID: "0"}) is None
    assert identity({UID: "root"}) is None
    assert identity({UID: "²"}) is None


def test_only_root_can_become_another() -> None:
    found = identity({UID: str(CHILD), HOME: "/home/child"})
    assert (found is not None) == ROOT
    assert found is None or (found.uid, found.home) == (CHILD, "/home/child")


SCRIPT = 'id -u; id -g; id -G; echo "$HOME"; cat /proc/$PPID/environ 2>&1 | tr "\\0" "\\n"; cat secret 2>&1; umask'


def test_a_child_is_that_user_and_reads_nothing_of_ours(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = place / "secret"
    secret.write_text("the token", encoding="utf-8")
    secret.chmod(0o600)
    environ = {"PATH": os.environ["PATH"], "HOME": "/root", UID: str(CHILD), HOME: "/home/child"}
    for name in (UID, HOME):
        monkeypatch.setenv(name, environ[name])
    found = said(SCRIPT, place, environ).splitlines()
    if not ROOT:  # nobody to become: the child is us, and knows its home
        assert found[0] == str(os.geteuid())
        return
    assert found[:4] == [str(CHILD), str(CHILD), str(CHILD), "/home/child"]
    assert "PATH=" not in "\n".join(found)
    assert "the token" not in "\n".join(found)
    assert "ermission denied" in "\n".join(found[4:])
    assert found[-1] == "0077"


def test_a_room_is_the_child_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(UID, str(CHILD))
    room = open_room()
    room.system.write_text("You are kind.", encoding="utf-8")
    give(room.root)
    owner = CHILD if ROOT else os.geteuid()
    assert {path.stat().st_uid for path in (room.root, room.work, room.home, room.temporary, room.system)} == {owner}
