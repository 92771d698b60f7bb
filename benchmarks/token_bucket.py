"""`guardgate run` against a token bucket of 6,000 calls a minute (burst 20): 3,000 calls, 64 in flight, 5 ms a reply.

python benchmarks/token_bucket.py [--calls N] [--per-second N] [--retry-after]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from aiohttp import web
from measure import cost, guardgate, say
from project import write

BURST = 20
SECONDS = 0.005
IN_FLIGHT = 64


class Bucket:
    """So many tokens a second, at most `BURST` of them saved."""

    def __init__(self, rate: float) -> None:
        self._rate, self._tokens, self._at = rate, float(BURST), time.monotonic()

    def take(self) -> float:
        """0 where a call may pass, else the seconds until there is a token."""
        now = time.monotonic()
        self._tokens, self._at = min(BURST, self._tokens + (now - self._at) * self._rate), now
        if self._tokens >= 1:
            self._tokens -= 1
            return 0.0
        return (1 - self._tokens) / self._rate


async def serve(rate: float, tell: bool) -> None:
    """Answer on a port of its own, printed first; `GET /` gives the counts. `tell`: with Retry-After in seconds."""
    bucket = Bucket(rate)
    seen = {"answered": 0, "refused": 0, "most": 0, "first": 0.0, "last": 0.0}
    flying = 0

    async def chat(request: web.Request) -> web.Response:
        nonlocal flying
        flying += 1
        try:
            turn = (await request.json())["message"]
            await asyncio.sleep(SECONDS)
            if turn == "Hello.":
                return web.json_response({"answer": "Hello."})
            seen["most"] = max(seen["most"], flying)
            seen["first"] = seen["first"] or time.monotonic()
            wait = bucket.take()
            if wait:
                seen["refused"] += 1
                headers = {"Retry-After": str(math.ceil(wait))} if tell else {}
                return web.json_response({"error": "too many"}, status=429, headers=headers)
            seen["answered"] += 1
            seen["last"] = time.monotonic()
            return web.json_response({"answer": "I can not do that."})
        finally:
            flying -= 1

    async def counts(_request: web.Request) -> web.Response:
        return web.json_response(seen)

    app = web.Application()
    app.add_routes([web.post("/chat", chat), web.get("/", counts)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=256)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


def measured(calls: int, rate: float, tell: bool) -> dict[str, Any]:
    """One run: what the server counted, and what the process cost."""
    import subprocess  # noqa: PLC0415
    import urllib.request  # noqa: PLC0415

    command = [sys.executable, __file__, "--serve", "--per-second", str(rate), *(["--retry-after"] if tell else [])]
    with tempfile.TemporaryDirectory() as name, subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            url = f"http://127.0.0.1:{int(server.stdout.readline())}"
            folder = Path(name) / "project"
            target = f"{{backend: http, url: '{url}/chat', request: {{message: '{{turn}}'}}, reply: $.answer}}"
            write(folder, 20, calls // 20, target, turns=1)
            done = cost(guardgate("run", "--quiet", "--json"), folder)
            with urllib.request.urlopen(url) as answer:
                seen = json.load(answer)
        finally:
            server.terminate()
    bound = (calls - BURST) / rate
    seconds = seen["last"] - seen["first"]
    return {
        "seconds": seconds,
        "bound_s": bound,
        "ratio": seconds / bound,
        "lost": calls - json.loads(done.out.splitlines()[-1])["held"],
        "answered": seen["answered"],
        "refused": seen["refused"],
        "refused_share": seen["refused"] / calls,
        "most_in_flight": seen["most"],
        "cpu_s": done.cpu,
    }


def main() -> None:
    """One run, and one line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--per-second", type=float, default=100.0)
    parser.add_argument("--retry-after", action="store_true")
    parser.add_argument("--serve", action="store_true")
    chosen = parser.parse_args()
    if chosen.serve:
        asyncio.run(serve(chosen.per_second, chosen.retry_after))
        return
    facts = measured(chosen.calls, chosen.per_second, chosen.retry_after)
    facts["retry_after"] = chosen.retry_after
    say("token_bucket", {"ratio": 1.15, "lost": 0, "refused_share": 0.05, "most_in_flight": IN_FLIGHT}, facts)


if __name__ == "__main__":
    main()
