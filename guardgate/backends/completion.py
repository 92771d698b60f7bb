"""Chat completions as JSON, in one body or in the chunks of a stream: what they come to."""

from __future__ import annotations

from typing import Any

from guardgate.backends.bodies import UnreadableError, arguments, shape
from guardgate.backends.complaints import Complaint, error_in
from guardgate.backends.pricing import priced
from guardgate.model.project import Price
from guardgate.record import Failure, Reply, ToolCall, Usage

#: Reasons to finish that make the text no reply: filters, and servers that gave up in the middle.
_NO_REPLY = {
    **dict.fromkeys(("content_filter", "safety", "prohibited_content", "blocklist", "recitation", "spii"), "blocked"),
    **dict.fromkeys(("error", "abort", "insufficient_system_resource"), "http_error"),
}


class Completion:
    """What one body, or the chunks of one stream, have brought so far."""

    def __init__(self, price: Price | None) -> None:
        self._price = price
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._calls: list[_Call] = []
        self._usage: Usage | None = None
        self._model: str | None = None
        self._finish: str | None = None
        self._choices = 0

    def take(self, value: Any) -> Complaint | None:
        """Add one body or chunk; an error in it is given back."""
        complaint = error_in(value)
        if complaint or not isinstance(value, dict):
            return complaint
        self._model = _text(value.get("model")) or self._model
        self._usage = _usage(value.get("usage"), self._price) or self._usage
        choices = value.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return None
        self._choices += 1
        self._finish = _text(choice.get("finish_reason")) or self._finish
        self._add(choice.get("delta") or choice.get("message") or {})
        return error_in(choice)

    def reply(self, cut: bool) -> Reply:
        """What has been received so far."""
        text = "".join(self._texts) or "".join(self._refusals)
        tools = tuple(call.done() for call in self._calls)
        return Reply(text, tools, usage=self._usage, model=self._model, cut=cut)

    def outcome(self) -> Reply | Failure:
        """The reply, unless the reason to finish says that it is none."""
        kind = _NO_REPLY.get((self._finish or "").lower())
        if kind:
            return Failure(kind, f"the server ended the reply with {self._finish!r}", partial=self.reply(cut=True))
        return self.reply(cut=False)

    def missing(self) -> str | None:
        """What one whole body must have."""
        return None if self._choices else "found no choices in the answer; expected one with a message"

    def _add(self, message: Any) -> None:
        if not isinstance(message, dict):
            raise UnreadableError(f"found {shape(message)} as the message; expected an object")
        self._texts.append(_content(message.get("content")))
        self._refusals.append(_content(message.get("refusal")))
        calls = message.get("tool_calls") or []
        if not isinstance(calls, list):
            raise UnreadableError(f"found {shape(calls)} as tool_calls; expected a list")
        for call in calls:
            _join(self._calls, call)
        if message.get("function_call"):
            _join(self._calls, {"index": 0, "function": message["function_call"]})


class _Call:
    """One tool call that arrives in pieces."""

    def __init__(self, index: Any) -> None:
        self.index = index
        self.id: Any = None
        self.name = ""
        self.arguments: list[Any] = []

    def differs(self, call_id: Any, name: str | None) -> bool:
        return bool((call_id and self.id and call_id != self.id) or (name and self.name and name != self.name))

    def done(self) -> ToolCall:
        given = self.arguments
        joined = "".join(given) if all(isinstance(piece, str) for piece in given) else given[-1]
        return ToolCall(self.name, arguments(joined))


def _join(calls: list[_Call], piece: Any) -> None:
    """Add a piece to the call with its index; another id or name at its index begins a new one."""
    # some servers give every call the index 0
    if not isinstance(piece, dict) or not isinstance(function := piece.get("function"), dict):
        raise UnreadableError(f"found {shape(piece)} as an entry of tool_calls; expected a function with its name")
    index, call_id, name = piece.get("index"), piece.get("id"), _text(function.get("name"))
    call = next((call for call in reversed(calls) if call.index == index), None)
    if call is None or call.differs(call_id, name) or (index is None and name):
        call = _Call(index)
        calls.append(call)
    call.id = call.id or call_id
    call.name = call.name or name or ""
    if function.get("arguments") is not None:
        call.arguments.append(function["arguments"])


def _content(content: Any) -> str:
    """Text of a message: text itself, or the text parts of a list."""
    if isinstance(content, list):
        return "".join(_content(part.get("text")) for part in content if isinstance(part, dict))
    if content is None or isinstance(content, str):
        return content or ""
    raise UnreadableError(f"found {shape(content)} as the content of the message; expected text")


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _usage(said: Any, price: Price | None) -> Usage | None:
    if not isinstance(said, dict):
        return None
    tokens_in, tokens_out = _count(said.get("prompt_tokens")), _count(said.get("completion_tokens"))
    if tokens_in is None and tokens_out is None:
        return None
    return priced(tokens_in, tokens_out, None, price)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
