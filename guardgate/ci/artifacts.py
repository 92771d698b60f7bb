"""Artifacts of a workflow run: hostile zip files, from which single files are read by their last name alone."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from guardgate.github.api import Api
from guardgate.github.failure import ApiFailure

#: Artifacts that may be ours begin so, as in the workflows of the examples.
PREFIX = "guardgate"
#: How many artifacts and entries are looked at, and how large a file may be once it is unpacked.
ARTIFACTS, ENTRIES, BYTES = 5, 2_000, 512 * 1024 * 1024
_STEP = 1024 * 1024
#: What a zip file that is cut, encrypted, forged or of an unknown kind raises.
_BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, OSError, ValueError,
           EOFError)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Packed:
    """One downloaded artifact."""

    name: str
    data: bytes

    def unpack(self, wanted: Callable[[str], bool], folder: Path, most: int = BYTES) -> Iterator[Path]:
        """Each file whose last name is wanted, as a new file in the folder. What is too large or broken is left out."""
        try:
            with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
                entries = [one for one in archive.infolist()[:ENTRIES] if wanted(PurePosixPath(one.filename).name)]
                for number, entry in enumerate(entries):
                    place = folder / f"{number}-{PurePosixPath(entry.filename).name}"
                    if _copied(archive, entry, place, most):
                        yield place
        except _BROKEN:
            return


def _copied(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, place: Path, most: int) -> bool:
    """Whether the entry was copied whole: what its header says of its size is not believed."""
    left = most
    with archive.open(entry) as source, place.open("xb") as target:
        while block := source.read(_STEP):
            left -= len(block)
            if left < 0:
                return False
            target.write(block)
    return True


def artifacts(api: Api, run: int) -> tuple[Packed, ...] | ApiFailure:
    """The newest artifacts of a run that may be ours, the newest first."""
    found = api.artifacts(run)
    if isinstance(found, ApiFailure):
        return found
    mine = sorted((one for one in found if one.name.startswith(PREFIX) and not one.expired), key=lambda one: -one.id)
    packed = []
    for one in mine[:ARTIFACTS]:
        data = api.download(one.id)
        if isinstance(data, ApiFailure):
            return data
        packed.append(Packed(one.name, data))
    return tuple(packed)
