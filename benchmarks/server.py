"""A stand-in for a bot: answers each POST after 100 ms, and counts what is in flight. As cheap as it can be.

Prints its port, runs until standard input closes, then prints the most requests that were in flight.
"""

from __future__ import annotations

import asyncio
import sys

DELAY = 0.1
BODY = b'{"answer": "I can not do that."}'
ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
    + str(len(BODY)).encode()
    + b"\r\n\r\n"
    + BODY
)


class Bot(asyncio.Protocol):
    """One connection, one request at a time."""

    now = most = served = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client came."""
        self._transport = transport
        self._data = b""

    def data_received(self, data: bytes) -> None:
        """Answer later, once the whole request is here."""
        self._data += data
        head, end, body = self._data.partition(b"\r\n\r\n")
        length = next(
            (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0
        )
        if end and len(body) >= length:
            self._data = b""
            Bot.now += 1
            Bot.most = max(Bot.most, Bot.now)
            asyncio.get_running_loop().call_later(DELAY, self._answer)

    def _answer(self) -> None:
        Bot.now -= 1
        Bot.served += 1
        assert isinstance(self._transport, asyncio.Transport)
        if not self._transport.is_closing():
            self._transport.write(ANSWER)


async def main() -> None:
    """Serve until standard input closes."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Bot, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()
    print(Bot.most, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
