"""Files and folders through the scanner: what was found, what is no text, what could not be read."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from guardgate.filekind import HEAD, OVERLAP, encoding_of, holds_no_text, mixed
from guardgate.scan import Finding, scan_pieces

#: Histories of version control: nobody reads them as documents.
NEVER = frozenset({".git", ".hg", ".svn"})
#: Standard input, among the paths.
STDIN = Path("-")
_PIECE = 64 * 1024


@dataclass(frozen=True, slots=True)
class Scanned:
    """A file that was read to its end."""

    path: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """A file or folder that could not be read to its end, and why. `findings`: up to there."""

    path: str
    reason: str
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file in a folder that nobody asked for by name and that holds no text, or a link."""

    path: str
    reason: str


Result = Scanned | Unread | Skipped


def scan_paths(paths: Iterable[Path]) -> Iterator[Result]:
    """One result for each file, in the order of the paths and, in a folder, of names; each file once.

    `-` is the standard input.
    """
    seen: set[str] = set()
    for path in paths:
        for found in _at(path):
            if found.path not in seen:
                seen.add(found.path)
                yield found


def _at(path: Path) -> Iterator[Result]:
    if path == STDIN:
        yield _stdin(path)
    elif os.path.isdir(path):  # Path.is_dir raises for a name that is too long
        yield from _under(path)
    else:
        yield _file(path, named=True)


def _stdin(path: Path) -> Result:
    if sys.stdin is None:  # it is closed
        return Unread(_name(path), "is closed")
    return _read(sys.stdin.buffer, path, named=True)


def _under(folder: Path) -> Iterator[Result]:
    faults: list[OSError] = []
    for base, folders, names in os.walk(folder, onerror=faults.append):
        links = [name for name in (*folders, *names) if Path(base, name).is_symlink()]
        folders[:] = sorted(name for name in folders if name not in NEVER and name not in links)
        for name in sorted({*names, *links}):
            path = Path(base, name)
            yield Skipped(_name(path), "a link") if name in links else _file(path, named=False)
    yield from (Unread(_name(Path(fault.filename or folder)), _words(fault)) for fault in faults)


def _file(path: Path, *, named: bool) -> Result:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return Unread(_name(path), "is not a regular file")
        with path.open("rb") as file:
            return _read(file, path, named=named)
    except (OSError, ValueError) as error:
        return Unread(_name(path), _words(error))


def _read(file: BinaryIO, path: Path, *, named: bool) -> Result:
    """What a stream of bytes says, read once and in pieces."""
    name = _name(path)
    found: list[Finding] = []
    head = file.read(HEAD)
    if holds_no_text(head, path.suffix.lower()):
        return Unread(name, "is not text") if named else Skipped(name, "not text")
    encoding = encoding_of(head)
    try:
        found.extend(scan_pieces(_pieces(head, file, encoding), name))
    except _Mixed:
        return Unread(name, "mixes UTF-16 with other text, or has control characters between its letters", tuple(found))
    except UnicodeError:
        return Unread(name, f"is not {'UTF-8' if encoding == 'utf-8-sig' else 'UTF-16'} text", tuple(found))
    except OSError as error:
        return Unread(name, _words(error), tuple(found))
    return Scanned(name, tuple(sorted(found, key=lambda finding: finding.line)))


class _Mixed(Exception):
    """A part of a file is text of another encoding."""


def _pieces(head: bytes, file: BinaryIO, encoding: str) -> Iterator[str]:
    """The text in pieces. Raises UnicodeError where it is none, also where it ends within a character; _Mixed."""
    decoder = codecs.getincrementaldecoder(encoding)()
    piece, before = head, b""
    while piece:
        if mixed(before + piece, encoding):
            raise _Mixed
        yield decoder.decode(piece)
        piece, before = file.read(_PIECE), piece[-OVERLAP:]
    yield decoder.decode(b"", final=True)


def _name(path: Path) -> str:
    return path.as_posix()


def _words(error: Exception) -> str:
    return f"cannot be read: {(error.strerror or type(error).__name__) if isinstance(error, OSError) else error}"
