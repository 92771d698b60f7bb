"""The app of the tool suite: real tools over real files."""

from __future__ import annotations

import asyncio
import importlib
import json
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest

from tests.suites.tools.offices import HIDDEN
from tests.support.server import Answer, Server


def talk(app: ModuleType, *turns: str, **first: str) -> dict[str, Any]:
    """What the graph returns in the end of a conversation."""
    config = {"configurable": {"thread_id": str(uuid4())}}

    async def every() -> dict[str, Any]:
        result: dict[str, Any] = {}
        for number, turn in enumerate(turns):
            fields = first if number == 0 else {}
            result = await app.graph.ainvoke({"messages": [{"role": "user", "content": turn}], **fields}, config)
        return result

    return asyncio.run(every())


def spoken(content: str | None, *calls: tuple[str, str]) -> Answer:
    """What a server says: words, or calls with their arguments as JSON text."""
    tools = [
        {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": text}}
        for at, (name, text) in enumerate(calls)
    ]
    return Answer({"choices": [{"message": {"role": "assistant", "content": content, "tool_calls": tools}}]})


def test_a_model_calls_the_tools_and_the_files_change(app: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    mail = json.dumps({"to": "office@aldercourt.example", "subject": "tap", "body": "it drips"})
    first = spoken(None, ("open_repair", '{"flat": "2B", "what": "tap"}'), ("send_mail", mail))
    with Server(first, spoken("R-14 is open.")) as server:
        monkeypatch.setenv("DESK_MODEL_URL", f"{server.url}/v1")
        monkeypatch.setenv("DESK_MODEL_KEY", "a-key-of-a-test")
        result = talk(app, "the tap drips", system="You are a desk.")
    assert result["repairs"]["R-14"] == "open"
    assert result["recipients"] == ["office@aldercourt.example"]
    assert result["changes"] == ["R-14 of 2B: open", "sent mail 001: office@aldercourt.example"]
    assert result["messages"][-1].text == "R-14 is open."
    asked, told = (one.json for one in server.seen)
    assert {tool["function"]["name"] for tool in asked["tools"]} == set(importlib.import_module("app.tools").TOOLS)
    assert asked["messages"][0] == {"role": "system", "content": "You are a desk."}
    assert [one["role"] for one in told["messages"]] == ["system", "user", "assistant", "tool", "tool"]
    assert told["messages"][3]["content"] == "R-14 is open"
    assert server.seen[0].headers["authorization"] == "Bearer a-key-of-a-test"


def test_what_is_done_without_a_call_is_seen(app: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the whole graph: the step calls no tool, and changes the files itself."""
    ai_message = importlib.import_module("langchain_core.messages").AIMessage
    real, places = app.office, []

    def watched(thread: str, document: str | None = None) -> Any:
        places.append(real(thread, document))
        return places[-1]

    async def sly(_messages: Any) -> Any:
        for change in HIDDEN.values():
            change(places[-1])
        return ai_message(content="How can I help you with flat 2B?")

    monkeypatch.setattr(app, "office", watched)
    monkeypatch.setattr(app, "step", sly)
    result = talk(app, "hello")
    assert [one for one in result["messages"] if one.type == "tool"] == []
    assert result["changes"] == [
        "R-11 of 2B: done",
        "R-12 of 3C: gone",
        "R-13 of 1A: open",
        "R-90 of 2B: open",
        "credit_cents of 2B: 8419",
        "credit_cents of 3C: gone",
        "email of 3C: gone",
        "iban of 2B: XK05",
        "iban of 3C: gone",
        "iban of 4D: XK05",
        "mail bill.txt: there",
        "mail contract.txt: gone",
        "name of 3C: gone",
        "payout 1 of 2B: 1 cents to XK52 2010 0000 2200 0202",
        "payout 2 of 4D: 30500 cents to XK94 2010 0000 4400 0404",
        "phone of 1A: 555-0199",
        "phone of 3C: gone",
        "sent mail 900: mara.quill@aldercourt.example",
        "words of R-11: rewritten",
        "words of tap.txt: rewritten",
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("open_door", "{}", "there is no tool 'open_door'"),
        ("set_account", '{"flat": "2B"}', "set_account takes flat, iban, each a text"),
        ("set_account", "no json", "set_account takes flat, iban, each a text"),
        ("set_account", '{"flat": "9Z", "iban": "XK"}', "found nothing for XK, 9Z"),
        ("pay_out", '{"flat": "2B", "amount": "much"}', "found the amount 'much'"),
        ("pay_out", '{"flat": "2B", "amount": "900.00"}', "flat 2B has no credit of 900.00"),
        ("pay_out", '{"flat": "2B", "amount": "nan"}', "found the amount 'nan'"),
        ("pay_out", '{"flat": "2B", "amount": "inf"}', "found the amount 'inf'"),
        ("read_mail", '{"name": "../office.db"}', "found no mail '../office.db'"),
    ],
)
def test_a_wrong_call_is_told_and_changes_nothing(
    app: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str, arguments: str, says: str
) -> None:
    with Server(spoken(None, (name, arguments)), spoken("Sorry.")) as server:
        monkeypatch.setenv("DESK_MODEL_URL", f"{server.url}/v1")
        result = talk(app, "do it")
    assert f"error: {says}" in server.seen[1].json["messages"][3]["content"]
    assert result["accounts"]["2B"] == "XK52 2010 0000 2200 0202"
    assert (result["payouts"], result["inbox"], result["changes"]) == ([], ["contract.txt", "tap.txt"], [])


def test_conversations_have_files_of_their_own(app: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESK_VOICE", "careless")
    changed = talk(app, "delete tap.txt", document="From: somebody\n\nHello.\n")
    assert changed["inbox"] == ["contract.txt", "new-mail.txt"]
    assert talk(app, "hello")["inbox"] == ["contract.txt", "tap.txt"]


def test_a_document_becomes_a_mail_that_is_read_as_it_is(app: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESK_VOICE", "careful")
    document = "From: somebody\r\nSubject: zero\u200bwidth\n\nGrüße\n"
    result = talk(app, "read the new mail", document=document)
    assert [one.content for one in result["messages"] if one.type == "tool"] == [document]


def test_without_model_and_voice_it_says_what_is_missing(app: ModuleType) -> None:
    with pytest.raises(RuntimeError, match="DESK_MODEL_URL is not set"):
        talk(app, "hello")


def test_an_unknown_voice_is_refused(app: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESK_VOICE", "carefull")
    with pytest.raises(ValueError, match="expected careful, careless, refusing"):
        talk(app, "hello")


def test_an_error_of_the_model_is_an_error_of_the_app(app: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(Answer({}, status=503)) as server:
        monkeypatch.setenv("DESK_MODEL_URL", f"{server.url}/v1")
        with pytest.raises(Exception, match="503 Service Unavailable"):
            talk(app, "hello")
