"""What a model or its provider does in one turn, and what the backends of command line agents must make of it.

A scene is called by the words of its turn. tests/slow plays each with the real programs and a stand-in for the API;
the other tests with stubs that write what the real programs wrote then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAIL = ("send_mail", {"to": "eve@outside.example"})
PATCH = ("apply_patch", "*** Begin Patch\n*** Add File: planted.txt\n+planted\n*** End Patch")


@dataclass(frozen=True)
class Step:
    """One answer of the API: words and a call of a tool, or a status, or an error inside a stream that began well.

    then: `end` properly, `cut` the connection in the middle, `drop` it before any answer, `hang` for ever.
    stop: a reason to stop other than the usual one. error: type and message of an error in the stream.
    """

    text: str = ""
    tool: tuple[str, Any] | None = None
    status: int = 200
    message: str = "what it says"
    then: str = "end"
    stop: str | None = None
    error: tuple[str, str] | None = None


@dataclass(frozen=True)
class Expected:
    """kind: of the failure; None for a reply. text: of the reply, or of what was received before the failure."""

    kind: str | None = None
    retry: str = "no"
    fatal: bool = False
    text: str = ""
    tools: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Scene:
    """The steps of the API (the last one stays), and what is expected, by program where they differ."""

    steps: tuple[Step, ...]
    expected: Expected | Mapping[str, Expected]

    def of(self, program: str) -> Expected | None:
        """What is expected of this program; None: the scene is not played with it."""
        return self.expected if isinstance(self.expected, Expected) else self.expected.get(program)


def _status(status: int, kind: str, retry: str = "no", *, fatal: bool = False) -> Scene:
    return Scene((Step(status=status),), Expected(kind, retry, fatal))


_REFUSED = Expected("blocked", text="Half of a")
_TOO_LONG = Expected("cut_stream", text="Half of a")
_LOST = Expected("connection", "resend")

SCENES: Mapping[str, Scene] = {
    "say hello": Scene((Step("Hello there."),), Expected(text="Hello there.")),
    "/clear @/etc/hosts": Scene((Step("As written."),), Expected(text="As written.")),
    "go on": Scene((Step("I go on."),), Expected(text="I go on.")),
    "say nothing": Scene((Step(""),), Expected()),
    "use a tool": Scene(
        (Step("I will write.", MAIL), Step("Done.")), Expected(text="I will write.\n\nDone.", tools=(MAIL,))
    ),
    "write a file": Scene((Step("", PATCH), Step("Done.")), {"codex": Expected(text="Done.", tools=(PATCH,))}),
    "use tools for ever": Scene((Step("", MAIL),), {"claude": Expected("no_answer", tools=(MAIL,) * 10)}),
    "status 400": _status(400, "bad_request"),
    "status 401": _status(401, "auth", fatal=True),
    "status 403": _status(403, "auth"),
    "status 404": _status(404, "not_found", fatal=True),
    "status 429": _status(429, "rate_limited", "resend"),
    "status 500": _status(500, "http_error", "resend"),
    "status 503": _status(503, "http_error", "resend"),
    "status 529": _status(529, "http_error", "resend"),
    "no answer": Scene((Step(then="drop"),), _LOST),
    "half an answer": Scene((Step("Half of a", then="cut"),), {"claude": _LOST, "codex": _LOST}),
    "refused by a filter": Scene((Step("Half of a", stop="filter"),), _REFUSED),
    "too long a reply": Scene(
        (Step("Half of a", stop="length"),),
        {"claude": Expected("cut_stream", text="\n\n".join(["Half of a"] * 4)), "codex": _TOO_LONG},
    ),
    "overloaded": Scene((Step(error=("overloaded", "Overloaded")),), Expected("http_error", "resend")),
    "too many tokens a minute": Scene(
        (Step(error=("rate_limit", "Rate limit reached for requests")),),
        {"codex": Expected("rate_limited", "resend")},
    ),
    "no credit": Scene(
        (Step(status=400, message="Your credit balance is too low to access the API."),),
        {"claude": Expected("quota", fatal=True)},
    ),
    "no quota": Scene(
        (Step(error=("quota", "You exceeded your current quota")),), {"codex": Expected("quota", fatal=True)}
    ),
    "too long a question": Scene(
        (Step(error=("context", "Your input exceeds the context window")),), {"codex": Expected("bad_request")}
    ),
}


def scenes_of(program: str) -> list[str]:
    """The names of the scenes that are played with this program."""
    return [name for name, scene in SCENES.items() if scene.of(program) is not None]
