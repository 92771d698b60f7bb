"""Replies that are no answer: blank, raw provider output, or an error text in place of one.

Strict about the whole reply: a sentence of a bot that speaks about errors is an answer.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from guardgate.normalize import blank, plain

_BLANK = frozenset(
    ("null", "Null", "NULL", "None", "undefined", "nil", "<nil>", "(null)", "NaN", "{}", "[]", '""', "''")
)
_TOKEN = re.compile(r"<\|[\w./ -]{1,40}\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:bos|eos|pad|unk)>|<(?:start|end)_of_turn>")
_ROLES = re.compile(r"\b(?:system|user|assistant|model|tool|analysis|final)\b")
_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning|scratchpad)>")
_TOOL_TEXT = re.compile(
    r"\[TOOL_CALLS\]|<\|python_tag\|>|<(?:tool_calls?|function_calls?|tool_use|functioncall)>|<function=|<invoke name=",
    re.IGNORECASE,
)
_TOOL_TAG = re.compile(r"<(tool_calls?|function_calls?|tool_use|functioncall)>", re.IGNORECASE)
_SSE_LINE = re.compile(r"(?:data|event|id|retry):|:")
_SSE_DATA = re.compile(r"^data:\s*(?:[{\[]|\[DONE\])", re.MULTILINE)
_CUT_JSON = re.compile(
    r'\{\s*"(?:choices|candidates|tool_calls|function_call|id"\s*:\s*"(?:chatcmpl|cmpl|msg_|resp_|gen-)|object"\s*:\s*"chat\.)'
)
_REPR = re.compile(
    r"(?:ChatCompletion|ModelResponse|AIMessage(?:Chunk)?|ChatGeneration|Message|GenerateContentResponse|Completion)\(\w+="
    r"|content=['\"\[].*\b(?:additional_kwargs|response_metadata)=|<(?:coroutine|generator|async_generator) object "
    r"|\[object (?:Object|Promise)\]\Z",
    re.DOTALL,
)

_STATUS = (
    r"(?:Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Request Time-?out|Conflict"
    r"|Payload Too Large|Content Too Large|Unprocessable (?:Entity|Content)|Too Many Requests|Internal Server Error"
    r"|Not Implemented|Bad Gateway|(?:Service|Server)(?: Temporarily)? Unavailable|Gateway Time-?out|Overloaded)"
)
#: The whole reply, but for a full stop.
_WHOLE = re.compile(
    rf"(?:{_STATUS}|Error|overloaded_error|Request timed out|Connection (?:error|refused)|fetch failed|stream timeout"
    r"|no healthy upstream|Prompt is too long|Credit balance is too low|Invalid API key|error code: \d{3,4}"
    r"|The read operation timed out|Agent stopped due to (?:iteration limit or time limit|max iterations))[.!]?",
    re.IGNORECASE,
)
#: How the reply begins.
_BEGINS = re.compile(
    rf"(?:HTTP(?:/[\d.]+)?:?\s+)?(?:Error:?\s+)?[45]\d\d:?\s+{_STATUS}\s*(?=\Z|[\n:.;,({{<-])"
    r"|(?:API )?Error(?: code)?:?\s*[45]\d\d\b(?!\s*(?:means|is|are|usually))"
    r"|(?:Error:?\s+)?(?:Request|HTTP request) failed with status(?: code)? [45]\d\d"
    r"|upstream (?:connect error|request timeout|prematurely)|stream disconnected before completion"
    r"|Rate limit (?:reached for |exceeded\b.{0,80}(?:retry|try again|per (?:minute|day|second)|\brequests?\b))"
    r"|You exceeded your current quota|You(?:'ve| have) (?:hit|reached|exceeded) your (?:usage|rate) limit"
    r"|Request too large for |This model's maximum context length is |Incorrect API key provided"
    r"|Invalid API key (?:provided|·)|The server had an error while processing your request"
    r"|The (?:server|engine|model|service) is (?:currently |temporarily )?(?:overloaded|unavailable)"
    r"|That model is currently overloaded|The model `[^`]{1,100}` (?:does not exist|has been deprecated)"
    r"|Model \S{1,100} is currently loading|An error occurred \(\w{1,80}\) when calling the "
    r"|Error communicating with |The response was filtered due to the prompt triggering "
    r"|Recursion limit of \d+ reached|HTTPS?ConnectionPool\(host=|(?:Client|Server) error '[45]\d\d "
    r"|\[Errno -?\d+\]|(?:connect|getaddrinfo|read) E[A-Z]{4,}|curl: \(\d+\)|Cannot connect to host "
    r"|Max retries exceeded with url|Deployment not found|DeploymentNotFound"
    r"|Traceback \(most recent call last\):|Exception in thread |panic: .{0,300}\n\s*goroutine "
    r"|(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Timeout|Exceeded|Unavailable|Throttled)(?:: |\()"
    r"|(?:[a-z_]\w{0,60}\.){1,8}(?:exceptions|errors|error)\.[A-Z]\w{0,60}(?:: |\()"
)
_PAGE = re.compile(r"(?:<\?xml[^>]{0,100}>\s*)?(?:<!doctype html|<html|<head|<error\b)", re.IGNORECASE)
_PAGE_ERROR = re.compile(
    rf"<(?:title|h1|center|code|message)[^>]{{0,80}}>[^<]{{0,80}}(?:\b[45]\d\d\b|error|denied|{_STATUS}|Just a moment)",
    re.IGNORECASE,
)
_ERROR_KEYS = frozenset(
    (
        *(
            "error",
            "errors",
            "status",
            "status_code",
            "statuscode",
            "code",
            "message",
            "msg",
            "type",
            "param",
            "detail",
        ),
        *(
            "details",
            "request_id",
            "requestid",
            "reason",
            "timestamp",
            "path",
            "success",
            "ok",
            "object",
            "trace",
            "id",
        ),
        *("title", "instance", "error_description", "error_code", "errorcode", "documentation_url", "retry_after"),
        *("help", "user_id", "fault"),
    )
)

_TRACES = re.compile(
    r"</?(?:think|thinking|tool_calls?|function_calls?|functioncall|tool_use|antml:\w+)>|<\|[\w./ -]{1,40}\|>"
    r"|<(?:start|end)_of_turn>|<function=|<invoke name=|\[TOOL_CALLS\]|\[/?INST\]|<</?SYS>>"
    r"|\{\s*\"(?:choices|candidates)\"\s*:|\"(?:tool_calls|function_call|finish_reason|stop_reason)\"\s*:"
    r"|\bchatcmpl-[A-Za-z0-9]{6,}|^data:\s*\[DONE\]|\b(?:additional_kwargs|response_metadata)=",
    re.MULTILINE,
)


class Unusable(NamedTuple):
    """Why a reply is no answer: a kind of `undecided`, and a sentence."""

    kind: str
    why: str


def unusable(text: str) -> Unusable | None:
    """Why the whole reply is no answer, or None when it is one (or may be)."""
    seen = plain(text)
    if blank(seen) or "".join(seen.split()) in _BLANK:
        return Unusable("blank", "the reply is empty" if blank(seen) else f"the whole reply is {seen}")
    whole = _unfenced(text.strip().strip("\ufeff\u200b"))
    if "".join(whole.split()) in _BLANK or blank(whole):
        return Unusable("blank", "the whole reply is an empty block")
    value = _json(whole)
    why = _error(whole, value)
    if why:
        return Unusable("error_text", why)
    why = _raw(whole, value)
    return Unusable("raw_output", why) if why else None


def raw_traces(text: str) -> str | None:
    """The first words of raw provider output in a reply, or None."""
    match = _TRACES.search(text)
    return match[0] if match else None


def _unfenced(text: str) -> str:
    """The inside of a reply that is one fenced block."""
    if not (text.startswith("```") and text.endswith("```") and "\n" in text) or text.count("```") != 2:
        return text
    return text[text.index("\n") : -3].strip()


def _json(text: str) -> Any:
    if text[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _raw(text: str, value: Any) -> str:
    if _is_raw_json(value) or _CUT_JSON.match(text):
        return "the whole reply is a provider's JSON"
    if _is_sse(text):
        return "the whole reply is an event stream"
    if _only_thought(text):
        return "the whole reply is a thought, without an answer after it"
    if _only_tool_call(text):
        return "the whole reply is a tool call as text"
    if _TOKEN.search(text) and blank(_ROLES.sub("", _TOKEN.sub("", text))):
        return "the whole reply is chat template tokens"
    return "the whole reply is a program's object as text" if _REPR.match(text) else ""


def _is_raw_json(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) and _is_raw_json(item) for item in value)
    if not isinstance(value, dict):
        return False
    keys = value.keys()
    return (
        isinstance(value.get("choices"), list)
        or isinstance(value.get("candidates"), list)
        or keys >= {"content", "role"}
        or "tool_calls" in keys
        or "function_call" in keys
        or keys >= {"object", "output"}
        or keys >= {"completion", "stop_reason"}
        or keys >= {"action", "action_input"}
        or (value.get("type") in ("tool_use", "function", "function_call") and bool(keys & {"name", "function"}))
        or _is_call(value)
    )


def _is_call(value: dict[str, Any]) -> bool:
    """A bare tool call: a name, arguments, and nothing of its own beside them."""
    name = value.get("name", value.get("tool", value.get("function")))
    arguments = next(
        (value[key] for key in ("arguments", "parameters", "input", "args", "tool_input") if key in value), None
    )
    if not isinstance(name, str) or len(value) > 4:
        return False
    return isinstance(arguments, dict) or (isinstance(arguments, str) and arguments.lstrip().startswith("{"))


def _is_sse(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    return all(_SSE_LINE.match(line) for line in lines) and bool(_SSE_DATA.search(text))


def _only_thought(text: str) -> bool:
    """Thoughts and nothing after the last of them; one that never ends takes the rest of the reply."""
    if text.lower().endswith(("</think>", "</thinking>", "</reasoning>")):
        return True
    low, at = text.lower(), 0
    while match := _THOUGHT.match(low, at):
        end = low.find(f"</{match[1]}>", match.end())
        if end < 0:
            return True
        at = end + len(f"</{match[1]}>")
    return at >= len(low)


def _only_tool_call(text: str) -> bool:
    match = _TOOL_TEXT.match(text)
    if match is None:
        return False
    tag = _TOOL_TAG.match(text)
    if tag is None:
        return True
    end = text.lower().rfind(f"</{tag[1].lower()}>")
    return end < 0 or blank(_TOKEN.sub("", text[end + len(tag[0]) + 1 :]))


def _error(text: str, value: Any) -> str:
    if _is_error_json(value):
        return "the whole reply is an error as JSON"
    if len(text) <= 200 and _WHOLE.fullmatch(text):
        return "the whole reply is an error message"
    if _BEGINS.match(text):
        return "the reply is the error text of a provider, proxy or program"
    if _PAGE.match(text) and _PAGE_ERROR.search(text[:4000]):
        return "the reply is an error page"
    return ""


def _is_error_json(value: Any) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    low = {key.lower(): item for key, item in value.items()}
    if not low.keys() <= _ERROR_KEYS:
        return False
    if low.get("error") or low.get("errors") or low.get("fault") or value.get("object") == "error":
        return True
    code = low.get("status", low.get("statuscode", low.get("status_code", low.get("code"))))
    if isinstance(code, int) and 400 <= code < 600:
        return True
    said = low.get("detail", low.get("message", ""))
    return len(low) <= 2 and isinstance(said, str) and bool(_WHOLE.fullmatch(said.strip()))
