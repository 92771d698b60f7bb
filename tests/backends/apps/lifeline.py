"""Holds a connection open for as long as the process lives: how a test sees its end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

kept: list[socket.socket] = []


def connect(port: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", int(port)))
    line.sendall(b"here\n")
    kept.append(line)
    return line


def keep(turn: str, *, session: str) -> str:
    """Connects where the turn is a port, and replies."""
    if turn.isdigit():
        connect(turn)
    return str(os.getpid())


def hold(turn: str, *, session: str) -> str:
    """Connects, and never replies."""
    connect(turn).recv(1)
    return "never"


async def spin(turn: str, *, session: str) -> str:
    """Connects, and never gives the event loop back."""
    connect(turn)
    while True:
        pass


def family(turn: str, *, session: str) -> str:
    """Connects, as does a child of its own; neither ends by itself."""
    subprocess.Popen([sys.executable, __file__, turn])
    return hold(turn, session=session)


if __name__ == "__main__":
    hold(sys.argv[1], session="child")
