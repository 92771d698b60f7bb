"""The python backend on real LangGraph graphs."""

from __future__ import annotations

import asyncio
import time
from importlib import metadata
from typing import Any

import pytest

from guardgate.backends.base import Available
from guardgate.backends.python import Python
from guardgate.record import Failure, Reply, Talk, ToolCall, Usage
from tests.backends.python_target import converse, failure, one, run, target, text, until


def heard(outcomes: list[Reply | Failure]) -> list[str]:
    """What the graph `tell` says it heard, reply by reply."""
    return [outcome.text if isinstance(outcome, Reply) else outcome.kind for outcome in outcomes]


@pytest.mark.parametrize("entry", ["remembering", "builder", "factory", "async_factory"])
def test_a_graph_with_a_memory_remembers(entry: str) -> None:
    async def play(backend: Python) -> list[list[Reply | Failure]]:
        talks = (converse(backend, "one", "two", "three", name=name) for name in ("a", "b"))
        return list(await asyncio.gather(*talks))

    for outcomes in run(target(f"graphs:{entry}"), play):
        assert heard(outcomes) == ["1 turns, one, None, []", "2 turns, two, None, []", "3 turns, three, None, []"]
        last = outcomes[-1]
        assert isinstance(last, Reply)
        assert last.state == {"outbox": ["one", "two", "three"]}
        assert last.traced


def test_a_graph_without_a_memory_forgets_at_turn_two() -> None:
    first, second = run(target("graphs:forgetting"), lambda backend: converse(backend, "one", "two"))
    assert isinstance(first, Reply)
    assert isinstance(second, Failure)
    assert (second.kind, second.retry) == ("forgotten", "no")
    assert "turn 2" in second.detail
    assert "checkpointer" in second.detail
    assert second.partial is not None
    assert second.partial.text == "1 turns, two, None, []"


def test_more_messages_in_the_second_turn_do_not_hide_that_the_first_is_forgotten() -> None:
    _, second = run(target("graphs:forgetting"), lambda backend: converse(backend, "one", "more"))
    assert isinstance(second, Failure)
    assert second.kind == "forgotten"


@pytest.mark.parametrize("entry", ["forgetting", "builder"])
def test_with_history_the_conversation_is_sent_again(entry: str) -> None:
    backend = target(f"graphs:{entry}", history=True)
    outcomes = run(backend, lambda backend: converse(backend, "one", "two", "three", system="be kind"))
    assert heard(outcomes) == [
        f"{number} turns, {turn}, None, ['be kind']" for number, turn in ((1, "one"), (2, "two"), (3, "three"))
    ]


def test_history_with_a_checkpointer_is_refused() -> None:
    outcome = run(target("graphs:remembering", history=True), lambda backend: backend.available())
    assert isinstance(outcome, Failure)
    assert "remove history: true" in outcome.detail


def test_the_system_prompt_is_sent_once() -> None:
    outcomes = run(target("graphs:remembering"), lambda backend: converse(backend, "one", "two", system="be kind"))
    assert heard(outcomes) == ["1 turns, one, None, ['be kind']", "2 turns, two, None, ['be kind']"]


def test_a_conversation_that_is_forgotten_begins_anew() -> None:
    async def play(backend: Python) -> list[str]:
        await converse(backend, "one", "two")
        after_forget = heard(await converse(backend, "three", name="talk"))
        await one(backend, "four")
        return [*after_forget, await text(backend, "five")]

    said = run(target("graphs:remembering"), play)
    assert said == ["1 turns, three, None, []", "1 turns, five, None, []"]


@pytest.mark.parametrize("entry", ["tools", "tools_with_memory"])
def test_tool_calls_are_read_with_their_results(entry: str) -> None:
    outcomes = run(target(f"graphs:{entry}"), lambda backend: converse(backend, "how many shops"))
    (reply,) = outcomes
    assert isinstance(reply, Reply)
    assert reply.text == "let me look\nthere are two"
    assert reply.tools == (ToolCall("search", {"q": "bread"}, "two shops"), ToolCall("send", {}, None))


@pytest.mark.parametrize(("price", "usd"), [(None, None), ({"input": 1000, "output": 10_000}, 0.08)])
def test_tokens_and_model_are_those_that_the_new_messages_tell(price: dict[str, int] | None, usd: float | None) -> None:
    backend = target("graphs:metering", **dict[str, Any]({"price": price} if price else {}))
    for reply in run(backend, lambda backend: converse(backend, "one", "two")):
        assert isinstance(reply, Reply)
        assert (reply.usage, reply.model) == (Usage(20, 6, usd), "small-2")


def test_messages_that_tell_no_tokens_leave_them_unknown() -> None:
    (reply,) = run(target("graphs:tools"), lambda backend: converse(backend, "one"))
    assert isinstance(reply, Reply)
    assert (reply.usage, reply.model) == (None, None)


