"""What an answer other than a success means, and how long to wait before asking again. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from guardgate.github.failure import ApiFailure, Kind

#: At least so long, in seconds, when GitHub says only that there were too many requests.
UNSAID = 60.0
#: How often a request that met an error of the server is sent.
SERVER_TRIES = 3
#: How often a request that was limited is sent, if the waits fit into the patience.
LIMITED_TRIES = 6
MESSAGE_CHARS = 300

_NEVER = ("not accessible by",)
_LIMIT = ("rate limit", "abuse detection", "too many requests")
_TODO: Mapping[Kind, str] = {
    "permission": "give the token this permission in the workflow, or leave the feature off",
    "missing": "look whether it exists and whether the token may see it",
    "refused": "what GitHub says there has to be corrected",
    "rate_limited": "run again later",
    "unavailable": "run again later",
    "malformed": "look at GITHUB_API_URL and at what stands between this job and GitHub",
}


@dataclass(frozen=True, slots=True)
class Setback:
    """A failure, and the seconds to wait before the same request may be sent again. None: do not."""

    failure: ApiFailure
    wait: float | None = None


def setback(asked: str, status: int, headers: Mapping[str, str], body: bytes, tries: int, now: datetime) -> Setback:
    """What a status from 300 on means for a request that was sent `tries` times. Redirects are not for here."""
    message = message_of(body)
    kind = _kind(status, headers, message)
    said = f": {message}" if message else ""
    failure = ApiFailure(kind, f"{asked}: GitHub answered {status}{said}; {_TODO[kind]}", status)
    if kind == "rate_limited":
        # each refusal waits longer, whatever the header says: 0 would be a loop
        return Setback(failure, max(_said(headers, now), 2.0 ** (tries - 1)) if tries < LIMITED_TRIES else None)
    if kind == "unavailable" and tries < SERVER_TRIES:
        return Setback(failure, max(_after(headers, now) or 0.0, 2.0 ** (tries - 1)))
    return Setback(failure)


def _kind(status: int, headers: Mapping[str, str], message: str) -> Kind:
    lower = message.lower()
    if status in (403, 429) and any(words in lower for words in _NEVER):
        return "permission"
    limited = "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    if status == 429 or (status == 403 and (limited or any(words in lower for words in _LIMIT))):
        return "rate_limited"
    if status in (401, 403):
        return "permission"
    if status in (404, 410):
        return "missing"
    if status == 408 or status >= 500:
        return "unavailable"
    return "refused" if status >= 400 else "malformed"


def _said(headers: Mapping[str, str], now: datetime) -> float:
    after = _after(headers, now)
    if after is not None:
        return after
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and _is_number(reset):
        return max(0.0, int(reset) - now.timestamp())
    return UNSAID


def _after(headers: Mapping[str, str], now: datetime) -> float | None:
    said = headers.get("retry-after", "").strip()
    if _is_number(said):
        return float(said)
    try:
        moment = parsedate_to_datetime(said)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (moment - now).total_seconds())
    except (ValueError, OverflowError):
        return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 12


def message_of(body: bytes) -> str:
    """What GitHub says about a failure, cut; empty where it says nothing that can be read."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    errors = value.get("errors")
    more = [_error(one) for one in errors[:3]] if isinstance(errors, list) else []
    parts = [value.get("message"), *more]
    return ": ".join(part for part in parts if isinstance(part, str) and part)[:MESSAGE_CHARS]


def _error(one: object) -> object:
    if not isinstance(one, dict):
        return one
    given = [one.get(key) for key in ("field", "code")]
    return one.get("message") or " ".join(word for word in given if isinstance(word, str))
