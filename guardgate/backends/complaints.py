"""What the error bodies of providers say, in one shape.

Known: OpenAI, Azure, Anthropic, Gemini (also wrapped in a list), OpenRouter, Mistral, vLLM, llama.cpp, Ollama, FastAPI.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from guardgate.errortext import has_content

_FILTER = frozenset(
    {
        "content_filter",
        "content_filtered",
        "content_policy_violation",
        "data_inspection_failed",
        "flagged_input",
        "invalid_prompt",
        "responsibleaipolicyviolation",
    }
)
_FILTER_PHRASES = ("content management policy", "content filtering policy")
_QUOTA = frozenset(
    {
        "billing_error",
        "billing_hard_limit_reached",
        "billing_not_active",
        "credit_limit",
        "insufficient_balance",
        "insufficient_credits",
        "insufficient_funds",
        "insufficient_quota",
        "payment_required",
        "quota_exceeded",
        "quotaexceeded",
    }
)
_QUOTA_PHRASES = (
    "check your plan and billing",
    "credit balance is too low",
    "exceeded your current quota",
    "insufficient balance",
    "insufficient credit",
    "monthly spending limit",
    "out of call volume quota",
    "used all available credits",
)
_STATUS = {
    "authentication_error": 401,
    "context_length_exceeded": 400,
    "exceed_context_size_error": 400,
    "internal_server_error": 500,
    "invalid_api_key": 401,
    "invalid_request_error": 400,
    "api_error": 500,
    "model_not_found": 404,
    "not_found_error": 404,
    "overloaded_error": 529,
    "permission_error": 403,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "resource_exhausted": 429,
    "server_error": 500,
    "unavailable_error": 503,
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error as its body tells it: message, status, codes and types as `words`, seconds to wait."""

    message: str = ""
    status: int | None = None
    words: frozenset[str] = frozenset()
    after: float | None = None

    def names_status(self) -> int | None:
        """The HTTP status that the body names, by number or by a known word."""
        by_word = (_STATUS[word] for word in sorted(self.words & _STATUS.keys()))
        return self.status or next(by_word, None)

    def is_filter(self) -> bool:
        """Whether the provider's content filter stopped the call."""
        return bool(self.words & _FILTER) or _has(self.message, _FILTER_PHRASES)

    def is_quota(self, status: int) -> bool:
        """Whether the quota or the credit is used up: waiting a moment will not help."""
        if status == 402 or self.words & _QUOTA or "per_day" in self.words:
            return True
        # Gemini words a limit a minute like a used-up quota, but says when to come again
        soon = "per_minute" in self.words or self.after is not None
        return not soon and status in (0, 400, 403, 429) and _has(self.message, _QUOTA_PHRASES)


def error_in(value: Any) -> Complaint | None:
    """The error that a 2xx body or an event of a stream holds in place of a reply, if it does."""
    body = _unwrap(value)
    if body is None:
        return None
    is_error = body.get("error") or "error" in (body.get("object"), body.get("type"))
    return complaint_of(body) if is_error else None


def error_beside(value: Any) -> Complaint | None:
    """The error that a 2xx body names beside a text; `error: null`, 0, {} or "none" is none."""
    body = _unwrap(value)
    if body is None or not (has_content(body.get("error")) or "error" in (body.get("object"), body.get("type"))):
        return None
    return error_in(body)


def complaint_at(found: list[Any]) -> Complaint | None:
    """The error among what the path `error` of a target leads to; None where nothing there has content."""
    said = next(filter(has_content, found), None)
    if said is None:
        return None
    complaint = complaint_of({"error": said})
    return complaint if complaint.message else replace(complaint, message=json.dumps(said, ensure_ascii=False))


def complaint_of(value: Any) -> Complaint:
    """What the body of an error says; an empty complaint when it says nothing that is known."""
    body = _unwrap(value)
    if body is None:
        return Complaint()
    said = body.get("error")
    error = said if isinstance(said, dict) else body
    details = _dicts(error.get("details"))
    message = _first_text(error.get("message"), said, error.get("detail"), body.get("message"))
    words = {*_words(body, error), *_limits(details), *_flags(error)}
    statuses = (error.get("code"), error.get("status"), error.get("status_code"), body.get("statusCode"))
    return Complaint(message, _status(statuses), frozenset(words), _wait(details))


def _unwrap(value: Any) -> dict[str, Any] | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, dict) else None


def _words(body: dict[str, Any], error: dict[str, Any]) -> Iterable[str]:
    inner = error.get("innererror")
    places = (body, error, inner if isinstance(inner, dict) else {})
    for place in places:
        for key in ("code", "type", "status", "error_type"):
            if isinstance(place.get(key), str):
                yield re.sub(r"\W+", "_", place[key].strip().lower())


def _limits(details: list[dict[str, Any]]) -> Iterable[str]:
    for violation in (item for detail in details for item in _dicts(detail.get("violations"))):
        if "PerDay" in str(violation.get("quotaId")):
            yield "per_day"
        if "PerMinute" in str(violation.get("quotaId")):
            yield "per_minute"


def _flags(error: dict[str, Any]) -> Iterable[str]:
    metadata = error.get("metadata")
    return ("flagged_input",) if isinstance(metadata, dict) and "flagged_input" in metadata else ()


def _wait(details: list[dict[str, Any]]) -> float | None:
    for detail in details:
        delay = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)s", str(detail.get("retryDelay")))
        if delay:
            return float(delay[1])
    return None


def _status(candidates: Iterable[Any]) -> int | None:
    for value in candidates:
        if re.fullmatch(r"[45][0-9]{2}", str(value)):
            return int(value)
    return None


def _first_text(*candidates: Any) -> str:
    return next((value for value in candidates if isinstance(value, str) and value.strip()), "")


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _has(text: str, phrases: Iterable[str]) -> bool:
    low = text.lower()
    return any(phrase in low for phrase in phrases)
