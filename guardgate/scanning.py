"""Files and folders through the scanner: what was found, what is no text, what could not be read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from guardgate.scan import Finding, scan_pieces

#: Histories of version control: nobody reads them as documents.
NEVER = frozenset({".git", ".hg", ".svn"})
_PIECE = 64 * 1024
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


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
    """A file in a folder that nobody asked for by name and that is no text, or a link."""

    path: str
    reason: str


Result = Scanned | Unread | Skipped


def scan_paths(paths: Iterable[Path]) -> Iterator[Result]:
    """One result for each file, in the order of the paths and, in a folder, of names; each file once."""
    seen: set[str] = set()
    for path in paths:
        for found in _under(path) if path.is_dir() else (_file(path, named=True),):
            if found.path not in seen:
                seen.add(found.path)
                yield found


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
    name = _name(path)
    found: list[Finding] = []
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return Unread(name, "is not a regular file")
        encoding = _encoding(path)
        if encoding is None:
            return Unread(name, "is not text") if named else Skipped(name, "not text")
        with path.open(encoding=encoding) as file:
            found.extend(scan_pieces(iter(lambda: file.read(_PIECE), ""), name))
    except UnicodeError:
        return Unread(name, "is not UTF-8 text", tuple(found))
    except (OSError, ValueError) as error:
        return Unread(name, _words(error), tuple(found))
    return Scanned(name, tuple(sorted(found, key=lambda finding: finding.line)))


def _encoding(path: Path) -> str | None:
    """UTF-8, or UTF-16 where its mark stands at the beginning; None where a zero byte says that it is no text."""
    with path.open("rb") as file:
        head = file.read(8192)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    return None if b"\0" in head else "utf-8-sig"


def _name(path: Path) -> str:
    return path.as_posix()


def _words(error: Exception) -> str:
    return f"cannot be read: {(error.strerror or type(error).__name__) if isinstance(error, OSError) else error}"
