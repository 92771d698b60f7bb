"""The files of a project before the pull request, without git: the workspace, under what GitHub says has changed.

Every name comes from the pull request. What is not surely known is a reason, and then nothing is compared.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from guardgate.ci.bots import Bot
from guardgate.github.api import Api
from guardgate.github.failure import ApiFailure
from guardgate.github.records import Changed, Comparison
from guardgate.source import Document, Reason, read
from guardgate.source.files import read_bytes

#: So many files are fetched, and so many are looked at in all.
MOST_FETCHED = 300
MOST_FILES = 5_000
#: A file may have this many bytes, and all together.
MOST_BYTES = 2 * 1024 * 1024
MOST_TOGETHER = 256 * 1024 * 1024
#: A text that is longer names no file.
LONGEST_NAME = 300
#: What a file was before: nothing (it is new under this name), or something else (it must be fetched).
_NEW = ("added", "renamed", "copied")
_OTHER = ("modified", "changed", "removed")


class _Unknown(Exception):
    """Why the base is not surely known."""


@dataclass
class Tree:
    """The workspace at the base. `before`: names with another content there; `new`: names that were not there.

    `folded`: all of these without the case of letters. `written`: names that are laid out.
    """

    workspace: Path
    api: Api
    commit: str
    before: frozenset[str]
    new: frozenset[str]
    folded: frozenset[str]
    fetched: int = 0
    size: int = 0
    written: set[str] = field(default_factory=set)

    def under(self, folder: str) -> bool:
        """Whether anything in a folder (ending in /, or empty) changed."""
        return any(name.startswith(folder) for name in self.before | self.new)

    def gone(self, folder: str) -> list[str]:
        """Names in a folder that only the base has."""
        return sorted(name for name in self.before if name.startswith(folder) and not self._here(name).is_file())

    def has(self, name: str) -> bool:
        """Whether the base has a file of this name."""
        return name in self.before or (name not in self.new and os.path.lexists(self._here(name))
                                       and not self._folder(name))  # fmt: skip

    def read(self, name: str) -> bytes:
        """A file of the base. Raises _Unknown."""
        self._surely(name)
        data = self._fetched(name) if name in self.before else self._copied(name)
        self.size += len(data)
        if self.size > MOST_TOGETHER:
            raise _Unknown(f"its files have more than {MOST_TOGETHER:,} bytes")
        return data

    def _surely(self, name: str) -> None:
        """GitHub lists a changed submodule as one name, and letters of another case may be one file here."""
        parts = PurePosixPath(name).parents
        changed = self.before | self.new
        if any(str(one) in changed for one in parts):
            raise _Unknown(f"{name!r} lies in something that changed as a whole, such as a submodule")
        if name not in changed and name.casefold() in self.folded:
            raise _Unknown(f"{name!r} and a changed file differ in the case of letters only")

    def _fetched(self, name: str) -> bytes:
        self.fetched += 1
        if self.fetched > MOST_FETCHED:
            raise _Unknown(f"more than {MOST_FETCHED} of its files changed")
        found = self.api.file(name, self.commit)
        if isinstance(found, ApiFailure):
            raise _Unknown(found.text)
        if len(found) > MOST_BYTES:
            raise _Unknown(f"{name!r} has more than {MOST_BYTES:,} bytes")
        return found

    def _copied(self, name: str) -> bytes:
        here = self._here(name)
        if os.path.realpath(here) != os.path.join(os.path.realpath(self.workspace), *PurePosixPath(name).parts):
            raise _Unknown(f"{name!r} is a link, or lies behind one")
        data = read_bytes(here, MOST_BYTES)
        if isinstance(data, Reason):
            raise _Unknown(f"{name!r} {data}")
        return data

    def _here(self, name: str) -> Path:
        return self.workspace.joinpath(*PurePosixPath(name).parts)

    def _folder(self, name: str) -> bool:
        return os.path.isdir(self._here(name))


def tree(workspace: Path, api: Api, found: Comparison) -> Tree | str:
    """The workspace at the merge base, or why that is not known."""
    if not found.complete:
        return "GitHub lists 300 changed files at most, and there may be more"
    if found.ahead_by and not found.files:
        return "GitHub lists no file that changed"
    before: set[str] = set()
    new: set[str] = set()
    for one in found.files:
        wrong = _sorted(one, before, new)
        if wrong:
            return wrong
    folded = frozenset(name.casefold() for name in before | new)
    return Tree(workspace, api, found.merge_base, frozenset(before), frozenset(new), folded)


def _sorted(one: Changed, before: set[str], new: set[str]) -> str:
    """Put a changed file where it belongs; else why that cannot be done."""
    names = [one.filename] + ([one.previous] if one.previous is not None else [])
    hostile = next((name for name in names if not _is_name(name)), None)
    if hostile is not None:
        return f"a changed file has the name {hostile[:LONGEST_NAME]!r}"
    if one.status in _NEW:
        new.add(one.filename)
    elif one.status in _OTHER:
        before.add(one.filename)
    elif one.status != "unchanged":
        return f"GitHub says {one.status!r} of {one.filename!r}"
    if one.status == "renamed":
        if one.previous is None:
            return f"GitHub does not say what {one.filename!r} was called"
        before.add(one.previous)
    return ""


def _is_name(name: str) -> bool:
    """Whether a name is a plain path below the workspace on every system."""
    plain = name.isprintable() and not any(char in name for char in "\\:") and len(name) <= 4 * LONGEST_NAME
    return plain and all(part not in ("", ".", "..") and part.casefold() != ".git" for part in name.split("/"))


def laid_out(base: Tree, bot: Bot, folder: Path) -> Path | str:
    """The project of a bot at the base, in a folder of its own: its project file there, or why that cannot be done."""
    root = folder / "base"
    name = bot.file.relative_to(bot.workspace).as_posix()
    try:
        place = _put(base, name, root)
        markers = _marked(base.gone(bot.folder), root)
        named = [_put(base, one, root) for one in _named_by_project(base, bot, place, root)]
        for one in named:
            for leaf in _named_by(base, bot, one, root):
                _put(base, leaf, root)
        for marker in markers:
            if marker.relative_to(root).as_posix() not in base.written:
                marker.unlink()
    except _Unknown as reason:
        return str(reason)
    except (OSError, ValueError) as error:
        return f"its files could not be laid out ({type(error).__name__})"
    finally:
        base.written.clear()
    return place


def _put(base: Tree, name: str, root: Path) -> Path:
    place = root.joinpath(*PurePosixPath(name).parts)
    if name not in base.written:
        if len(base.written) >= MOST_FILES:
            raise _Unknown(f"it has more than {MOST_FILES:,} files")
        data = base.read(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        base.written.add(name)
    return place


def _marked(names: Iterable[str], root: Path) -> list[Path]:
    """Empty files where the base had one that is gone: a pattern of suites finds them."""
    found = []
    for name in names:
        place = root.joinpath(*PurePosixPath(name).parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            place.touch()
            found.append(place)
    return found


def _named_by_project(base: Tree, bot: Bot, place: Path, root: Path) -> list[str]:
    """The files that the project file names, and those that its patterns find, here or in what is gone."""
    found = dict.fromkeys(_named_by(base, bot, place, root))
    document = read(place, place.name)
    patterns = document.data.get("suites") if isinstance(document, Document) and isinstance(document.data, dict) else ()
    for pattern in patterns if isinstance(patterns, list) else ():
        for top in (bot.workspace, root):
            found.update(dict.fromkeys(_globbed(base, bot, top, pattern)))
    return list(found)


def _globbed(base: Tree, bot: Bot, top: Path, pattern: Any) -> Iterator[str]:
    """As the loader finds suites; what it refuses is no concern here."""
    if not isinstance(pattern, str) or ":" in pattern:  # a drive
        return
    if PurePosixPath(pattern).is_absolute() or ".." in PurePosixPath(pattern).parts:
        return
    for one in (top / bot.folder).glob(pattern):
        name = one.relative_to(top).as_posix()
        if one.is_file() and base.has(name):
            yield name


def _named_by(base: Tree, bot: Bot, place: Path, root: Path) -> Iterator[str]:
    """Every text of a document that is the name of a file at the base, inside the project."""
    document = read(place, place.name)
    if not isinstance(document, Document):
        return
    above = place.parent.relative_to(root).as_posix()
    for text in dict.fromkeys(_texts(document.data)):
        name = _seen_from(above, text)
        if name is not None and name.startswith(bot.folder) and base.has(name):
            yield name


def _seen_from(above: str, text: str) -> str | None:
    if not text.strip() or len(text) > LONGEST_NAME or text.startswith("/") or "\0" in text:
        return None
    name = posixpath.normpath(posixpath.join(above, text))
    return name if _is_name(name) else None


def _texts(data: Any) -> Iterator[str]:
    """Every text among the values."""
    left = [data]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
