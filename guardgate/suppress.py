"""Findings that people let stand: kept apart from the documents, since who writes a document may be the attacker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from guardgate.normalize import fold
from guardgate.scan import Finding, at_least

if TYPE_CHECKING:
    from guardgate.model.suppressions import Suppression

_Key = tuple[str, str, str]


class Suppressions:
    """The suppressions of a file, and which of them were met."""

    def __init__(self, entries: Iterable[Suppression]) -> None:
        self._entries: dict[_Key, list[Suppression]] = {}
        for one in entries:
            self._entries.setdefault(_key(one.path, one.family, one.words), []).append(one)
        self._met: set[_Key] = set()

    def reason(self, finding: Finding) -> str | None:
        """Why this finding does not count, or None: nobody accepted it, or not at this severity."""
        key = _key(finding.path, finding.family, finding.words)
        found = self._entries.get(key, ())
        if found:
            self._met.add(key)
        return next((one.reason for one in found if at_least(one.severity, finding.severity)), None)

    def unused(self) -> Iterator[Suppression]:
        """Entries that met no finding so far: the words have changed, or the file is gone."""
        return (one for key, entries in self._entries.items() if key not in self._met for one in entries)


def load(path: Path) -> Suppressions:
    """The suppressions in a file. Raises `Invalid` with every problem of it."""
    from guardgate.errors import Invalid  # noqa: PLC0415 - a scan without suppressions reads no file but documents
    from guardgate.explain import validated  # noqa: PLC0415
    from guardgate.model.suppressions import SuppressionsFile  # noqa: PLC0415
    from guardgate.source import place, read  # noqa: PLC0415

    document = read(path, str(path))
    found = document if isinstance(document, list) else validated(SuppressionsFile, document.data, document.file)
    if isinstance(found, SuppressionsFile):
        return Suppressions(found.suppressions)
    raise Invalid(place(found, lambda _: _text(path)))


def _text(path: Path) -> str | None:
    from guardgate.source import Reason, read_text  # noqa: PLC0415

    text = read_text(path)
    return None if isinstance(text, Reason) else text


def _key(path: str, family: str, words: str) -> _Key:
    return path.replace("\\", "/").removeprefix("./"), family, fold(words)
