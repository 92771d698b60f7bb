"""The container engine of this machine: Docker where its daemon answers, else Podman."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.container.base import alone, cache, can_make, provide, quiet, root_tar
from tests.support.left_out import missing
from tests.support.project import ROOT

REPOSITORY = "localhost/guardgate-test"
PATH = "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
#: The machine of the tests may have lower limits than an engine wants to set.
LIMITS = ("--ulimit", "nofile=1024:4096", "--ulimit", "nproc=2048:4096")


@dataclass(frozen=True)
class Box:
    """One container to run: arguments for its entry point, its environment, and folders of the host in it.

    alias: the name under which other containers of its network find it.
    """

    arguments: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    volumes: Mapping[Path, str] = field(default_factory=dict)
    workdir: str = "/"
    entrypoint: str | None = None
    user: str | None = None
    name: str | None = None
    alias: str | None = None


@dataclass(frozen=True)
class Engine:
    """`build` and `run`: the engine's commands up to the options of one build and of one container in the `network`."""

    name: str
    client: tuple[str, ...]
    build: tuple[str, ...]
    run: tuple[str, ...]
    image: str = ""
    network: str = "host"

    def command(self, box: Box) -> list[str]:
        """The command line that runs a container and removes it at its end."""
        options = ["--rm", "--network", self.network, "--workdir", box.workdir]
        options += [part for name, value in box.env.items() for part in ("--env", f"{name}={value}")]
        options += [part for host, inside in box.volumes.items() for part in ("--volume", f"{host}:{inside}")]
        named = {"--entrypoint": box.entrypoint, "--user": box.user, "--name": box.name, "--network-alias": box.alias}
        options += [part for option, value in named.items() if value is not None for part in (option, value)]
        return [*self.run, *options, self.image, *box.arguments]

    def start(self, box: Box, **popen: Any) -> subprocess.Popen[bytes]:
        """Start a container, as a child of this process; a signal to that is passed on."""
        plain = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        return subprocess.Popen(self.command(box), **{**plain, **popen})

    def made(self) -> Engine:
        """This engine with the image of the working tree; one of the very same files is not built again."""
        name = f"{REPOSITORY}:{fingerprint()}"
        if not self._has(name):
            old = self._ours()
            quiet([*self.build, "--build-arg", f"PYTHON_IMAGE={self.base()}", "-t", name, str(ROOT)])
            for one in old:  # afterwards, so that what both share need not be built again
                subprocess.run([*self.client, "rmi", "-f", one], capture_output=True, check=False, timeout=120)
        return replace(self, image=name)

    def _ours(self) -> list[str]:
        found = _said([*self.client, "images", "--format", "{{.Repository}}:{{.Tag}}"]).split()
        return [name for name in found if name.startswith(f"{REPOSITORY}:")]

    def _has(self, name: str) -> bool:
        return bool(_said([*self.client, "image", "inspect", "--format", "{{.Id}}", name]))

    def base(self) -> str:
        """The base that the Dockerfile names where it can only be pulled; else our stand-in under its name."""
        pinned = base_of_the_dockerfile()
        name = pinned.partition("@")[0]
        if not can_make():
            return pinned
        if not self._has(name):
            self._import(root_tar(), name)
        return name

    def _import(self, tar: Path, name: str) -> None:
        changes = ("--change", f"ENV PATH={PATH}", "--change", 'CMD ["python3"]')
        quiet([*self.client, "import", *changes, str(tar), name])


def base_of_the_dockerfile() -> str:
    """The image that the first line of the Dockerfile names, with its digest."""
    first = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()[0]
    found = re.fullmatch(r"ARG PYTHON_IMAGE=(\S+@sha256:[0-9a-f]{64})", first)
    assert found, first
    return found[1]


def fingerprint() -> str:
    """A short hash of all that the image is made from."""
    copied = re.findall(r"^COPY (?!--)(.*) \S+$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    tops = [ROOT / name for line in ("Dockerfile .dockerignore", *copied) for name in line.split()]
    files = [one for top in tops for one in (sorted(top.rglob("*")) if top.is_dir() else [top])]
    found = hashlib.sha256()
    for file in files:
        if file.is_file() and "__pycache__" not in file.parts:
            found.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def state(name: str) -> str:
    """Where an engine keeps what is not kept; a short path, as engines want it, and one for each cache."""
    return f"/run/guardgate-{name}-{hashlib.sha256(str(cache()).encode()).hexdigest()[:8]}"


def ready() -> Engine:
    """An engine that works here, with the image built. Fails the test with every reason where there is none.

    `GUARDGATE_TEST_ENGINE=podman` tries that one alone.
    """
    with alone():
        reasons: list[str] = []
        only = os.environ.get("GUARDGATE_TEST_ENGINE")
        tried = (candidate(reasons) for name, candidate in ENGINES.items() if only in (None, name))
        found = next((engine for engine in tried if engine is not None), None)
        if found is None:
            missing("containers", "no container engine that works: " + "; ".join(reasons))
        return found.made()


def _docker(reasons: list[str]) -> Engine | None:
    docker = shutil.which("docker")
    if docker is None or not _works([docker, "info"], "docker", reasons):
        return None
    return Engine("docker", (docker,), (docker, "build", "--network", "host"), (docker, "run"))


def _podman(reasons: list[str]) -> Engine | None:
    places = ("--root", str(cache() / "store"), "--runroot", state("podman"), "--storage-driver", "overlay")
    podman = ("podman", *places, "--runtime", "runc")
    if not _installed(("podman", "buildah", "runc"), "podman", reasons):
        return None
    build = ("buildah", *places, "bud", "--isolation", "chroot", "--pull-never", "--layers")
    engine = Engine("podman", podman, build, (*podman, "run", *LIMITS))
    try:
        base = engine.base()
    except RuntimeError as error:
        reasons.append(f"podman: {error}")
        return None
    trial = [*podman, "run", "--rm", "--network", "host", *LIMITS, base, "true"]
    return engine if _works(trial, "podman", reasons) else None


def _installed(programs: Sequence[str], name: str, reasons: list[str]) -> bool:
    if not can_make():
        reasons.append(f"{name}: needs root on Debian, to make a base image without a registry")
        return False
    try:
        provide(*programs, more=("netavark",) if "podman" in programs else ())
    except RuntimeError as error:
        reasons.append(f"{name}: {error}")
        return False
    return True


def _works(command: Sequence[str], name: str, reasons: list[str]) -> bool:
    try:
        quiet(command)
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
        reasons.append(f"{name}: {str(error)[-300:]}")
        return False
    return True


def _said(command: Sequence[str]) -> str:
    """What an engine says of an image; empty where it has none."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.stdout.strip() if done.returncode == 0 else ""


#: In the order in which they are tried.
ENGINES = {"docker": _docker, "podman": _podman}
