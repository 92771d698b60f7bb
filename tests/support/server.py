"""A real HTTP server on a loopback socket, in a thread of its own, that can misbehave."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import ssl
import struct
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from aiohttp import web

#: No test waits longer than this for the other side.
PATIENCE = 20.0
BACKLOG = 256


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    """What the server does with one request.

    body: bytes, text, or anything else as JSON. chunks: a streamed body, with a `pause` after each. raw: exactly these
    bytes on the socket, then closed. then: what happens after the body: `end` properly, `cut` the connection
    without the end that HTTP wants, `reset` it, `hang` until the client goes, or `repeat` the chunks for ever.
    hang: not even a status is sent until the client goes. drop: the connection is reset instead of any answer.
    """

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: tuple[bytes, ...] | None = None
    raw: bytes | None = None
    pause: float = 0.0
    then: Literal["end", "cut", "reset", "hang", "repeat"] = "end"
    hang: bool = False
    drop: bool = False

    @property
    def data(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


Reaction = Callable[[Seen], Answer]


class Server:
    """`with Server(answer) as server:` gives `url`, what was `seen`, and `most` requests in flight at once.

    `answers`: one answer for all, several in turn (the last one stays), or a function. `crowd`: nobody is
    answered before so many requests are in flight at once. `peers`: the connections that sent requests. `busy` is
    set when a request is there, `gone` when a client left early. listener: a socket in place of one on the loopback.
    """

    def __init__(
        self, *answers: Answer | Reaction, crowd: int = 1, tls: ssl.SSLContext | None = None,
        listener: socket.socket | None = None,
    ) -> None:  # fmt: skip
        self._answers = answers
        self._crowd = crowd
        self._tls = tls
        self._listener = listener
        self.seen: list[Seen] = []
        self.most = 0
        self.peers: set[object] = set()
        self.busy = threading.Event()
        self.gone = threading.Event()
        self._in_flight = 0
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(PATIENCE), "the test server did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the test server did not stop"

    def leave(self) -> None:
        """Close the socket and every connection, also in the middle of a run."""
        with contextlib.suppress(RuntimeError):  # it has left before
            self._loop.call_soon_threadsafe(self._stop.set)

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://{self.host}:{self.port}"

    async def _serve(self) -> None:
        self._loop, self._stop, self._enough = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._handle)
        # With 0 it would wait for ever for the requests in flight.
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.01, access_log=None)
        await runner.setup()
        listener = self._listener or socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
        self.host, self.port = listener.getsockname()[:2]
        await web.SockSite(runner, listener, backlog=BACKLOG, ssl_context=self._tls).start()
        self._ready.set()
        try:
            await self._stop.wait()
        finally:
            await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        async with self._counted():
            try:
                body = await request.read()
                seen = Seen(request.method, request.path, dict(request.query), request.headers.copy(), body)
                self.seen.append(seen)
                self.peers.add(request.transport and request.transport.get_extra_info("peername"))
                self.busy.set()
                await self._enough.wait()
                return await _answer(request, self._reaction(seen))
            except (asyncio.CancelledError, ConnectionError):
                self.gone.set()
                raise

    @asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
        self._in_flight += 1
        self.most = max(self.most, self._in_flight)
        if self._in_flight >= self._crowd:
            self._enough.set()
        try:
            yield
        finally:
            self._in_flight -= 1

    def _reaction(self, seen: Seen) -> Answer:
        answer = self._answers[min(len(self.seen), len(self._answers)) - 1]
        return answer if isinstance(answer, Answer) else answer(seen)


async def _answer(request: web.Request, answer: Answer) -> web.StreamResponse:
    if answer.hang:
        await asyncio.Event().wait()
    if answer.drop:
        _reset(request)
    if answer.raw is not None:
        assert request.transport is not None
        request.transport.write(answer.raw)
        request.transport.close()
    if answer.drop or answer.raw is not None:
        return web.Response()
    if answer.chunks is None and answer.then == "end":
        return web.Response(status=answer.status, headers=answer.headers, body=answer.data)
    return await _stream(request, answer)


async def _stream(request: web.Request, answer: Answer) -> web.StreamResponse:
    response = web.StreamResponse(status=answer.status, headers=answer.headers)
    await response.prepare(request)
    chunks = answer.chunks if answer.chunks is not None else (answer.data,)
    while True:
        for chunk in chunks:
            await response.write(chunk)
            await asyncio.sleep(answer.pause)
        if answer.then != "repeat":
            break
    assert request.transport is not None
    if answer.then == "hang":
        await asyncio.Event().wait()
    if answer.then == "cut":
        request.transport.close()
    if answer.then == "reset":
        _reset(request)
    return response


def _reset(request: web.Request) -> None:
    transport = request.transport
    assert transport is not None
    # a linger of zero seconds makes the kernel send RST in place of FIN
    linger = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abort()


def free_port() -> int:
    """A loopback port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
