"""A job's network as GitHub's runner makes one: a bridge of its own, in which containers find each other by name."""

from __future__ import annotations

import json
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.container.base import alone, provide, quiet
from tests.container.engine import Box, Engine
from tests.support.left_out import missing
from tests.support.server import BACKLOG

#: What Podman's networks need: it answers names, it forwards packets.
NAMES, FILTERS = "/usr/lib/podman/aardvark-dns", "iptables"
#: Where Podman keeps networks, one place for the whole machine.
STATE = "/run/containers"
#: Opens a socket where it runs, and hands it to the process that started it.
HAND_OVER = """
import socket, sys
made = socket.create_server((sys.argv[1], 0), backlog=int(sys.argv[2]))
socket.send_fds(socket.socket(fileno=int(sys.argv[3])), [b"."], [made.fileno()])
"""


@dataclass(frozen=True)
class Network:
    """`engine`: it runs containers in this network. `enter`: begins a command that is to run where the bridge is."""

    engine: Engine
    enter: tuple[str, ...] = ()

    @contextmanager
    def service(self, alias: str, program: str) -> Iterator[None]:
        """A container with a Python program, found under this name; the program prints `ready`."""
        name = f"{self.engine.network}-{alias}"
        box = Box(("-I", "-u", "-c", program), entrypoint="/opt/gg/bin/python", name=name, alias=alias)
        started = self.engine.start(box)
        try:
            _until_ready(started)
            yield
        finally:
            subprocess.run([*self.engine.client, "kill", name], capture_output=True, check=False, timeout=60)
            started.communicate(timeout=60)

    def listener(self) -> socket.socket:
        """A socket on the bridge, where containers reach the runner; a bridge is there once a container is."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            script = [sys.executable, "-I", "-c", HAND_OVER, self._gateway(), str(BACKLOG), str(theirs.fileno())]
            quiet([*self.enter, *script], pass_fds=[theirs.fileno()])
            _, (number,), *_ = socket.recv_fds(ours, 1, 1)
        return socket.socket(fileno=number)

    def _gateway(self) -> str:
        (found,) = json.loads(quiet([*self.engine.client, "network", "inspect", self.engine.network]))
        if "subnets" in found:
            return str(found["subnets"][0]["gateway"])
        return str(found["IPAM"]["Config"][0]["Gateway"])


def _until_ready(service: subprocess.Popen[bytes]) -> None:
    assert service.stdout is not None
    said: list[bytes] = []
    for line in service.stdout:
        if line.strip() == b"ready":
            return
        said.append(line)
    missing("containers", f"an engine that runs nothing in a network: {b''.join(said).decode(errors='replace')}")


@contextmanager
def network(engine: Engine, folder: Path) -> Iterator[Network]:
    """A network of its own. folder: an empty one, for what the engine writes about it."""
    name = f"github_network_{secrets.token_hex(8)}"
    with _place(engine) as enter:
        client = (*enter, *engine.client)
        if engine.name == "podman":
            client += ("--network-backend", "netavark", "--network-config-dir", str(folder))
        run = (*client, *engine.run[len(engine.client) :])
        try:
            quiet([*client, "network", "create", name])
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            missing("containers", f"an engine that makes no networks: {error}")
        try:
            yield Network(replace(engine, client=client, run=run, network=name), enter)
        finally:
            subprocess.run([*client, "network", "rm", name], capture_output=True, check=False, timeout=60)


@contextmanager
def _place(engine: Engine) -> Iterator[tuple[str, ...]]:
    """Where the bridge is made. Docker has its daemon's place; Podman gets one that is gone afterwards."""
    if engine.name != "podman":
        yield ()
        return
    with alone():
        provide(NAMES, FILTERS, more=("nftables",))
    Path(STATE).mkdir(exist_ok=True)
    script = f"mount -t tmpfs tmpfs {STATE} && echo ready && exec cat"
    streams: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    command = ["unshare", "--net", "--mount", "--propagation", "private", "sh", "-c", script]
    with subprocess.Popen(command, **streams) as holder:
        assert holder.stdout is not None
        said = holder.stdout.readline()
        if said != b"ready\n":
            missing("containers", f"no namespaces for a network: {said.decode(errors='replace').strip()}")
        yield ("nsenter", f"--net=/proc/{holder.pid}/ns/net", f"--mount=/proc/{holder.pid}/ns/mnt")
