"""A proxy that opens tunnels (CONNECT), in threads of its own, and remembers what it was asked in the clear."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Self

from tests.support.server import PATIENCE


class Tunnel:
    """`with Tunnel() as proxy:` gives `address`. refuses: it wants a password that nobody has."""

    def __init__(self, *, refuses: bool = False) -> None:
        self._refuses = refuses
        self._over = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._open: list[socket.socket] = []
        self.heads: list[str] = []

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        # accept is not ended by a close on every system, but by one more caller
        self._over = True
        with suppress(OSError):
            socket.create_connection(self._listener.getsockname(), PATIENCE).close()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        for one in (*self._open, self._listener):
            one.close()

    def _start(self, work: object, *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            self._open.append(client)
            if self._over:
                return
            self._start(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            part = client.recv(4096)
            if not part:
                return
            head += part
        self.heads.append(head.decode())
        if self._refuses:
            client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
            client.close()
            return
        host, _, port = head.split()[1].decode().rpartition(":")
        server = socket.create_connection((host, int(port)), PATIENCE)
        self._open.append(server)
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        self._start(self._pump, client, server)
        self._start(self._pump, server, client)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
