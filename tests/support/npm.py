"""One file out of a package of npm, in the version and with the content that are written here. Kept in tests/.cache."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.support.left_out import missing
from tests.support.project import ROOT

CACHE = ROOT / "tests" / ".cache"
PATIENCE = 300.0
#: Before a test takes the proxies away, which npm may need.
_ENVIRON = dict(os.environ)


@dataclass(frozen=True)
class Member:
    """A file in a package. integrity: of the package, as the registry gives it. sha256: of the file."""

    package: str
    version: str
    integrity: str
    name: str
    sha256: str

    @property
    def kept(self) -> Path:
        return CACHE / f"{self.package.replace('/', '-').strip('@')}-{self.version}-{Path(self.name).name}"


def read(member: Member) -> bytes:
    """The file, from the cache or else from npm; the test fails where neither can give it."""
    if not member.kept.is_file():
        _fetch(member)
    data = member.kept.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    assert found == member.sha256, f"{member.kept}: found sha256 {found}; expected {member.sha256}; delete the file"
    return data


def _fetch(member: Member) -> None:
    beside = str(Path(sys.executable).parent)  # where dev.py puts it on a machine without one
    npm = shutil.which("npm", path=os.pathsep.join((_ENVIRON.get("PATH", os.defpath), beside)))
    if npm is None:
        missing("npm", "no program npm")
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        wanted = f"{member.package}@{member.version}"
        command = [npm, "pack", wanted, "--ignore-scripts", "--pack-destination", folder]
        given = {"cwd": folder, "env": _ENVIRON, "stdin": subprocess.DEVNULL, "timeout": PATIENCE}
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, **given)  # type: ignore[call-overload]
        packed = list(Path(folder).glob("*.tgz"))
        if done.returncode or len(packed) != 1:
            missing("npm", f"{' '.join(command[1:3])} that ended with {done.returncode}: {done.stderr[-500:]}")
        data = packed[0].read_bytes()
        found = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
        assert found == member.integrity, f"{wanted}: found {found}; expected {member.integrity}"
        with tarfile.open(packed[0]) as archive:
            inside = archive.extractfile(member.name)
            assert inside is not None
            # whole or not at all, since another process may do the same
            new = Path(folder, "new")
            new.write_bytes(inside.read())
        shutil.copy(new, member.kept.with_suffix(f".{os.getpid()}"))
        member.kept.with_suffix(f".{os.getpid()}").replace(member.kept)
