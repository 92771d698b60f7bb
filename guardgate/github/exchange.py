"""One request and its answer on the wire: bounded in size and time, with redirects that keep the token at home."""

from __future__ import annotations

import json
import logging
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urljoin

import httpx

from guardgate import __version__
from guardgate.github.failure import ApiFailure
from guardgate.github.settings import Settings
from guardgate.report.escape import terminal

API_VERSION = "2022-11-28"
ACCEPT = "application/vnd.github+json"
#: A hundred comments of 65,536 characters fit into it.
MAX_BYTES = 32 * 1024 * 1024
CALL_SECONDS = 30.0
#: Even when no patience is left, a call has so long.
LEAST_SECONDS = 5.0
HOPS = 3

_NO_ADDRESS = "{}: redirected to no address; it was not followed"
_MOVED = (301, 302, 307, 308)
#: These keep method and body; after the others, a client would send something else than it was asked to.
_MOVED_AS_IT_IS = (307, 308)
#: In these cases nothing has been sent yet.
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)


def _utc() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time comes from, so that tests need none."""

    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = _utc
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked. `abroad`: the answer may lie at another origin, which is asked without the token."""

    method: str
    url: str
    body: Mapping[str, object] | None = None
    limit: int = MAX_BYTES
    abroad: bool = False

    @property
    def name(self) -> str:
        """The request for a message: without its query, which may hold a signature."""
        return f"{self.method} {self.url.partition('?')[0]}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, whole. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    url: str


@dataclass(frozen=True, slots=True)
class Lost:
    """No whole answer came. `sent`: the request may have been carried out. `again`: it may come the next time."""

    why: str
    sent: bool
    again: bool = True


def open_client(given: Settings) -> httpx.Client | ApiFailure:
    """A client with the proxies of the environment and the certificates of the settings."""
    for name in ("httpx", "httpcore"):
        # they would log headers and the signed addresses of artifacts
        logging.getLogger(name).setLevel(logging.WARNING)
    try:
        context = httpx.create_ssl_context()
        if given.ca_bundle is not None:
            context.load_verify_locations(cafile=given.ca_bundle)
    except (OSError, ssl.SSLError):
        found = f"ca-bundle {terminal(str(given.ca_bundle))} cannot be read as certificates"
        return ApiFailure("settings", f"found: {found}; expected a file in PEM; GitHub was not asked")
    try:
        return httpx.Client(verify=context, follow_redirects=False, headers=_plain_headers())
    except (ValueError, ImportError, httpx.InvalidURL):
        # the message would show the address with its password
        found = "the proxy of the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY) cannot be used"
        return ApiFailure("settings", f"found: {found}; expected http://HOST:PORT; GitHub was not asked")


def exchange(
    client: httpx.Client, request: Request, given: Settings, clock: Clock, seconds: float
) -> Answer | Lost | ApiFailure:
    """The answer after its redirects, what was lost, or why it is not followed or not read. Never raises for a server.

    The token goes to the origin of `given.base` alone, and not there either when somebody else leads back to it.
    """
    deadline = clock.monotonic() + seconds
    at = request.url
    at_home = True
    try:
        for _ in range(HOPS + 1):
            at_home = at_home and same_origin(at, given.base)
            answer = _once(client, request, at, _headers(given, request, at_home), clock, deadline)
            if not isinstance(answer, Answer) or answer.status not in _MOVED:
                return answer
            following = _next(request, given, answer)
            if isinstance(following, ApiFailure):
                return following
            at = following
    except httpx.InvalidURL:
        return ApiFailure("redirected", _NO_ADDRESS.format(request.name))
    return ApiFailure("redirected", f"{request.name}: redirected more than {HOPS} times")


def _once(
    client: httpx.Client, request: Request, at: str, headers: Mapping[str, str], clock: Clock, deadline: float
) -> Answer | Lost | ApiFailure:
    left = max(deadline - clock.monotonic(), 0.01)
    body = bytearray()
    # in ASCII, since a lone surrogate in a text could not be sent as UTF-8
    content = None if request.body is None else json.dumps(request.body).encode("ascii")
    sent = False
    try:
        with client.stream(request.method, at, content=content, headers=headers, timeout=left) as response:
            sent = True
            coding = response.headers.get("content-encoding", "identity").lower()
            if coding != "identity":
                return ApiFailure(
                    "malformed", f"{request.name}: the answer is in {coding[:40]!r}, which was not asked for"
                )
            for chunk in response.iter_raw():
                body += chunk
                if len(body) > request.limit:
                    bound = f"more than {request.limit:,} bytes were answered"
                    return ApiFailure("too_large", f"{request.name}: {bound}; they were not read", response.status_code)
                if clock.monotonic() > deadline:
                    return Lost("the answer did not end in time", sent=True)
            found = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status_code, found, bytes(body), at)
    except httpx.TimeoutException as error:
        return Lost("no answer in time", sent=sent or not isinstance(error, _NOT_SENT))
    except httpx.RequestError as error:
        if _untrusted(error):
            why = "the certificate of the server is not trusted; give the file of your own authority as ca-bundle"
            return Lost(why, sent=False, again=False)
        return Lost(f"{type(error).__name__}: {error}", sent=sent or not isinstance(error, _NOT_SENT))
    except UnicodeError:
        return Lost("the host's name, or that of the proxy, is none", sent=False, again=False)


def _untrusted(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _next(request: Request, given: Settings, answer: Answer) -> str | ApiFailure:
    location = answer.headers.get("location", "")
    if request.method != "GET" and answer.status not in _MOVED_AS_IT_IS:
        return ApiFailure("redirected", f"{request.name}: answered {answer.status}; a change is not sent elsewhere")
    if not location:
        return ApiFailure("malformed", f"{request.name}: answered {answer.status} without saying where to")
    try:
        wanted = urljoin(answer.url, location)
        here, there = httpx.URL(answer.url), httpx.URL(wanted)
    except ValueError:
        return ApiFailure("redirected", _NO_ADDRESS.format(request.name))
    if same_origin(wanted, given.base):
        return wanted
    weaker = there.scheme != "https" and here.scheme == "https"
    if request.abroad and there.scheme in ("http", "https") and there.host and not there.userinfo and not weaker:
        return wanted
    where = f"{there.scheme}://{there.host}"
    return ApiFailure("redirected", f"{request.name}: redirected to {where}, another origin; it was not followed")


def same_origin(url: str, base: str) -> bool:
    """Whether both have the same scheme, host and port, and the first brings no user. Raises httpx.InvalidURL."""
    one, two = httpx.URL(url), httpx.URL(base)
    return (one.scheme, one.host, _port(one)) == (two.scheme, two.host, _port(two)) and not one.userinfo


def _port(url: httpx.URL) -> int | None:
    return url.port or {"http": 80, "https": 443}.get(url.scheme)


def _plain_headers() -> dict[str, str]:
    # a compressed answer could unfold to any size before it is counted
    return {"User-Agent": f"guardgate/{__version__}", "Accept-Encoding": "identity"}


def _headers(given: Settings, request: Request, at_home: bool) -> dict[str, str]:
    if not at_home:
        return {"Accept": "*/*"}
    own = {"Accept": ACCEPT, "X-GitHub-Api-Version": API_VERSION, "Authorization": f"Bearer {given.token}"}
    return own if request.body is None else {**own, "Content-Type": "application/json"}
