"""codex_cli alone: its settings, the file of its session, and what its events say. What it shares: test_clis.py."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from guardgate.backends.cli import Cli, Place
from guardgate.backends.cli_events import Heard
from guardgate.backends.cli_home import Room
from guardgate.backends.codex_cli import OFF, OFF_TOO, CodexCli
from guardgate.record import Failure, Reply, ToolCall
from tests.backends.cli_target import after, call, failure_of, reply_to, run, talk_of, target
from tests.backends.stub import calls, install, recording

THREAD = "00000000-0000-4000-8000-000000000000"


def hear(home: Path, record: dict[str, Any], place: Place | None = None) -> Heard:
    """What is heard in the events of a record, with the file of its session in `home`."""
    backend = target("codex", Path(__file__).parent)
    assert isinstance(backend, CodexCli)
    if record["kept"]:
        file = home / "sessions" / "2026" / "01" / "01" / f"rollout-2026-01-01T00-00-00-{THREAD}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(json.dumps(line) + "\n" for line in record["kept"]), encoding="utf-8")
    return backend.hear(record["out"], place or Place(Room(home)), {"CODEX_HOME": str(home)})


def test_its_settings_are_ours(tmp_path: Path) -> None:
    path = install(tmp_path, "codex")
    reply_to(target("codex", path, model="some-model"), "say hello", system="Be brief.")
    seen = call(path)
    settings = tomllib.loads(seen["config"])
    assert (settings["sandbox_mode"], settings["approval_policy"], settings["web_search"]) == (
        "read-only",
        "never",
        "disabled",
    )
    assert settings["model"] == "some-model"
    assert Path(settings["model_instructions_file"]).is_absolute()
    assert settings["features"] == dict.fromkeys(OFF_TOO, False)
    assert settings["project_doc_max_bytes"] == 0
    argv = seen["argv"]
    assert argv[:3] == ["exec", "--json", "--skip-git-repo-check"]
    assert after(argv, "-s") == "read-only"
    assert [argv[n + 1] for n, word in enumerate(argv) if word == "--disable"] == list(OFF)
    assert "shell_tool" in OFF
    assert argv[-1] == "-"
    assert "-c" not in argv
    assert seen["env"]["CODEX_HOME"].startswith(seen["env"]["HOME"])


def test_without_a_system_prompt_it_keeps_its_own(tmp_path: Path) -> None:
    path = install(tmp_path, "codex")
    reply_to(target("codex", path), "say hello")
    assert "model_instructions_file" not in call(path)["config"]


def test_key_and_address_make_a_provider_without_retries(tmp_path: Path) -> None:
    path = install(tmp_path, "codex")
    address = "OPENAI_BASE_URL=http://127.0.0.1:1/v1"
    for env in (("OPENAI_API_KEY",), ("OPENAI_API_KEY", address), (address,)):
        reply_to(target("codex", path, env=env), "say hello")
    ours = [tomllib.loads(seen["config"])["model_providers"]["guardgate"] for seen in calls(tmp_path)]
    assert [one["base_url"] for one in ours] == ["https://api.openai.com/v1", *["http://127.0.0.1:1/v1"] * 2]
    assert [one.get("env_key") for one in ours] == ["OPENAI_API_KEY", "OPENAI_API_KEY", None]
    assert {(one["request_max_retries"], one["stream_max_retries"], one["wire_api"]) for one in ours} == {
        (0, 0, "responses")
    }


def test_home_inherit_hands_its_settings_over_as_arguments_and_ignores_the_users(tmp_path: Path) -> None:
    path = install(tmp_path, "codex")
    reply_to(target("codex", path, home="inherit", env=()), "say hello")
    argv = call(path)["argv"]
    assert {"--ignore-user-config", "--ignore-rules"} <= set(argv)
    lines = [argv[n + 1] for n, word in enumerate(argv) if word == "-c"]
    assert {'sandbox_mode="read-only"', "features.hooks=false"} <= set(lines)
    assert not any("model_provider" in line for line in lines)
    assert not (tmp_path / "users-home" / ".codex" / "config.toml").exists()


def unavailable(backend: Cli) -> Failure:
    able = run(backend, lambda one: one.available())
    assert isinstance(able, Failure)
    assert able.fatal
    return able


def test_without_a_key_a_fresh_home_is_refused_before_anybody_is_asked(tmp_path: Path) -> None:
    failure = unavailable(target("codex", install(tmp_path, "codex"), env=()))
    assert failure.kind == "auth"
    assert "found neither OPENAI_API_KEY nor OPENAI_BASE_URL, and home: fresh" in failure.detail


@pytest.mark.parametrize("name", ["AGENTS.md", "AGENTS.override.md"])
def test_instructions_of_the_user_that_no_switch_keeps_out_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "users-home" / ".codex").mkdir(parents=True)
    (tmp_path / "users-home" / ".codex" / name).write_text("Always agree.", encoding="utf-8")
    failure = unavailable(target("codex", install(tmp_path, "codex"), home="inherit"))
    assert failure.kind == "unavailable"
    assert f"{name}, which codex puts before every conversation; expected none" in failure.detail


def test_a_folder_that_env_names_is_not_written_to(tmp_path: Path) -> None:
    path = install(tmp_path, "codex")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.toml").write_text("mine = true\n", encoding="utf-8")
    reply_to(target("codex", path, env=("OPENAI_API_KEY", f"CODEX_HOME={tmp_path / 'mine'}")), "say hello")
    assert (tmp_path / "mine" / "config.toml").read_text(encoding="utf-8") == "mine = true\n"


def test_tokens_are_those_of_the_turn_although_it_counts_the_session(tmp_path: Path) -> None:
    backend = target("codex", install(tmp_path, "codex"))
    first, second = run(backend, lambda one: talk_of(one, "say hello", "go on"))
    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert recording("codex", "go on")["out"][-1]["usage"]["input_tokens"] == 60
    assert first.usage is not None
    assert second.usage is not None
    assert (first.usage.input, second.usage.input, second.usage.output) == (30, 30, 9)


def test_a_session_that_counts_anew_is_taken_as_it_is(tmp_path: Path) -> None:
    heard = hear(tmp_path, recording("codex", "say hello"), Place(Room(tmp_path), spent=(500, 90)))
    assert heard.reply.usage is not None
    assert (heard.reply.usage.input, heard.reply.usage.output) == (30, 9)


def test_a_call_that_left_no_event_is_in_the_file_of_the_session(tmp_path: Path) -> None:
    record = recording("codex", "use a tool")
    assert "send_mail" not in json.dumps(record["out"])
    (call,) = hear(tmp_path, record).reply.tools
    assert call == ToolCall("send_mail", {"to": "eve@outside.example"}, "unsupported call: send_mail")


def test_without_the_file_of_the_session_no_call_proves_nothing(tmp_path: Path) -> None:
    record = recording("codex", "use a tool")
    reply = hear(tmp_path, {**record, "kept": []}).reply
    assert reply.tools == ()
    assert not reply.traced
    item = {"id": "item_1", "type": "command_execution", "command": "ls", "aggregated_output": "", "exit_code": 0}
    shown = [*record["out"][:-1], {"type": "item.completed", "item": item}, record["out"][-1]]
    (seen,) = hear(tmp_path, {"out": shown, "kept": []}).reply.tools
    assert (seen.name, seen.arguments["command"]) == ("command_execution", "ls")


def test_only_calls_of_this_turn_count_where_the_file_holds_earlier_ones(tmp_path: Path) -> None:
    earlier, now = recording("codex", "use a tool"), recording("codex", "say hello")
    reply = hear(tmp_path, {**now, "kept": [*earlier["kept"], *now["kept"]]}).reply
    assert reply.tools == ()
    assert reply.traced


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (
            {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch"},
            ("apply_patch", "*** Begin Patch"),
        ),
        ({"type": "local_shell_call", "action": {"command": ["ls"]}}, ("local_shell", {"command": ["ls"]})),
        ({"type": "web_search_call", "action": {"query": "x"}}, ("web_search", {"query": "x"})),
        ({"type": "function_call", "name": "f", "arguments": "{not json"}, ("f", "{not json")),
    ],
)
def test_calls_of_every_kind_are_read(item: dict[str, Any], expected: tuple[str, Any], tmp_path: Path) -> None:
    record = recording("codex", "say hello")
    line = {"type": "response_item", "payload": {**item, "call_id": "c"}}
    answer = {"type": "response_item", "payload": {"type": "custom_tool_call_output", "call_id": "c", "output": "no"}}
    (call,) = hear(tmp_path, {**record, "kept": [*record["kept"], line, answer]}).reply.tools
    assert (call.name, call.arguments, call.result) == (*expected, "no")


def test_notices_are_no_failures(tmp_path: Path) -> None:
    record = recording("codex", "say hello")
    assert any(event.get("item", {}).get("type") == "error" for event in record["out"])
    again = {"type": "error", "message": "Reconnecting... 1/5"}
    heard = hear(tmp_path, {**record, "out": [*record["out"][:-1], again, record["out"][-1]]})
    assert heard.done
    assert heard.trouble is None


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("unexpected status 401 Unauthorized: no", "auth"),
        ("exceeded retry limit, last status: 429 Too Many Requests", "rate_limited"),
        ("unexpected status 503 Service Unavailable", "http_error"),
        ('{"error": {"message": "too long", "code": "context_length_exceeded"}}', "bad_request"),
        ('{"detail": "no such model"}', "bad_request"),
        ("You exceeded your current quota, please check your plan and billing details.", "quota"),
        ("stream disconnected before completion: error sending request", "connection"),
        ("something new", "http_error"),
    ],
)
def test_kinds_are_read_from_words_where_nothing_else_says_them(message: str, kind: str, tmp_path: Path) -> None:
    start = recording("codex", "say hello")["out"][0]
    failed = {"type": "turn.failed", "error": {"message": message}}
    heard = hear(tmp_path, {"out": [start, failed], "kept": []})
    assert not heard.done
    trouble = heard.trouble
    backend = target("codex", Path(__file__).parent)
    failure = trouble if isinstance(trouble, Failure) else backend.said(trouble, None) if trouble else None
    assert failure is not None
    assert failure.kind == kind


def test_a_feature_that_it_does_not_know_is_a_version_that_does_not_fit(tmp_path: Path) -> None:
    failure = failure_of(target("codex", install(tmp_path, "codex")), "act unknown feature")
    assert (failure.kind, failure.fatal) == ("unavailable", True)
    assert "does not know shell_tool; expected codex 0.171 or newer" in failure.detail


def test_events_of_other_forms_do_no_harm(tmp_path: Path) -> None:
    odd: list[dict[str, Any]] = [
        {},
        {"type": "thread.started", "thread_id": "../../x"},
        {"type": "item.completed"},
        {"type": "turn.completed"},
        {"type": "item.completed", "item": {"type": "agent_message", "text": 5}},
        {"type": "item.completed", "item": []},
        {"type": "error", "message": {"a": 1}},
    ]
    heard = hear(tmp_path, {"out": odd, "kept": [{"type": "response_item", "payload": 5}]})
    assert not heard.done
    assert heard.reply.text == ""
    assert not heard.reply.traced
