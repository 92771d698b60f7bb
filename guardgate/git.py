"""The commit of a working tree, read from its files: no git program, no configuration of anybody."""

from __future__ import annotations

import re
from pathlib import Path

_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def head_commit(folder: Path) -> str | None:
    """The commit that is checked out at or above the folder, or None where that cannot be told."""
    try:
        git = next((one / ".git" for one in (folder, *folder.parents) if (one / ".git").exists()), None)
        return None if git is None else _resolved(_folder(git))
    except (OSError, UnicodeDecodeError):
        return None


def _folder(git: Path) -> Path:
    """A worktree has a file instead of the folder."""
    if git.is_dir():
        return git
    return git.parent / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()


def _resolved(git: Path) -> str | None:
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return head if _COMMIT.fullmatch(head) else None
    ref = head.removeprefix("ref:").strip()
    common = git / "commondir"
    home = git / common.read_text(encoding="utf-8").strip() if common.is_file() else git
    for place in (git, home):
        if ".." not in ref and (place / ref).is_file():
            commit = (place / ref).read_text(encoding="utf-8").strip()
            return commit if _COMMIT.fullmatch(commit) else None
    packed = home / "packed-refs"
    lines = packed.read_text(encoding="utf-8").splitlines() if packed.is_file() else []
    return next((line.split()[0] for line in lines if line.endswith(f" {ref}") and _COMMIT.match(line)), None)
