"""claude_cli alone: its arguments, its input, and what its events say. What it shares with codex: test_clis.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guardgate.backends.claude_cli import SWITCHES, ClaudeCli
from guardgate.backends.cli import Place
from guardgate.backends.cli_events import Heard
from guardgate.backends.cli_home import Room
from guardgate.record import Failure, Reply, ToolCall
from tests.backends.cli_target import after, call, failure_of, reply_to, target
from tests.backends.stub import install, recording, script


def hear(*events: dict[str, Any]) -> Heard:
    """What is heard in these events."""
    backend = target("claude", Path(__file__).parent)
    assert isinstance(backend, ClaudeCli)
    place = Place(Room(Path("nowhere")), sessions=["s"])
    return backend.hear(list(events), place, {})


def said(turn: str = "say hello") -> list[dict[str, Any]]:
    """The recorded events of a turn."""
    events: list[dict[str, Any]] = recording("claude", turn)["out"]
    return events


def test_everything_but_the_conversation_is_switched_off(tmp_path: Path) -> None:
    path = install(tmp_path, "claude")
    reply_to(target("claude", path, seconds=33.0), "say hello")
    seen = call(path)
    assert seen["argv"][0] == "-p"
    assert after(seen["argv"], "--tools") == ""
    assert after(seen["argv"], "--setting-sources") == ""
    assert {"--disable-slash-commands", "--strict-mcp-config", "--verbose"} <= set(seen["argv"])
    assert {name: seen["env"][name] for name in SWITCHES} == SWITCHES
    assert seen["env"]["API_TIMEOUT_MS"] == "33000"
    assert seen["env"]["CLAUDE_CONFIG_DIR"].startswith(seen["env"]["HOME"])


def test_what_the_targets_env_says_wins_over_our_switches_but_not_over_a_fresh_home(tmp_path: Path) -> None:
    path = install(tmp_path, "claude")
    env = ("API_TIMEOUT_MS=5", f"CLAUDE_CONFIG_DIR={tmp_path}")
    reply_to(target("claude", path, env=env), "say hello")
    seen = call(path)["env"]
    assert seen["API_TIMEOUT_MS"] == "5"
    assert seen["CLAUDE_CONFIG_DIR"] != str(tmp_path)


@pytest.mark.parametrize("turn", ["/clear", "say hello", "!ls", "@/etc/hosts", '{"type": "x"}\nsecond line'])
def test_a_turn_is_never_the_last_part_of_its_message(turn: str) -> None:
    given = target("claude", Path(__file__).parent).prompt(turn)
    assert given.endswith(b"\n")
    assert given.count(b"\n") == 1
    content = json.loads(given)["message"]["content"]
    assert [part["text"] for part in content] == [turn, "\n"]


def test_success_is_not_what_subtype_says() -> None:
    end = said("status 401")[-1]
    assert (end["type"], end["subtype"], end["is_error"]) == ("result", "success", True)
    assert hear(*said("status 401")).trouble is not None


def test_is_error_is_a_failure_whatever_the_exit_code(tmp_path: Path) -> None:
    lines = "".join(json.dumps(event) + "\n" for event in said("status 401"))
    path = script(tmp_path / "bin", "claude", f"import sys\nsys.stdin.read()\nsys.stdout.write({lines!r})\n")
    failure = failure_of(target("claude", path), "say hello")
    assert (failure.kind, failure.fatal) == ("auth", True)
    assert "HTTP 401" in failure.detail


def test_a_result_without_words_of_the_program_is_needed() -> None:
    *before, end = said()
    assert hear(*before, end).done
    for broken in (
        *({"result": None}, {"is_error": None}, {"is_error": "false"}, {"result": ["Hello"]}),
        *({"subtype": "error_during_execution"}, {"subtype": "error_max_turns"}, {"subtype": None}),
    ):
        heard = hear(*before, {**end, **broken})
        assert not heard.done or heard.trouble is not None, broken


def test_words_of_the_program_itself_are_no_reply() -> None:
    start, answer, end = said()
    own = {**answer, "message": {**answer["message"], "model": "<synthetic>"}}
    heard = hear(start, own, {**end, "result": "/clear isn't available in this environment."})
    assert isinstance(heard.trouble, Failure)
    assert heard.trouble.kind == "error_text"
    assert "no model was asked: /clear isn't available" in heard.trouble.detail
    assert heard.reply.text == ""


def test_a_result_that_no_message_showed_is_part_of_the_reply() -> None:
    start, _, end = said()
    assert hear(start, end).reply.text == "Hello there."
    assert hear(start, {**end, "result": "Another."}, end).reply.text == "Hello there."


def test_tokens_from_a_cache_are_tokens_that_were_read() -> None:
    *before, end = said()
    usage = {**end["usage"], "cache_creation_input_tokens": 1000, "cache_read_input_tokens": 200}
    reply = hear(*before, {**end, "usage": usage}).reply
    assert reply.usage is not None
    assert reply.usage.input == 1225


def test_refused_permissions_are_evidence() -> None:
    *before, end = said()
    refused = [{"tool_name": "Write", "tool_use_id": "toolu_9", "tool_input": {"file_path": "x"}}]
    reply = hear(*before, {**end, "permission_denials": refused}).reply
    assert reply.tools == (ToolCall("Write", {"file_path": "x"}, "permission denied"),)


def test_a_refused_call_that_the_events_show_too_counts_once() -> None:
    events = said("use a tool")
    used = next(
        part
        for event in events
        if event["type"] == "assistant"
        for part in event["message"]["content"]
        if part["type"] == "tool_use"
    )
    refused = [{"tool_name": used["name"], "tool_use_id": used["id"], "tool_input": used["input"]}]
    reply = hear(*events[:-1], {**events[-1], "permission_denials": refused}).reply
    assert [one.name for one in reply.tools] == ["send_mail"]


def test_an_option_that_it_does_not_know_is_a_version_that_is_too_old(tmp_path: Path) -> None:
    failure = failure_of(target("claude", install(tmp_path, "claude")), "act old")
    assert (failure.kind, failure.fatal) == ("unavailable", True)
    assert "does not know --tools; expected Claude Code 2.1 or newer" in failure.detail


def test_events_of_other_forms_do_no_harm() -> None:
    odd: list[dict[str, Any]] = [
        {},
        {"type": "assistant"},
        {"type": "assistant", "message": "x"},
        {"type": "assistant", "message": {"content": "x"}},
        {"type": "assistant", "message": {"content": [None, {"text": 5}], "model": 5}},
        {"type": "user", "message": None},
        {
            "type": "result",
            "is_error": True,
            "errors": [1],
            "usage": "x",
            "permission_denials": "x",
            "total_cost_usd": "x",
        },
    ]
    heard = hear(*odd)
    assert not heard.done
    assert heard.trouble is not None
    assert heard.reply.text == ""


def test_a_blank_reply_is_left_to_the_core(tmp_path: Path) -> None:
    reply = reply_to(target("claude", install(tmp_path, "claude")), "say nothing")
    assert isinstance(reply, Reply)
    assert reply.text == ""