def test_only_what_is_new_is_the_reply() -> None:
    _, second = run(target("graphs:tools_with_memory"), lambda backend: converse(backend, "one", "two"))
    assert isinstance(second, Reply)
    assert second.text == "let me look\nthere are two"
    assert len(second.tools) == 2


def test_a_history_of_plain_mappings_is_read_too() -> None:
    reply = run(target("graphs:raw"), lambda backend: one(backend, "hi"))
    assert isinstance(reply, Reply)
    assert (reply.text, reply.tools) == ("here", (ToolCall("search", {"q": "x"}, "found"),))


def test_a_history_that_lost_the_turn_still_shows_the_reply() -> None:
    assert run(target("graphs:trimming"), lambda backend: text(backend, "hi")) == "only this"


def test_an_interrupt_is_no_answer_but_shows_what_was_received() -> None:
    outcome = run(target("graphs:interrupted"), lambda backend: failure(backend, "send it"))
    assert (outcome.kind, outcome.retry) == ("no_answer", "no")
    assert "__interrupt__" in outcome.detail
    assert "may I send it?" in outcome.detail
    assert outcome.partial is not None
    assert [call.name for call in outcome.partial.tools] == ["search", "send"]


@pytest.mark.parametrize(("params", "limit"), [({}, 25), ({"recursion_limit": 3}, 3)])
def test_a_loop_is_the_apps_error(params: dict[str, int], limit: int) -> None:
    outcome = run(target("graphs:endless", params=params), lambda backend: failure(backend, "round"))
    assert (outcome.kind, outcome.retry) == ("app_error", "no")
    assert "GraphRecursionError" in outcome.detail
    assert f"limit of {limit} " in outcome.detail


def test_a_history_elsewhere_is_malformed() -> None:
    outcome = run(target("graphs:foreign"), lambda backend: failure(backend, "hi"))
    assert outcome.kind == "malformed"
    assert "found a mapping with the keys ['answer']" in outcome.detail


def test_params_and_the_talk_reach_the_configuration() -> None:
    backend = target("graphs:settings", params={"temperature": 0.5})
    reply = run(backend, lambda backend: text(backend, "hi", "talk-9"))
    assert reply.startswith("{'temperature': 0.5, 'thread_id': 'talk-9'}")


@pytest.mark.parametrize(
    ("params", "found"), [({"thread_id": "x"}, "thread_id"), ({"recursion_limit": "many"}, "recursion_limit: 'many'")]
)
def test_params_that_a_graph_cannot_have(params: dict[str, str], found: str) -> None:
    outcome = run(target("graphs:settings", params=params), lambda backend: backend.available())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "unavailable"
    assert found in outcome.detail


def test_a_document_goes_into_the_state_where_the_state_has_it() -> None:
    backend = target("graphs:remembering", document="field")
    assert run(backend, lambda backend: text(backend, "hi", document="a letter")) == "1 turns, hi, a letter, []"
    refused = run(target("graphs:raw", document="field"), lambda backend: backend.available())
    assert isinstance(refused, Failure)
    assert "document: message" in refused.detail


@pytest.mark.parametrize(
    ("entry", "history", "note", "remembers"),
    [
        ("remembering", False, "a graph with a checkpointer", True),
        ("forgetting", False, "a graph without a checkpointer: it forgets", False),
        ("forgetting", True, "a graph that gets its history again", True),
    ],
)
def test_available_says_which_graph_it_is(entry: str, history: bool, note: str, remembers: bool) -> None:
    async def play(backend: Python) -> tuple[Available | Failure, bool | None]:
        return await backend.available(), backend.remembers

    about, known = run(target(f"graphs:{entry}", history=history), play)
    assert isinstance(about, Available)
    assert about.note == note
    assert about.version is not None
    assert about.version.endswith(f", langgraph {metadata.version('langgraph')}")
    assert known is remembers


def test_an_exit_in_a_node_costs_only_its_own() -> None:
    async def play(backend: Python) -> tuple[Failure, list[Reply | Failure]]:
        await one(backend, "one", "other")
        exited = await failure(backend, "exit")
        return exited, await converse(backend, "one", "two", name="other")

    exited, others = run(target("graphs:remembering"), play)
    assert exited.kind == "app_error"
    assert "SystemExit: from a node" in exited.detail
    assert heard(others) == ["1 turns, one, None, []", "2 turns, two, None, []"]


def test_a_node_that_hangs_in_a_thread_retires_the_worker() -> None:
    async def play(backend: Python) -> str:
        place = await text(backend, "hi", "first")
        hanging = Talk("second", ("hang",), deadline=time.monotonic() + 0.5)
        outcome = await backend.reply(hanging)
        assert isinstance(outcome, Failure)
        assert outcome.kind == "timeout"

        async def elsewhere() -> bool:
            return await text(backend, "hi", "third") != place

        await until(elsewhere)
        return place

    assert run(target("graphs:places"), play)
