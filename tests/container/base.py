"""A stand-in for the official Python image, made from Debian's own packages, where no image can be pulled."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SUITE = "trixie"
#: What the image of the Dockerfile has too: Python 3.13, pip and certificates.
PACKAGES = "python3,python3-pip,python3-venv,ca-certificates"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
#: Downloads and builds are the slow part; nothing of it may hang for ever.
PATIENCE = 900.0


def cache() -> Path:
    """Where images and the stand-in are kept between sessions: `GUARDGATE_TEST_CACHE`, or the user's cache folder."""
    given = os.environ.get("GUARDGATE_TEST_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(given) if given else Path(home) / "guardgate-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def alone() -> Iterator[None]:
    """One process of this machine at a time."""
    import fcntl  # noqa: PLC0415 - not on Windows

    with (cache() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def quiet(command: Sequence[str], **options: object) -> str:
    """Run a command to its end and return what it printed. Raises RuntimeError with the end of all it said."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", check=False, timeout=PATIENCE, **options,  # type: ignore[call-overload]
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return str(done.stdout)


def is_root() -> bool:
    """Whether this process may make file systems and users' files."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def can_make() -> bool:
    """Whether the stand-in can be made here."""
    return is_root() and shutil.which("apt-get") is not None


def provide(*programs: str, more: Sequence[str] = ()) -> None:
    """Install programs by the Debian packages of the same names, and `more`, where one is missing and we may.

    A program that is on no path is given with its folder.
    """
    if can_make() and any(shutil.which(name) is None for name in programs):
        quiet(["apt-get", "update", "-qq"])
        environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        packages = [*(Path(name).name for name in programs), *more]
        quiet(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], env=environ)


def root_tar() -> Path:
    """The stand-in's files as one archive; made once and kept."""
    kept = cache() / f"base-{SUITE}.tar"
    if not kept.exists():
        provide("mmdebstrap")
        rootfs = cache() / "rootfs"
        shutil.rmtree(rootfs, ignore_errors=True)
        quiet(["mmdebstrap", "--variant=minbase", "--mode=root", f"--include={PACKAGES}", SUITE, str(rootfs)])
        _like_the_official(rootfs)
        part = kept.with_suffix(".part")
        quiet(["tar", "-C", str(rootfs), "-cf", str(part), "."])
        part.rename(kept)
        shutil.rmtree(rootfs)
    return kept


def _like_the_official(rootfs: Path) -> None:
    """Python where the official image has it, pip without Debian's warning, and the certificates of this machine."""
    shutil.copy(CERTIFICATES, rootfs / CERTIFICATES.relative_to("/"))
    for mark in rootfs.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
        mark.unlink()
    for name, there in (("python", "python3"), ("python3", "python3"), ("pip", "pip3")):
        link = rootfs / "usr/local/bin" / name
        link.unlink(missing_ok=True)
        link.symlink_to(f"/usr/bin/{there}")
