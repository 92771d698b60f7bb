"""Serves the page of a results file to the person at this machine, and takes marks from nowhere else.

Only 127.0.0.1 listens. A request has to name this very server as its host, which a page that was led here by a changed
name cannot; it has to know a random word of its address, which no other user and no other page does; and what writes
has to come from the page itself, as its origin says.
"""

from __future__ import annotations

import json
import secrets
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

from guardgate.anchoring import export
from guardgate.errors import GuardgateError, Refused
from guardgate.marks import Marks, Opinion, append, marked, read, sign
from guardgate.recount import decided, summary_of
from guardgate.report.about import about
from guardgate.report.html import page
from guardgate.report.html.attempts import as_data
from guardgate.report.html.frame import policy
from guardgate.report.html.plan import Review
from guardgate.results import Results
from guardgate.summary import redecided

HOST = "127.0.0.1"
#: Bytes that a mark may have, and seconds that a client may be silent.
MOST, PATIENCE = 64 * 1024, 30
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": f"{policy(review=True)}; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass
class Desk:
    """A results file that is read, and the file that marks go to. `by`: the name that forms begin with."""

    results: Results
    file: Path
    by: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def marks(self) -> Marks:
        """The marks so far. Raises Refused where the file is damaged."""
        return Marks(read(self.file)) if self.file.exists() else Marks(())

    def page(self) -> Iterator[str]:
        """The page, counted with the marks so far."""
        signed = self.marks()
        summary, gated = summary_of(self.results, marks=signed)
        told = about(self.results.head, str(self.results.path), summary.end)
        attempts = decided(self.results, self.results.plan, signed)
        return page(summary, gated, told, attempts, Review(str(self.file), self.by))

    def anchors(self) -> str:
        """The marks so far as anchors."""
        return export(self.results, self.marks()).text

    def mark(self, said: object) -> dict[str, Any]:
        """Write a mark, and return the attempt as it is decided now. Raises Refused or OSError."""
        number, opinion = _understood(said)
        stored = next((one for one in self.results.attempts() if one.n == number), None)
        if stored is None:
            raise Refused("mark", f"the attempt {number}", "one that was played", "take it from the page")
        attempt = redecided(self.results.plan, stored)
        mark = sign(self.results.plan, attempt, opinion, datetime.now(UTC).isoformat(timespec="seconds"))
        with self.lock:
            append(self.file, mark)
        return as_data(self.results.plan, marked(attempt, mark), None, Review(str(self.file), self.by))


def _understood(said: object) -> tuple[int, Opinion]:
    """The number of the attempt, and what a person says of it. Raises Refused."""
    value = said if isinstance(said, dict) else {}
    number, texts = value.get("attempt"), [value.get(name, "") for name in ("verdict", "by", "note", "criterion")]
    if type(number) is not int or not all(isinstance(one, str) for one in texts):
        raise Refused("mark", "another form", "attempt, verdict, by and note", "use the page")
    outcome, by, note, criterion = texts
    if outcome not in ("held", "broke"):
        raise Refused("mark", f"the verdict {outcome!r}", "held or broke", "choose one of them")
    verdict: Literal["held", "broke"] = "held" if outcome == "held" else "broke"
    return number, Opinion(verdict, by, note, criterion)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = False  # on Windows it would let another program take the port

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that left is no fault; anything else is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving(desk: Desk, port: int = 0) -> Iterator[str]:
    """Serve until the block is left; the address to open. Raises Refused where the port is taken."""
    token = secrets.token_urlsafe(24)
    handler: type[_Handler] = type("Handler", (_Handler,), {"desk": desk, "token": token})
    try:
        server = _Server((HOST, port), handler)
    except OSError as error:
        raise Refused(
            f"port {port}", f"no way to listen there ({error.strerror})", "a free port", "choose another with --port"
        ) from error
    handler.own = f"{HOST}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield f"http://{handler.own}/{token}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    desk: Desk
    token: str
    own: str
    timeout = PATIENCE
    server_version, sys_version = "guardgate", ""

    def do_GET(self) -> None:
        """The page, or the anchors."""
        name = self._admitted(writes=False)
        if name == "":
            self._answered(lambda: ("text/html; charset=utf-8", self.desk.page()))
        elif name == "anchors.yaml":
            self._answered(lambda: ("application/yaml", (self.desk.anchors(),)))
        elif name is not None:
            self._refused(HTTPStatus.NOT_FOUND, "no such page")

    def do_POST(self) -> None:
        """A mark."""
        name = self._admitted(writes=True)
        if name is None:
            return
        if name != "marks":
            self._refused(HTTPStatus.NOT_FOUND, "no such page")
            return
        said = self._body()
        if said is not None:
            self._answered(lambda: ("application/json", (json.dumps({"attempt": self.desk.mark(json.loads(said))}),)))

    def _admitted(self, *, writes: bool) -> str | None:
        """What is asked for, behind the random word; None where the request was refused."""
        origin = self.headers.get("Origin")
        _, word, name = (*self.path.split("/", 2), "", "")[:3]
        if self.headers.get("Host") != self.own:
            self._refused(HTTPStatus.FORBIDDEN, "another host")
        elif (writes or origin is not None) and origin != f"http://{self.own}":
            self._refused(HTTPStatus.FORBIDDEN, "another origin")
        elif self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refused(HTTPStatus.FORBIDDEN, "opened from another page: type or paste the address into a new tab")
        elif not secrets.compare_digest(word.encode(), self.token.encode()):
            self._refused(HTTPStatus.FORBIDDEN, "the address is not complete: open the one that guardgate printed")
        else:
            return name
        return None

    def _body(self) -> bytes | None:
        """The JSON that was sent. A form or a plain text could come from another page without a question."""
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        length = self.headers.get("Content-Length", "")
        if kind != "application/json":
            self._refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "application/json is expected")
        elif not (length.isascii() and length.isdigit() and int(length) <= MOST):
            self._refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a length of at most {MOST} bytes is expected")
        else:
            return self.rfile.read(int(length))
        return None

    def _answered(self, make: Callable[[], tuple[str, Iterable[str]]]) -> None:
        """The answer, whole, or why there is none: nothing is sent before it is made."""
        try:
            kind, pieces = make()
            self._sent(HTTPStatus.OK, kind, "".join(pieces))
        except (GuardgateError, ValueError, RecursionError) as problem:
            self._refused(HTTPStatus.CONFLICT, str(problem))
        except ConnectionError:
            self.close_connection = True
        except OSError as problem:
            self._refused(HTTPStatus.INTERNAL_SERVER_ERROR, f"the system says: {problem.strerror}")

    def _refused(self, status: HTTPStatus, why: str) -> None:
        self._sent(status, "application/json", json.dumps({"error": why}))

    def _sent(self, status: HTTPStatus, kind: str, text: str) -> None:
        data = text.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **_HEADERS}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nothing: addresses hold the random word."""
