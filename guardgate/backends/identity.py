"""As whom the project's programs run: in the container as a user of their own, who can read nothing of guardgate's."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Set in the image: the user id of children, and their home.
UID, HOME = "GUARDGATE_CHILD_UID", "GUARDGATE_CHILD_HOME"


@dataclass(frozen=True, slots=True)
class Identity:
    """A user and group id, and a home that is theirs."""

    uid: int
    home: str

    @property
    def options(self) -> dict[str, Any]:
        """How to start a process as this user: no other group, files that nobody else can read."""
        return {"user": self.uid, "group": self.uid, "extra_groups": (), "umask": 0o077}


def identity(environ: Mapping[str, str] | None = None) -> Identity | None:
    """Whom children run as, or None for ourselves: where nothing is set, or we are not root and cannot change."""
    given = os.environ if environ is None else environ
    uid = given.get(UID, "")
    if sys.platform == "win32" or os.geteuid() != 0 or not (uid.isascii() and uid.isdigit()) or int(uid) == 0:
        return None
    return Identity(int(uid), given.get(HOME) or "/nonexistent")


def give(place: Path) -> None:
    """Make a folder and all in it the children's own; nothing to do where they run as ourselves. Or OSError."""
    child = identity()
    if child is None or sys.platform == "win32":
        return
    for folder, _, files in os.walk(place):
        for name in (folder, *(os.path.join(folder, file) for file in files)):
            os.chown(name, child.uid, child.uid, follow_symlinks=False)
