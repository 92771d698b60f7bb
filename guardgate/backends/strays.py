"""Processes that a child left behind outside of its process group. Found on Linux only: elsewhere nothing tells."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
#: The owner's bits of a link in /proc/PID/fd: a file that is open for writing alone.
_WRITES, _READS = 0o200, 0o400


def descendants(pid: int) -> set[int]:
    """Processes of the session that `pid` began, and all that these have started, in whatever session."""
    parents: dict[int, int] = {}
    found = {pid}
    for one, parent, session in _table():
        parents[one] = parent
        if session == pid:
            found.add(one)
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid, os.getpid()}


def holders(inodes: Collection[int]) -> set[int]:
    """Processes that can still write into these pipes."""
    names = {f"pipe:[{inode}]" for inode in inodes}
    return {pid for pid in _pids() if pid != os.getpid() and not names.isdisjoint(_written(pid))}


def _pids() -> Iterator[int]:
    if not _PROC.is_dir():
        return
    with suppress(OSError):
        yield from (int(name) for name in os.listdir(_PROC) if name.isdigit())


def _table() -> Iterator[tuple[int, int, int]]:
    """Id, parent and session of every process; one that ends meanwhile is left out."""
    for pid in _pids():
        with suppress(OSError, ValueError, IndexError):
            # the name before the last bracket may hold anything
            fields = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
            yield pid, int(fields[1]), int(fields[3])


def _written(pid: int) -> Iterator[str]:
    folder = _PROC / str(pid) / "fd"
    with suppress(OSError):  # of another user, or gone
        for name in os.listdir(folder):
            with suppress(OSError):
                mode = os.lstat(folder / name).st_mode
                if mode & _WRITES and not mode & _READS:
                    yield os.readlink(folder / name)
