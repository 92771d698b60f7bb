"""A Python that the image does not have, packed and listed as uv's own builds are; those come from GitHub alone."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.container.base import alone, cache, can_make, provide, quiet
from tests.support.left_out import missing
from tests.support.server import Answer, Reaction, Seen

#: The Python of an older Debian: it needs no library that the image lacks.
SUITE, VERSION, MINOR = "bookworm", "3.11.2", "3.11"
PACKAGES = f"python{MINOR}-minimal,libpython{MINOR}-stdlib"
#: Where uv's own list says that builds are; `UV_PYTHON_INSTALL_MIRROR` stands in place of it.
GITHUB = "https://github.com/astral-sh/python-build-standalone/releases/download"
LIST = "/list.json"


@dataclass(frozen=True)
class Build:
    """One build of Python: the archive, and the words with which it is listed."""

    archive: Path

    @property
    def path(self) -> str:
        """Where a mirror has it, below its address."""
        return f"/20230101/cpython-{VERSION}-install_only.tar.gz"

    def listed(self, sha256: str | None = None) -> str:
        """A list of this build alone, as `UV_PYTHON_DOWNLOADS_JSON_URL` names one."""
        machine = platform.machine()
        one = {
            "name": "cpython", "arch": {"family": machine, "variant": None}, "os": "linux", "libc": "gnu",
            **dict(zip(("major", "minor", "patch"), map(int, VERSION.split(".")), strict=True)),
            "prerelease": "", "url": GITHUB + self.path, "variant": None, "build": "20230101",
            "sha256": sha256 or hashlib.sha256(self.archive.read_bytes()).hexdigest(),
        }  # fmt: skip
        return json.dumps({f"cpython-{VERSION}-linux-{machine}-gnu": one})


def mirror(build: Build, sha256: str | None = None) -> Reaction:
    """A server with the build and its list. sha256: what the list says of the build, in place of the truth."""

    def answer(seen: Seen) -> Answer:
        if seen.path == LIST:
            return Answer(build.listed(sha256))
        return Answer(build.archive.read_bytes()) if seen.path == build.path else Answer(status=404)

    return answer


def build() -> Build:
    """The build, made once and kept."""
    kept = cache() / f"python-{VERSION}.tar.gz"
    with alone():
        if not kept.exists():
            if not can_make():
                missing("python", "no root on Debian, to make a build of another Python from its packages")
            _make(kept)
    return Build(kept)


def _make(kept: Path) -> None:
    provide("mmdebstrap")
    found, packed = cache() / "other-python", cache() / "other-python-packed"
    for folder in (found, packed):
        shutil.rmtree(folder, ignore_errors=True)
    quiet(["mmdebstrap", "--variant=extract", "--mode=root", f"--include={PACKAGES}", SUITE, str(found)])
    library = packed / "python" / "lib" / f"python{MINOR}"
    shutil.copytree(
        found / "usr" / "lib" / f"python{MINOR}", library, ignore=shutil.ignore_patterns("sitecustomize.py")
    )
    (packed / "python" / "bin").mkdir()
    shutil.copy(found / "usr" / "bin" / f"python{MINOR}", packed / "python" / "bin")
    part = kept.with_suffix(".part")
    quiet(["tar", "-C", str(packed), "-czf", str(part), "python"])
    part.rename(kept)
    for folder in (found, packed):
        shutil.rmtree(folder)
