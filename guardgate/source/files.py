"""Files that a project names: they stay inside its root, are regular, bounded and UTF-8."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from guardgate.source.compose import MAX_BYTES


class Reason(str):
    """Why a file cannot be used, as a few words; tells itself from a text that was read."""

    __slots__ = ()


def inside(root: Path, base: Path, name: str, max_bytes: int = MAX_BYTES) -> Path | Reason:
    """The real path of a regular file that `name` means, seen from `base`; never outside `root`."""
    if not name.strip() or not name.isprintable():
        return Reason("is not a file name")
    if "\\" in name:
        return Reason("has a backslash; write folders with /")
    top = os.path.realpath(root)
    # Before the disk is asked: an answer must not tell which files exist elsewhere.
    written = os.path.abspath(base / name)
    if not (_under(written, os.path.abspath(root)) or _under(written, top)):
        return Reason("leads out of the project")
    real = os.path.realpath(base / name)
    if not _under(real, top):
        return Reason("leads out of the project")
    wrong = _unusable(real, max_bytes)
    return wrong if wrong is not None else Path(real)


def read_text(path: Path, max_bytes: int = MAX_BYTES) -> str | Reason:
    """The text of a regular UTF-8 file, without its byte order mark, line ends as they are."""
    data = read_bytes(path, max_bytes)
    if isinstance(data, Reason):
        return data
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        return Reason(f"is not UTF-8 text (byte {error.start + 1})")


def read_bytes(path: Path, max_bytes: int = MAX_BYTES) -> bytes | Reason:
    """The bytes of a regular file, or why they cannot be had."""
    wrong = _unusable(path, max_bytes)
    if wrong is not None:
        return wrong
    try:
        with open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        return Reason(f"cannot be read: {_words(error)}")
    return data if len(data) <= max_bytes else _too_large(max_bytes)


def _under(path: str, top: str) -> bool:
    try:
        return os.path.commonpath([path, top]) == top
    except ValueError:  # two drives
        return False


def _unusable(path: str | Path, max_bytes: int) -> Reason | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return Reason("does not exist")
    except (OSError, ValueError) as error:
        return Reason(f"cannot be read: {_words(error)}")
    if stat.S_ISDIR(status.st_mode):
        return Reason("is a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        return Reason("is not a regular file")
    return None if status.st_size <= max_bytes else _too_large(max_bytes)


def _too_large(max_bytes: int) -> Reason:
    return Reason(f"is larger than {max_bytes:,} bytes")


def _words(error: Exception) -> str:
    return (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
