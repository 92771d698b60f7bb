"""What an answer that is no reply means: HTTP status and error body to `Failure`. Pure.

| says | kind | retry |
|---|---|---|
| 400 422 | bad_request | no |
| 401 | auth, fatal | no |
| 403 | auth; fatal where the body speaks of the key | no |
| 404 410 | not_found, fatal | no |
| 402, or words of an exhausted quota | quota, fatal | no |
| words of a content filter | blocked | no |
| 429 | rate_limited | resend |
| 503 529 | http_error | resend |
| 408 500 502 504 520-524 | http_error | as the request allows: resend or restart |
| anything else | http_error | no |
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from guardgate.backends.bodies import UnreadableError, parse, quote
from guardgate.backends.complaints import Complaint, complaint_of
from guardgate.record import Failure, Reply, Retry

QUOTED = 300

_KINDS = {
    **dict.fromkeys((400, 422), "bad_request"),
    **dict.fromkeys((401, 403), "auth"),
    **dict.fromkeys((404, 410), "not_found"),
    402: "quota",
    429: "rate_limited",
}
#: Words of a provider with which a 403 is about the key, as a 401 is. Without them it may be a firewall's answer to
#: the words of one attack, and says nothing of the next one.
_KEY = frozenset(
    {"authentication_error", "invalid_api_key", "permission_denied", "permission_error", "unauthenticated"}
)
_REFUSED = frozenset({429, 503, 529})
_UNSURE = frozenset({408, 500, 502, 504, *range(520, 525)})
_TODO = {
    "auth": "check the target's key (api_key or headers, and the secret behind it)",
    "forbidden": "see what the target's key may do, and whether a firewall refuses these words alone",
    "not_found": "check the target's url or base_url, and its model",
    "quota": "add credit or raise the limit at the provider, or use another key",
}


def of_status(status: int, headers: Mapping[str, str], body: bytes, repeat: Retry, now: datetime) -> Failure:
    """The failure that a status outside 2xx stands for; `repeat` is the retry after possible processing."""
    if 300 <= status < 400:
        place = quote(headers.get("Location", ""), QUOTED)
        todo = "redirects are not followed; put the final address into the target's url or base_url"
        return Failure("http_error", f"HTTP {status} to {place}; {todo}")
    try:
        complaint = complaint_of(parse(body))
    except UnreadableError:
        complaint = Complaint()
    after = retry_after(headers, now)
    kind = _kind(status, complaint)
    said = quote(complaint.message or body, QUOTED)
    after = complaint.after if after is None else after
    return _failure(kind, status, f"HTTP {status}: {said}", complaint, repeat=repeat, after=after)


def of_error(complaint: Complaint, repeat: Retry, partial: Reply | None = None) -> Failure:
    """The failure for an error that came inside a 2xx answer, in its body or in the middle of its stream.

    Processing had begun, so nothing counts as refused before it.
    """
    status = complaint.names_status() or 0
    said = quote(complaint.message, QUOTED) if complaint.message.strip() else "without a message"
    detail = f"an error inside the answer: {said}"
    if status:
        detail += f" (it stands for HTTP {status})"
    kind = _kind(status, complaint)
    failure = _failure(kind, status, detail, complaint, repeat=repeat, after=complaint.after, partial=partial)
    return replace(failure, retry=repeat) if failure.retry == "resend" else failure


def _kind(status: int, complaint: Complaint) -> str:
    if complaint.is_filter():
        return "blocked"
    if complaint.is_quota(status):
        return "quota"
    return _KINDS.get(status, "http_error")


def _failure(
    kind: str, status: int, detail: str, complaint: Complaint, *, repeat: Retry, after: float | None,
    partial: Reply | None = None,
) -> Failure:  # fmt: skip
    if kind == "auth" and status == 403 and not complaint.words & _KEY:
        return Failure(kind, f"{detail}; {_TODO['forbidden']}", partial=partial)
    if kind in _TODO:
        return Failure(kind, f"{detail}; {_TODO[kind]}", fatal=True, partial=partial)
    if kind in ("blocked", "bad_request"):
        return Failure(kind, detail, partial=partial)
    if status in _REFUSED:
        return Failure(kind, detail, "resend", after, busy=True, partial=partial)
    return Failure(kind, detail, repeat if status in _UNSURE else "no", partial=partial)


def honest(failure: Failure) -> Failure:
    """A turn of which words or calls were received was processed: only a new conversation may follow it.

    Else sending it again could replace words that broke a rule.
    """
    received = failure.partial is not None and (failure.partial.text or failure.partial.tools)
    return replace(failure, retry="restart") if received and failure.retry == "resend" else failure


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that the headers ask us to wait: milliseconds, seconds or a date; None where they say nothing usable."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    said = headers.get("Retry-After", "").strip()
    seconds = _number(said)
    return seconds if seconds is not None else _until(said, now)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _until(date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (moment - now).total_seconds())
    except (ValueError, OverflowError):
        return None
