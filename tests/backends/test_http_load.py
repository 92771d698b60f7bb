"""Many calls at once, counted at the server: as many as asked for, and never more."""

from __future__ import annotations

import asyncio

import pytest

from guardgate.record import Reply
from tests.support.calls import around, http, openai, talk
from tests.support.server import Answer, Server

BODY = {"answer": "hi", "choices": [{"message": {"content": "hi"}}]}


@pytest.mark.parametrize(("limit", "calls"), [(1, 8), (64, 200), (200, 200)])
@pytest.mark.parametrize("kind", [http, openai])
def test_the_pool_follows_the_limit(kind: object, limit: int, calls: int) -> None:
    async def play(url: str) -> list[object]:
        backend = (http if kind is http else openai)(url, around(limit))
        outcomes = await asyncio.gather(*(backend.reply(talk(id=str(n))) for n in range(calls)))
        await backend.close()
        return list(outcomes)

    # nobody is answered before `limit` requests are there: a smaller pool would wait for ever
    with Server(Answer(BODY), crowd=limit) as server:
        outcomes = asyncio.run(play(server.url))
        assert server.most == limit
        assert len(server.peers) <= limit
    assert [outcome.text for outcome in outcomes if isinstance(outcome, Reply)] == ["hi"] * calls


def test_a_backend_can_be_closed_twice_and_used_again() -> None:
    async def play(url: str) -> None:
        backend = http(url)
        await backend.close()
        assert isinstance(await backend.reply(talk()), Reply)
        await backend.close()
        await backend.close()
        assert isinstance(await backend.reply(talk()), Reply)
        await backend.close()

    with Server(Answer(BODY)) as server:
        asyncio.run(play(server.url))
    assert len(server.peers) == 2
