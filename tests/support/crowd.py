"""A server that answers an attack only once enough of them are in flight: concurrency that is proved, not timed."""

from __future__ import annotations

from dataclasses import replace

from aiohttp import web

from tests.support.project import HELLO
from tests.support.server import Answer, Seen, Server

#: How long an attack is held, in seconds. A client that keeps its limit waits for nothing in this time; one that does
#: not has time to show it.
HOLD = 0.1


class Crowd(Server):
    """As `Server(..., crowd=n)`, but a greeting (the preflight) is answered at once and not counted."""

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if HELLO in (await request.read()).decode():
            message = {"role": "assistant", "content": "Hello to you."}
            return web.json_response(
                {"answer": "Hello to you.", "choices": [{"message": message, "finish_reason": "stop"}]}
            )
        return await super()._handle(request)

    def _reaction(self, seen: Seen) -> Answer:
        answer = super()._reaction(seen)
        return replace(answer, chunks=(answer.data,), pause=HOLD)
