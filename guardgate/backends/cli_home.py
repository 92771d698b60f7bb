"""Where one conversation with a command line program lives: folders of its own, made for it and removed with it."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex


@dataclass(frozen=True, slots=True)
class Room:
    """The folders of one conversation. `name` is like no other name on this machine."""

    root: Path

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.root.name

    @property
    def work(self) -> Path:
        """The working folder: empty, so that there is no project to read settings or files from."""
        return self.root / "work"

    @property
    def home(self) -> Path:
        """A HOME in which nobody has logged in and nothing is set."""
        return self.root / "home"

    @property
    def system(self) -> Path:
        """The file for the system prompt: as an argument it would be bounded, and everyone could read it."""
        return self.root / "system.md"

    @property
    def temporary(self) -> Path:
        """The folder for the program's temporary files."""
        return self.root / "tmp"


def open_room() -> Room:
    """A new room that only this user can enter."""
    room = Room(Path(tempfile.gettempdir()).resolve() / f"guardgate-{token_hex(8)}")
    room.root.mkdir(mode=0o700)
    for folder in (room.work, room.home, room.temporary):
        folder.mkdir()
    return room


async def remove(*places: Path) -> None:
    """Remove files, and folders with all that is in them. What cannot be removed stays."""
    for place in places:
        await asyncio.to_thread(_remove, place)


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
        return
    with suppress(OSError):
        place.unlink(missing_ok=True)


def at_home(env: dict[str, str], room: Room, *, fresh: bool) -> dict[str, str]:
    """The environment with the room's folders: for temporary files always, as HOME if it is to be fresh."""
    temporary = str(room.temporary)
    env = {**env, "TMPDIR": temporary}
    if sys.platform == "win32":
        env |= {"TEMP": temporary, "TMP": temporary}
    if fresh:
        home = str(room.home)
        env |= {"HOME": home, "USERPROFILE": home} if sys.platform == "win32" else {"HOME": home}
    return env
