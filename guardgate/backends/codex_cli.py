"""The `codex_cli` backend: `codex exec`, one process a turn, read-only and without a shell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from guardgate.backends.base import Available
from guardgate.backends.bodies import UnreadableError, arguments, parse
from guardgate.backends.cli import Cli, Need, Place
from guardgate.backends.cli_events import Heard, count, events, inner, joined, text_of
from guardgate.backends.complaints import Complaint, complaint_of
from guardgate.backends.pricing import priced
from guardgate.backends.process import child_environment
from guardgate.record import Failure, Reply, Talk, ToolCall, Usage

#: Switched off by name: a version that does not know one of them is not used. With a shell, even a read-only one, a
#: model can read every file of this machine, and the key in its own environment.
OFF = ("shell_tool", "plugins", "goals", "multi_agent", "view_image")
#: Switched off where the version has them.
OFF_TOO = (
    *("apps", "browser_use", "code_mode_host", "computer_use", "hooks", "image_generation", "multi_agent_v2"),
    *("shell_snapshot", "sleep_tool", "tool_suggest", "unified_exec"),
)
KEY, ADDRESS = "OPENAI_API_KEY", "OPENAI_BASE_URL"
#: Where the API is, unless the target's env names another address.
OPENAI = "https://api.openai.com/v1"
_QUIET: dict[str, Any] = {
    "sandbox_mode": "read-only",
    "approval_policy": "never",
    "web_search": "disabled",
    "project_doc_max_bytes": 0,
    "include_permissions_instructions": False,
    "include_environment_context": False,
    "include_apps_instructions": False,
    "include_collaboration_mode_instructions": False,
    "skills.include_instructions": False,
    "skills.bundled.enabled": False,
    "agents.enabled": False,
    "tools.experimental_request_user_input.enabled": False,
    "tools.update_plan.enabled": False,
    "shell_environment_policy.inherit": "none",
    "analytics.enabled": False,
    "history.persistence": "none",
    "check_for_update_on_startup": False,
    "suppress_unstable_features_warning": True,
    **{f"features.{name}": False for name in OFF_TOO},
}
#: The kinds of error that it writes down, in the words of a provider.
_WORDS = {
    "bad_request": "invalid_request_error",
    "context_window_exceeded": "context_length_exceeded",
    "cyber_policy": "content_policy_violation",
    "internal_server_error": "internal_server_error",
    "invalid_prompt": "invalid_prompt",
    "rate_limit_exceeded": "rate_limit_exceeded",
    "server_overloaded": "overloaded_error",
    "unauthorized": "authentication_error",
    "usage_limit_exceeded": "insufficient_quota",
}
_STATUS = re.compile(r"\bstatus:? ([45]\d\d)\b")
#: Files of the user that no switch keeps out.
_INSTRUCTIONS = ("AGENTS.override.md", "AGENTS.md")
_BEGUN = ("task_started", "turn_started")


class CodexCli(Cli):
    """Codex, headless."""

    program = "codex"
    install = "npm install -g @openai/codex"
    known = "codex 0.171"
    folder = ("CODEX_HOME", ".codex")
    needs = (
        Need(("exec", "--help"), ("--json", "--skip-git-repo-check", "--sandbox", "--disable", "--ignore-user-config")),
        Need(("exec", "fork", "--help"), ("codex exec fork",)),
    )

    async def available(self) -> Available | Failure:
        """As for every program, once it is clear whose login is used, and that nothing of that user gets in."""
        env = child_environment(self.settings.env, self.around.environ)
        if isinstance(env, Failure):
            return env
        if self.settings.home == "fresh" and not env.keys() & {KEY, ADDRESS}:
            found = f"env: found neither {KEY} nor {ADDRESS}, and home: fresh, in which nobody is logged in"
            return Failure("auth", f"{found}; expected one of them, or home: inherit", fatal=True)
        if self.settings.home == "inherit":
            for file in (self.kept(env) / name for name in _INSTRUCTIONS):
                if file.exists():
                    found = f"home: found {file}, which codex puts before every conversation"
                    todo = "use home: fresh, or move that file away while guardgate runs"
                    return Failure("unavailable", f"{found}; expected none; {todo}", fatal=True)
        return await super().available()

    def switches(self) -> dict[str, str]:
        """None: its switches are arguments."""
        return {}

    def arguments(self, talk: Talk, place: Place, env: Mapping[str, str]) -> list[str]:
        """`codex exec ... -`; a later turn forks the session of the turn before."""
        chosen = ["exec", "--json", "--skip-git-repo-check", "-s", "read-only"]
        for name in OFF:
            chosen += ["--disable", name]
        lines = [f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in self._config(talk, place, env)]
        if self.settings.home == "fresh":
            home = self.kept(env)
            home.mkdir(exist_ok=True)
            (home / "config.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        else:
            chosen += ["--ignore-user-config", "--ignore-rules"]
            for line in lines:
                chosen += ["-c", line]
        return [*chosen, *(("fork", place.session) if place.session else ()), "-"]

    def prompt(self, turn: str) -> bytes:
        """The turn as it is."""
        return turn.encode("utf-8", "replace")

    def hear(self, found: list[dict[str, Any]], place: Place, env: Mapping[str, str]) -> Heard:
        """Messages from the events; tool calls, model and kinds of errors from the session's own file."""
        thread = next((text_of(event.get("thread_id")) for event in found if event.get("type") == "thread.started"), "")
        if thread:
            place.sessions.append(thread)
        file = next(iter(_rollouts(self.kept(env), [thread])), None)
        kept = _this_turn(events(file.read_text("utf-8", "replace"))[0]) if file is not None else []
        done = [inner(event, "item") for event in found if event.get("type") == "item.completed"]
        ends = [event for event in found if event.get("type") in ("turn.completed", "turn.failed", "error")]
        good = bool(ends) and ends[-1].get("type") == "turn.completed"
        spent = _spent(inner(ends[-1], "usage")) if good else place.spent
        reply = Reply(
            joined([text_of(item.get("text")) for item in done if item.get("type") == "agent_message"]),
            _calls(kept) if file is not None else _shown(done),
            usage=_usage(spent, place, self) if good else None,
            model=next((text for event in kept if (text := text_of(inner(event, "payload").get("model")))), None),
            traced=file is not None,
        )
        trouble = _trouble(ends[-1], kept, bool(reply.text)) if ends and not good else None
        return Heard(reply, good and bool(thread), trouble, thread or None, spent)

    def traces(self, place: Place, env: Mapping[str, str]) -> Sequence[Path]:
        """The files of its sessions."""
        return list(_rollouts(self.kept(env), place.sessions))

    def _config(self, talk: Talk, place: Place, env: Mapping[str, str]) -> Iterable[tuple[str, Any]]:
        yield from _QUIET.items()
        if talk.system is not None:
            place.room.system.write_text(talk.system, encoding="utf-8", errors="replace", newline="")
            yield "model_instructions_file", str(place.room.system)
        for key, name in (("model", "model"), ("model_reasoning_effort", "effort")):
            if (value := self.param(name, talk)) is not None:
                yield key, value
        if KEY in env or ADDRESS in env:
            yield from _provider(env).items()


