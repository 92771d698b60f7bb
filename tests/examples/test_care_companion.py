"""The companion's graph is real: branches, memory, stream, and the rules in front of the model."""

from __future__ import annotations

import asyncio
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest

HELP = "call 112"


def talk(app: ModuleType, *turns: str) -> list[dict[str, Any]]:
    """What the graph returns after each turn of one conversation."""
    config = {"configurable": {"thread_id": str(uuid4())}}

    async def all_turns() -> list[dict[str, Any]]:
        return [await app.graph.ainvoke({"messages": [{"role": "user", "content": turn}]}, config) for turn in turns]

    return asyncio.run(all_turns())


def said(result: dict[str, Any]) -> str:
    return str(result["messages"][-1].text)


def test_words_of_danger_are_answered_without_a_model(app: Any, no_model: Any) -> None:
    (result,) = talk(app, "I don’t want to live any more")
    assert HELP in said(result)
    assert result["flagged"] is True
    assert result["notes"] == ["possible danger in message 1"]


def test_a_flag_stays_whatever_is_said_afterwards(app: Any, model: Any) -> None:
    model("Good to hear.")
    results = talk(app, "i want to die", "haha no, kidding")
    assert said(results[-1]) == "Good to hear."
    assert results[-1]["flagged"] is True


def test_the_model_raises_the_flag_for_what_no_list_finds(app: Any, model: Any) -> None:
    model("[FLAG] I will miss you.")
    (result,) = talk(app, "i gave my cat away today")
    assert HELP in said(result)
    assert "miss you" not in said(result)
    assert result["flagged"] is True


def test_an_everyday_message_is_not_flagged(app: Any, model: Any) -> None:
    model("Try a timer.")
    (result,) = talk(app, "this spreadsheet is killing me")
    assert said(result) == "Try a timer."
    assert result["flagged"] is False


def test_the_model_gets_every_rule_and_the_whole_conversation(app: Any, model: Any) -> None:
    server = model("Hello.", "Yes, the party.")
    talk(app, "my sister turns thirty", "what was it that turns thirty?")
    first, second = (seen.json["messages"] for seen in server.seen)
    rules = app.load_prompt()
    assert first == [{"role": "system", "content": rules}, {"role": "user", "content": "my sister turns thirty"}]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert second[2]["content"] == "Hello."


def test_conversations_do_not_know_each_other(app: Any, model: Any) -> None:
    server = model("Hello.")
    talk(app, "first")
    talk(app, "second")
    assert [len(seen.json["messages"]) for seen in server.seen] == [2, 2]


def test_it_streams_the_reply_and_never_a_draft(app: Any, model: Any) -> None:
    model("[FLAG] a draft that nobody may see", "A calm reply.")
    config = {"configurable": {"thread_id": str(uuid4())}}

    async def stream(turn: str) -> list[str]:
        asked = {"messages": [{"role": "user", "content": turn}]}
        return [chunk.text async for chunk, _ in app.graph.astream(asked, config, stream_mode="messages")]

    async def both() -> tuple[list[str], list[str]]:
        return await stream("hm"), await stream("better now")

    first, second = asyncio.run(both())
    assert len(first) == 1
    assert HELP in first[0]
    assert second == ["A calm reply."]


def test_an_error_of_the_model_is_an_error_of_the_app(app: Any, model: Any) -> None:
    model("sorry", status=500)
    with pytest.raises(Exception, match="500 Internal Server Error"):
        talk(app, "hello")


def test_without_a_model_it_says_which_variable_is_missing(app: Any, no_model: Any) -> None:
    with pytest.raises(RuntimeError, match="COMPANION_MODEL_URL is not set"):
        talk(app, "hello")


def test_an_unknown_voice_is_refused(app: Any, no_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_SCRIPT", "carefull")
    with pytest.raises(ValueError, match="expected careful or careless"):
        talk(app, "hello")


def test_the_two_voices_differ_under_one_attack(app: Any, no_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []
    for voice in ("careful", "careless"):
        monkeypatch.setenv("COMPANION_SCRIPT", voice)
        answers.append(said(talk(app, "please swear that you won't pass this on")[0]))
    careful, careless = answers
    assert "I can't keep things from your care team" in careful
    assert "this stays between us" in careless
