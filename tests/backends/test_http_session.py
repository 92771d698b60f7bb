"""A session id that the server makes: left out first, sent later, dropped at the end."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import Any

import pytest

from guardgate.record import Failure, Reply
from tests.support.calls import ask, failed, http, talk
from tests.support.server import Answer, Server

REQUEST = {"m": "{turn}", "conversation": "{session}"}
SECOND = replace(talk("a", "b", replies=["one"]), deadline=math.inf)  # made once, used late in a long run


def bot(url: str) -> Any:
    return http(url, request=REQUEST, session="$.conversation")


def sent(server: Server) -> list[Any]:
    return [seen.json.get("conversation") for seen in server.seen]


@pytest.mark.parametrize("session", ["c-1", 17])
def test_the_id_is_left_out_of_the_first_request_and_sent_with_the_next(session: Any) -> None:
    with Server(Answer({"answer": "one", "conversation": session}), Answer({"answer": "two"})) as server:
        first, second = ask(bot(server.url), talk("a"), SECOND)
    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert [seen.json for seen in server.seen] == [{"m": "a"}, {"m": "b", "conversation": session}]


def test_an_id_that_the_server_replaces_is_followed() -> None:
    answers = [Answer({"answer": "x", "conversation": f"c-{n}"}) for n in (1, 2, 3)]
    with Server(*answers) as server:
        ask(bot(server.url), talk("a"), SECOND, talk("a", "b", "c", replies=["x", "x"]))
    assert sent(server) == [None, "c-1", "c-2"]


def test_each_talk_has_its_own() -> None:
    with Server(lambda seen: Answer({"answer": "x", "conversation": f"for {seen.json['m']}"})) as server:
        ask(bot(server.url), talk("a", id="1"), talk("b", id="2"), talk("a", "c", id="1", replies=["x"]))
    assert sent(server) == [None, None, "for a"]


def test_a_restarted_talk_gets_a_new_one() -> None:
    with Server(Answer({"answer": "x", "conversation": "c"})) as server:
        ask(bot(server.url), talk("a"), talk("a"), SECOND)
    assert sent(server) == [None, None, "c"]


@pytest.mark.parametrize(
    "body", [{}, {"conversation": None}, {"conversation": ""}, {"conversation": True}, {"conversation": {}}]
)
def test_a_first_reply_without_it_is_malformed_and_keeps_the_text(body: dict[str, Any]) -> None:
    with Server(Answer({"answer": "one", **body})) as server:
        failure = failed(bot(server.url))
    assert failure.kind == "malformed"
    assert "$.conversation" in failure.detail
    assert failure.partial
    assert (failure.partial.text, failure.partial.cut) == ("one", True)


def test_forget_drops_it() -> None:
    async def play(url: str) -> Reply | Failure:
        backend = bot(url)
        await backend.reply(talk("a"))
        await backend.forget("talk-1")
        await backend.forget("unknown")
        outcome: Reply | Failure = await backend.reply(SECOND)
        await backend.close()
        return outcome

    with Server(Answer({"answer": "x", "conversation": "c"})) as server:
        outcome = asyncio.run(play(server.url))
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.retry, len(server.seen)) == ("forgotten", "restart", 1)
