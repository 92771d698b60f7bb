"""The `claude_cli` backend: `claude -p`, one process a turn, without tools and without anything of the user's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from guardgate.backends.cli import Cli, Need, Place
from guardgate.backends.cli_events import Heard, count, inner, items, joined, text_of
from guardgate.backends.complaints import Complaint
from guardgate.backends.pricing import priced
from guardgate.record import Failure, Reply, Talk, ToolCall

#: No calls but the conversation's, no retries of its own, nothing read from files, no shortened history.
SWITCHES = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_MAX_RETRIES": "0",
    "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK": "1",
    # @/some/path in a turn or a document would put that file of this machine into the prompt
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "DISABLE_AUTO_COMPACT": "1",
}
#: A model that calls tools which are not there is told so; this often.
MAX_STEPS = "10"
_QUIET = ("--tools", "", "--disable-slash-commands", "--setting-sources", "", "--strict-mcp-config")
_STREAMS = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
#: The model that the program names where it speaks itself.
_ITSELF = "<synthetic>"
#: The kinds of error that it tells apart, in the words of a provider.
_WORDS = {
    "authentication_failed": "authentication_error",
    "billing_error": "billing_error",
    "invalid_request": "invalid_request_error",
    "rate_limit": "rate_limit_error",
}


class ClaudeCli(Cli):
    """Claude Code, headless."""

    program = "claude"
    install = "npm install -g @anthropic-ai/claude-code"
    known = "Claude Code 2.1"
    folder = ("CLAUDE_CONFIG_DIR", ".claude")
    needs = (
        Need(
            ("--help",),
            (
                *(word for word in (*_STREAMS, *_QUIET) if word.startswith("--")),
                *("--session-id", "--resume", "--fork-session", "--system-prompt", "--model"),
            ),
        ),
    )

    def switches(self) -> dict[str, str]:
        """Variables that keep it to this one conversation."""
        return {**SWITCHES, "API_TIMEOUT_MS": str(round(self.around.call_seconds * 1000))}

    def arguments(self, talk: Talk, place: Place, env: Mapping[str, str]) -> list[str]:  # noqa: ARG002
        """`claude -p ...`; a later turn forks the session of the turn before."""
        session = str(uuid4())
        place.sessions.append(session)
        arguments = [*_STREAMS, *_QUIET, "--max-turns", MAX_STEPS, "--session-id", session]
        if place.session is not None:
            arguments += ["--resume", place.session, "--fork-session"]
        if talk.system is not None:
            place.room.system.write_text(talk.system, encoding="utf-8", errors="replace", newline="")
            arguments += ["--system-prompt-file", str(place.room.system)]
        for name in self.params:
            value = self.param(name, talk)
            arguments += [f"--{name}", value] if value is not None else []
        return arguments

    def prompt(self, turn: str) -> bytes:
        """The turn as a message with an empty second part: a message of one part that begins with / is a command."""
        parts = [{"type": "text", "text": turn}, {"type": "text", "text": "\n"}]
        return json.dumps({"type": "user", "message": {"role": "user", "content": parts}}).encode() + b"\n"

    def hear(self, found: list[dict[str, Any]], place: Place, env: Mapping[str, str]) -> Heard:  # noqa: ARG002
        """Messages, tool calls with their results, and the result that it ends with."""
        said = [inner(event, "message") for event in found if event.get("type") == "assistant"]
        own = [message for message in said if message.get("model") == _ITSELF]
        spoken = [message for message in said if message.get("model") != _ITSELF]
        nothing: dict[str, Any] = {}
        result = next((event for event in reversed(found) if event.get("type") == "result"), nothing)
        good = _succeeded(result) and isinstance(result.get("result"), str)
        texts = [text_of(part.get("text")) for one in spoken for part in items(one.get("content"))]
        if good and not own and result["result"] not in joined(texts):
            texts.append(result["result"])
        reply = Reply(
            joined(texts),
            _calls(found, result),
            usage=_usage(result, self) if result else None,
            model=next((one["model"] for one in reversed(spoken) if text_of(one.get("model"))), None),
        )
        trouble = None if good and not own else _trouble(found, result, bool(own))
        return Heard(reply, good, trouble, place.sessions[-1])

    def traces(self, place: Place, env: Mapping[str, str]) -> Sequence[Path]:
        """The sessions that it keeps under a name made of the working folder's."""
        return list((self.kept(env) / "projects").glob(f"*-{place.room.name}-*"))