def _provider(env: Mapping[str, str]) -> dict[str, Any]:
    """A provider of our own: the built-in one takes no key from the environment, and sends again by itself."""
    provider = {
        "name": "guardgate",
        "base_url": env.get(ADDRESS, OPENAI),
        "wire_api": "responses",
        "request_max_retries": 0,
        "stream_max_retries": 0,
        **({"env_key": KEY} if KEY in env else {}),
    }
    return {
        "model_provider": "guardgate",
        **{f"model_providers.guardgate.{key}": value for key, value in provider.items()},
    }


def _rollouts(home: Path, threads: Sequence[str]) -> Iterable[Path]:
    for thread in threads:
        if re.fullmatch(r"[\w-]+", thread):
            yield from home.glob(f"sessions/*/*/*/rollout-*-{thread}.jsonl")


def _this_turn(kept: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines of a session's file since its last turn began."""
    starts = [number for number, event in enumerate(kept) if inner(event, "payload").get("type") in _BEGUN]
    return kept[starts[-1] :] if starts else kept


def _spent(usage: Mapping[str, Any]) -> tuple[int, int]:
    return count(usage.get("input_tokens")), count(usage.get("output_tokens"))


def _usage(spent: tuple[int, int], place: Place, backend: Cli) -> Usage:
    """The tokens of this turn: it counts for the whole session, over forks too."""
    before = place.spent if spent[0] >= place.spent[0] and spent[1] >= place.spent[1] else (0, 0)
    return priced(spent[0] - before[0], spent[1] - before[1], None, backend.settings.price)


def _calls(kept: list[dict[str, Any]]) -> tuple[ToolCall, ...]:
    """Every call that the model made, with what it was told. One that is refused at once stands here only."""
    payloads = [inner(event, "payload") for event in kept if event.get("type") == "response_item"]
    outputs = [one for one in payloads if text_of(one.get("type")).endswith("_output")]
    told = {text_of(one.get("call_id")): one.get("output") for one in outputs}
    calls = [one for one in payloads if text_of(one.get("type")).endswith("_call")]
    return tuple(ToolCall(_name(one), _given(one), told.get(text_of(one.get("call_id")))) for one in calls)


def _name(call: Mapping[str, Any]) -> str:
    return text_of(call.get("name")) or text_of(call.get("type")).removesuffix("_call")


def _given(call: Mapping[str, Any]) -> Any:
    given = next((call[key] for key in ("arguments", "input", "action") if key in call), None)
    return arguments(given) if "arguments" in call else given


def _shown(done: list[dict[str, Any]]) -> tuple[ToolCall, ...]:
    """The calls that the events show, where there is no file of the session."""
    spoken = ("agent_message", "reasoning", "error", "todo_list", "plan")
    calls = [item for item in done if text_of(item.get("type")) and item["type"] not in spoken]
    return tuple(ToolCall(item["type"], {k: v for k, v in item.items() if k not in ("id", "type")}) for item in calls)


def _trouble(end: Mapping[str, Any], kept: list[dict[str, Any]], spoke: bool) -> Complaint | Failure:
    """What it says went wrong."""
    message = text_of(inner(end, "error").get("message")) or text_of(end.get("message")) or "without a message"
    if "reason: content_filter" in message:
        return Failure("blocked", f"codex: {message[:600]}")
    if "reason: max_output_tokens" in message:
        return Failure("cut_stream", f"codex: {message[:600]}")
    if message.startswith("stream disconnected"):
        return Failure("cut_stream" if spoke else "connection", f"codex: {message[:600]}", "resend")
    info = next((error["codex_error_info"] for error in _errors(kept) if error.get("codex_error_info")), None)
    words = frozenset({_WORDS[info]} if isinstance(info, str) and info in _WORDS else ())
    try:
        body = complaint_of(parse(message))
        return Complaint(body.message or message, body.status or 400, words | body.words, body.after)
    except UnreadableError:
        status = _STATUS.search(message)
        return Complaint(message, int(status[1]) if status else None, words)


def _errors(kept: list[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    for payload in (inner(event, "payload") for event in reversed(kept)):
        yield from (one for one in (inner(payload, "error"), payload) if "codex_error_info" in one)
