"""Error texts of providers, proxies and programs that stand where an answer should be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from guardgate.trouble import only_trouble

#: Names of HTTP errors that nobody says in a conversation.
_STATUS = (
    r"(?i:Bad Request|Payment Required|Method Not Allowed|Request Time-?out|Payload Too Large|Content Too Large"
    r"|Unprocessable (?:Entity|Content)|Too Many Requests|Internal Server Error|Bad Gateway"
    r"|(?:Service|Server)(?: Temporarily)? Unavailable|Gateway Time-?out)"
)
#: Those that a person may say; only as HTTP writes them.
_WORD = r"(?:Unauthorized|Forbidden|Not Found|Conflict|Not Implemented|Overloaded)"

#: The whole reply, but for a full stop.
_WHOLE = re.compile(
    "(?:" + "|".join(
        (
            _STATUS,
            r"Error|overloaded_error|[Ee]rror code: \d{3,4}",
            r"Request timed out|Connection (?:error|refused)|The read operation timed out",
            r"fetch failed|stream timeout|no healthy upstream",
            r"Prompt is too long|Credit balance is too low|Invalid API [Kk]ey|API key not valid",
            r"Not authenticated|Could not validate credentials|Missing Authentication Token|No auth credentials found",
            r"Endpoint request timed out|User is not authorized to access this resource",
            r"Agent stopped due to (?:iteration limit or time limit|max iterations)",
            r"Sorry, need more steps to process this request",
            r"<?Response \[[45]\d\d\]>?|<?Response\(status_code=[45]\d\d\)>?",
            r"[Mm]odel ['\"`][^'\"`\n]{1,100}['\"`] not found(?:, try pulling it first)?",
        )
    ) + rf")[.!]?|{_WORD}"
)  # fmt: skip

#: How the reply begins.
_BEGINS = re.compile(
    "|".join(
        (
            # HTTP
            rf"(?:HTTP(?:/[\d.]+)?:?\s+)?(?:Error:?\s+)?[45]\d\d:?\s+(?:{_STATUS}|{_WORD})\s*(?=\Z|[\n:.;,({{<-])",
            r"(?:API )?[Ee]rror(?: code)?:?\s*[45]\d\d\s*"
            rf"(?:\Z|[\n:({{\[–-]|(?:{_STATUS}|{_WORD})\s*(?:\Z|[\n:.;,({{<-]))",
            r"(?:Error:?\s+)?(?:Request|HTTP request) failed with status(?: code)? [45]\d\d",
            r"upstream (?:connect error|request timeout|prematurely)|stream disconnected before completion",
            # Providers
            r"Rate limit reached for \S|Rate limit exceeded\b[^\n]{0,80}(?:retry|try again|per (?:minute|day|second))",
            r"You exceeded your current quota|You(?:'ve| have) (?:hit|reached|exceeded) your (?:usage|rate) limit",
            r"Request too large for |This model's maximum context length is |Incorrect API key provided",
            r"Invalid API key (?:provided|·)|The server had an error while processing your request",
            r"(?:The|That) (?:server|engine|model|service) is (?:currently |temporarily )?(?:overloaded|unavailable)"
            r"(?=[.!,]?\s*(?:\Z|[Pp]lease|[Tt]ry|[Rr]etry|with other|due to|right now))",
            r"The model `[^`]{1,100}` (?:does not exist|has been deprecated)|Model \S{1,100} is currently loading",
            r"An error occurred \(\w{1,80}\) when calling the |Error communicating with |DeploymentNotFound",
            r"The response was filtered due to the prompt triggering |Invalid prompt: your prompt was flagged as ",
            r"Your (?:credit balance is too low to access the |organization must be verified to use the model )",
            r"API key not valid\. Please pass a valid|Access denied due to invalid subscription key",
            r"Requests to the \w{1,80} Operation under |Resource exhausted\. Please (?:try again|refer)",
            r"Authentication Error, Invalid proxy |Invalid model name passed in model=",
            # Networks
            r"HTTPS?ConnectionPool\(host=|(?:Client|Server) error '[45]\d\d |Max retries exceeded with url",
            r"\[Errno -?\d+\] [A-Z]|(?:connect|getaddrinfo|read) E[A-Z]{4,}|curl: \(\d+\)|Cannot connect to host ",
            # Programs
            r"Traceback \(most recent call last\):|Exception in thread \"|panic: [^\n]{0,300}\n\s*goroutine ",
            r"Recursion limit of \d+ reached without",
            r"(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Timeout|Exceeded|Unavailable)(?:: |\()",
            r"(?:[a-z_]\w{0,60}\.){1,8}(?:exceptions|errors|error)\.[A-Z]\w{0,60}(?:: |\()",
        )
    )
)
#: What may stand before a known beginning, in a reply that is not longer than `_SHORT`.
_LABEL = re.compile(
    r"(?:(?:[Ss]orry|[Oo]ops)[,!] )?(?:[Aa]n (?:\w+ )?[Ee]rror (?:has )?occurred[^.:\n]{0,60}"
    r"|(?:(?i:openai|anthropic|azure|google|gemini|mistral|cohere|bedrock|llm|ai|api|model|provider|upstream|server"
    r"|backend|internal|network|request|chat|unexpected|fatal|unhandled|stream|completion) ){0,3}(?i:error|exception))"
    r":\s+"
)
_SHORT = 400
#: Words that stand under `error` where there is none.
_NOTHING = frozenset(
    """|null|none|nil|undefined|false|no|0|ok|okay|success|no error|no errors|n/a|na|-|--|keine|aucune|ninguno|nessuno
    """.strip().split("|")
)
_PAGE = re.compile(r"(?i)(?:<\?xml[^>]{0,100}>\s*)?(?:<!doctype html|<html|<head|<error\b)")
_PAGE_ERROR = re.compile(
    r"(?i)<(?:title|h1|center|code|message)[^>]{0,80}>[^<]{0,80}"
    rf"(?:\b[45]\d\d\b|error|denied|{_STATUS}|just a moment)"
)
#: Keys that stand beside an error; any other key makes a JSON object an answer.
_KEYS = frozenset(
    """
    code detail details documentation_url error error_code error_description errorcode errors fault help id instance
    message msg object ok param path reason request_id requestid retry_after status status_code statuscode success
    timestamp title trace type user_id
    """.split()  # noqa: SIM905 - one word a line would hide the list
)


def error_text(text: str, value: Any) -> str:
    """Why the whole reply is an error text, or an empty text. `value`: the reply as JSON, where it is that."""
    if _is_error_json(value):
        return "the whole reply is an error as JSON"
    if len(text) <= 200 and _WHOLE.fullmatch(text):
        return "the whole reply is an error message"
    if _BEGINS.match(text) or _labelled(text):
        return "the reply is the error text of a provider, proxy or program"
    if only_trouble(text):
        return "the whole reply says that the service failed"
    if _PAGE.match(text) and _PAGE_ERROR.search(text[:4000]):
        return "the reply is an error page"
    return ""


def _labelled(text: str) -> bool:
    """A known beginning behind a label, such as `OpenAI error: `; a longer text may explain it."""
    label = _LABEL.match(text) if len(text) <= _SHORT else None
    rest = text[label.end() :] if label else ""
    return bool(rest) and bool(_WHOLE.fullmatch(rest) or _BEGINS.match(rest))


def has_content(value: Any) -> bool:
    """Whether what stands under a key such as `error` says that something failed: not null, 0, "none", {}."""
    left = [value]
    while left:  # the JSON of a reply may be nested as deep as it likes
        one = left.pop()
        if isinstance(one, dict | list):
            left += one.values() if isinstance(one, dict) else one
        elif isinstance(one, str):
            if one.strip().lower().rstrip(".!") not in _NOTHING:
                return True
        elif one and not (isinstance(one, int) and 200 <= one < 300):
            return True
    return False


def _is_error_json(value: Any) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    low = {key.lower(): item for key, item in value.items()}
    if not low.keys() <= _KEYS:
        failed = has_content(low.get("error")) or _says_no(low)
        return failed and not any(map(_answers, (low[key] for key in low.keys() - _KEYS)))
    if low.get("error") or low.get("errors") or low.get("fault") or low.get("object") == "error":
        return True
    if _says_no(low) or low.keys() == {"detail"}:  # a reply of that key alone is how frameworks refuse
        return True
    code = next((low[key] for key in ("status", "statuscode", "status_code", "code") if key in low), None)
    if isinstance(code, int) and 400 <= code < 600:
        return True
    said = low.get("detail", low.get("message", ""))
    return len(low) <= 2 and isinstance(said, str) and bool(_WHOLE.fullmatch(said.strip()))


def _says_no(low: Mapping[str, Any]) -> bool:
    """Whether the object says that what was asked did not come about."""
    if low.get("ok") is False or low.get("success") is False:
        return True
    return str(low.get("status", "")).lower() in ("error", "fail", "failed", "failure")


def _answers(value: Any) -> bool:
    """Whether something in a JSON reply that also names an error has words of its own."""
    return has_content(value) and not (
        isinstance(value, str) and (only_trouble(value) or bool(error_text(value, None)))
    )