def _usage(result: Mapping[str, Any], backend: Cli) -> Any:
    usage = inner(result, "usage")
    kinds = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    usd = result.get("total_cost_usd")
    usd = float(usd) if isinstance(usd, int | float) and not isinstance(usd, bool) else None
    tokens = sum(count(usage.get(kind)) for kind in kinds)
    return priced(tokens, count(usage.get("output_tokens")), usd, backend.settings.price)


def _calls(found: list[dict[str, Any]], result: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """Every call that the model made, with what it was told, and those that were refused."""
    refused = {text_of(one.get("tool_use_id")): one for one in items(result.get("permission_denials"))}
    told: dict[str, Any] = dict.fromkeys(refused, "permission denied")
    used: list[tuple[str, dict[str, Any]]] = []
    for event in found:
        for part in items(inner(event, "message").get("content")):
            kind = text_of(part.get("type"))
            if kind.endswith("tool_use") and event.get("type") == "assistant":
                used.append((text_of(part.get("id")), part))
            elif kind.endswith("tool_result"):
                told[text_of(part.get("tool_use_id"))] = _content(part.get("content"))
    calls = [_call(one.get("name"), one.get("input"), told.get(name)) for name, one in used]
    unseen = [one for name, one in refused.items() if name not in dict(used)]
    return (*calls, *(_call(one.get("tool_name"), one.get("tool_input"), "permission denied") for one in unseen))


def _call(name: Any, given: Any, told: Any) -> ToolCall:
    return ToolCall(text_of(name) or "a tool without a name", given, told)


def _content(content: Any) -> Any:
    parts = items(content)
    return "".join(text_of(part.get("text")) for part in parts) if parts else content


def _succeeded(result: Mapping[str, Any]) -> bool:
    """Whether it says so, in both places: each of the two has been right where the other was wrong."""
    return result.get("is_error") is False and result.get("subtype") == "success"


def _trouble(found: list[dict[str, Any]], result: Mapping[str, Any], own: bool) -> Complaint | Failure | None:
    """What the program says went wrong; None where it said nothing."""
    if not result or (_succeeded(result) and not own):
        return None
    errors = result.get("errors")
    told = "; ".join(map(str, errors)) if isinstance(errors, list) else ""
    text = text_of(result.get("result")) or told or "without a message"
    if own and _succeeded(result):
        return Failure("error_text", f"claude: the program answered itself, and no model was asked: {text[:300]}")
    error = next((text_of(event.get("error")) for event in reversed(found) if event.get("error")), "")
    if result.get("stop_reason") == "refusal":
        return Failure("blocked", f"claude: {text[:600]}")
    if result.get("subtype") == "error_max_turns":
        return Failure("no_answer", f"claude: no reply after {MAX_STEPS} calls of tools that are not there")
    if error == "max_output_tokens":
        return Failure("cut_stream", f"claude: {text[:600]}")
    status = result.get("api_error_status")
    overloaded = "overloaded" in text.lower()
    if status is None and not overloaded and error in ("server_error", "unknown"):
        kind = "timeout" if "timed out" in text else "connection"
        return Failure(kind, f"claude: {text[:600]}", "no" if kind == "timeout" else "resend")
    told_apart = error in _WORDS and status != 403  # it calls every 403 authentication_failed, a firewall's too
    words = frozenset({_WORDS[error]} if told_apart else {"overloaded_error"} if overloaded else ())
    return Complaint(text, status if isinstance(status, int) else None, words)
