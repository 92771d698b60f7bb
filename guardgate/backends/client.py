"""HTTP calls on aiohttp: one session a backend, one bounded read a body, every outcome a value."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import aiohttp
from yarl import URL

from guardgate import __version__
from guardgate.backends.address import fault_of, proxy_for
from guardgate.backends.base import MAX_REPLY_BYTES, Available, Surroundings
from guardgate.backends.outcomes import honest, of_status
from guardgate.backends.ratelimits import wait_of
from guardgate.backends.reading import Reading
from guardgate.record import Failure, Reply, Retry

PROBE_SECONDS = 5.0
CONNECT_SECONDS = 10.0
#: Common servers drop idle connections after 5 seconds; ours go first, so that no call meets a dead one.
IDLE_SECONDS = 4.0
#: How long a stream may take to close after its end marker before the connection is given up.
LINGER_SECONDS = 0.25
MAX_ERROR_BYTES = 64 * 1024
_LARGE = 512 * 1024


class Client:
    """One endpoint. The pool follows the limit in flight; no cookies, no redirects, no `.netrc`.

    `not_before`: when it last said that there are calls left again (monotonic).
    """

    def __init__(self, url: str, method: str, headers: Mapping[str, str], around: Surroundings) -> None:
        self._text, self._method, self._around = url, method, around
        self._headers = {
            "User-Agent": f"guardgate/{__version__}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            **headers,
        }
        self._fault = fault_of(url, headers, around.environ)
        self._url = URL() if self._fault else URL(url)
        self._proxy = None if self._fault else proxy_for(self._url, around.environ)
        self._session: aiohttp.ClientSession | None = None
        self.not_before = 0.0

    async def probe(self) -> Available | Failure:
        """Whether something listens there; only a TCP connection, within 5 seconds."""
        if self._fault:
            return Failure("unavailable", self._fault)
        place = self._proxy or self._url
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                _, writer = await asyncio.open_connection(place.host, place.port)
                writer.close()
        except (OSError, TimeoutError) as error:
            reason = str(error) or f"no answer within {PROBE_SECONDS:g} s"
            todo = "start the server or correct the address"
            return Failure("unavailable", f"nothing listens at {place.host}:{place.port} ({reason}); {todo}")
        return Available()

    async def call(
        self,
        body: bytes | None,
        into: Reading,
        repeat: Retry,
        deadline: float,
        query: Mapping[str, str] | None = None,
    ) -> Reply | Failure:
        """One exchange, before `deadline` (monotonic). `repeat`: the retry when the turn may have been processed."""
        if self._fault:
            return Failure("unavailable", self._fault, fatal=True)
        started = time.monotonic()
        seconds = min(self._around.call_seconds, deadline - started)
        if seconds <= 0:
            return Failure("timeout", "no time was left to send the turn")
        response: aiohttp.ClientResponse | None = None
        outcome: Reply | Failure
        try:
            async with asyncio.timeout(seconds):
                response = await self._send(body, query)
                self._heed(response.headers)
                outcome = await self._read(response, into, repeat)
        except aiohttp.ConnectionTimeoutError:
            outcome = Failure("connection", f"no connection within {CONNECT_SECONDS:g} s", "resend")
        except TimeoutError:
            outcome = Failure("timeout", f"no complete reply within {round(seconds, 1):g} s", repeat)
            outcome = into.broken(outcome) if response else outcome
        except (aiohttp.ClientError, OSError) as error:
            outcome = lost(error, repeat)
            outcome = into.broken(outcome) if response else outcome
        else:
            if isinstance(outcome, Reply):
                outcome = replace(outcome, ms=round((time.monotonic() - started) * 1000))
                if not response.content.at_eof():
                    await _drain(response)
        finally:
            if response is not None:
                response.release()
        return outcome if isinstance(outcome, Reply) else honest(outcome)

    async def close(self) -> None:
        """Close every connection."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _send(self, body: bytes | None, query: Mapping[str, str] | None) -> aiohttp.ClientResponse:
        session = self._open()
        url = self._url.extend_query(query) if query else self._url
        data = io.BytesIO(body) if body and len(body) > _LARGE else body
        # aiohttp sends GET and PUT again by itself when the connection breaks; a turn must never be sent twice
        once = None if self._method == "POST" else (_Once(),)
        return await session.request(
            self._method, url, data=data, allow_redirects=False, proxy=self._proxy, middlewares=once
        )

    def _heed(self, headers: Mapping[str, str]) -> None:
        wait = wait_of(headers, datetime.now(UTC))
        if wait:
            self.not_before = max(self.not_before, time.monotonic() + wait)

    async def _read(self, response: aiohttp.ClientResponse, into: Reading, repeat: Retry) -> Reply | Failure:
        if not 200 <= response.status < 300:
            body = await _beginning(response)
            return of_status(response.status, response.headers, body, repeat, datetime.now(UTC))
        size = 0
        # decompressed bytes are counted: a small body can unfold into a huge one
        async for data in response.content.iter_any():
            size += len(data)
            if size > MAX_REPLY_BYTES:
                detail = f"the reply is larger than {MAX_REPLY_BYTES} bytes; it was not read to its end"
                return into.broken(Failure("too_large", detail))
            if into.feed(data):
                break
        return into.finish()

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self._around.concurrency, keepalive_timeout=IDLE_SECONDS),
                # a shared jar would mix the sessions of attempts that run side by side
                cookie_jar=aiohttp.DummyCookieJar(),
                headers=self._headers,
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
            )
        return self._session


class _Once:
    """Lets a request pass one time."""

    def __init__(self) -> None:
        self._sent = False

    async def __call__(
        self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        if self._sent:
            raise aiohttp.ClientOSError("the connection broke after the request was sent")
        self._sent = True
        return await handler(request)


def lost(error: aiohttp.ClientError | OSError, repeat: Retry) -> Failure:
    """The failure for a connection that could not be made, or that broke."""
    reason = str(error) or type(error).__name__
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        detail = f"the server's certificate is not trusted ({reason}); correct it, or the address"
        return Failure("connection", detail, fatal=True)
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ClientHttpProxyError):
        return Failure("connection", f"no connection ({reason})", "resend")
    if isinstance(error, aiohttp.InvalidURL):
        return Failure("connection", f"the address cannot be used ({reason}); correct it", fatal=True)
    if isinstance(error, aiohttp.ClientResponseError):
        return Failure("malformed", f"the answer is not HTTP ({reason}); check that the address is an HTTP server")
    return Failure("connection", f"the connection broke after the request was sent ({reason})", repeat)


async def _beginning(response: aiohttp.ClientResponse) -> bytes:
    """The first bytes of an error's body; that it broke off does not hide the status."""
    body = b""
    try:
        async for data in response.content.iter_any():
            body += data
            if len(body) >= MAX_ERROR_BYTES:
                break
    except (aiohttp.ClientError, OSError) as error:
        body += f" (the body broke off: {type(error).__name__})".encode()
    return body[:MAX_ERROR_BYTES]


async def _drain(response: aiohttp.ClientResponse) -> None:
    """Read the rest after a stream's end marker, so that the connection can serve the next turn."""
    size = 0
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while size < MAX_ERROR_BYTES and (data := await response.content.readany()):
                size += len(data)
    except (aiohttp.ClientError, OSError):
        # the reply is complete; release() closes a connection that cannot be used again
        return
