"""What litellm raises, as failures. Looked up by the names of classes, so that litellm need not be imported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from guardgate.backends.bodies import quote
from guardgate.backends.outcomes import QUOTED, of_status
from guardgate.record import Failure, Retry

#: Classes that stand for an HTTP status, which says what they mean. Their own `status_code` counts before this one.
STATUS: Mapping[str, int] = MappingProxyType(
    {
        "AuthenticationError": 401,
        "PermissionDeniedError": 403,
        "NotFoundError": 404,
        "BadRequestError": 400,
        "InvalidRequestError": 400,
        "UnprocessableEntityError": 422,
        "RateLimitError": 429,
        "ServiceUnavailableError": 503,
        "BadGatewayError": 502,
        "InternalServerError": 500,
        "APIError": 500,
        "OpenAIError": 500,
    }
)
#: Classes that say more than a status: kind, whether a retry may help, whether each further call would fail alike.
KINDS: Mapping[str, tuple[str, Retry, bool]] = MappingProxyType(
    {
        "Timeout": ("timeout", "resend", False),
        "APIConnectionError": ("connection", "resend", False),
        "ContentPolicyViolationError": ("blocked", "no", False),
        "RejectedRequestError": ("blocked", "no", False),
        "GuardrailRaisedException": ("blocked", "no", False),
        "BlockedPiiEntityError": ("blocked", "no", False),
        "ModifyResponseException": ("blocked", "no", False),
        "SensitiveDataRouteException": ("blocked", "no", False),
        "BudgetExceededError": ("quota", "no", True),
        "PaymentRequiredError": ("quota", "no", True),
        "ModelNotMappedError": ("bad_request", "no", True),
        "LiteLLMUnknownProvider": ("bad_request", "no", True),
        "UnsupportedParamsError": ("bad_request", "no", False),
        "APIResponseValidationError": ("malformed", "no", False),
        "MidStreamFallbackError": ("cut_stream", "resend", False),
        "MockException": ("app_error", "no", True),
    }
)
_TODO = {
    "LiteLLMUnknownProvider": "name the provider in the model, such as openai/NAME",
    "UnsupportedParamsError": "take the param away (a value of null does, for temperature too)",
    "MockException": "take the mock away: it proves nothing",
}


def raised(error: Exception, now: datetime | None = None) -> Failure:
    """The failure that an exception out of litellm stands for. The whole conversation goes with each call."""
    name = type(error).__name__
    # their __str__ fails where __init__ did
    message = getattr(error, "message", None) or ", ".join(map(str, error.args)) or "without a message"
    said = quote(str(message), QUOTED)
    for ancestor in type(error).__mro__:
        if ancestor.__name__ in KINDS:
            kind, retry, fatal = KINDS[ancestor.__name__]
            todo = _TODO.get(ancestor.__name__)
            return Failure(kind, f"{name}: {said}" + (f"; {todo}" if todo else ""), retry, fatal=fatal)
        if ancestor.__name__ in STATUS:
            return _of_status(error, STATUS[ancestor.__name__], str(message), now or datetime.now(UTC))
    return Failure("app_error", f"litellm raised {name}: {said}")


def _of_status(error: Exception, usual: int, message: str, now: datetime) -> Failure:
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) and 400 <= status < 600 else usual
    body = getattr(error, "body", None)
    words = body if isinstance(body, dict) else {}
    text = json.dumps({"error": {**words, "message": message}}, default=str)
    return of_status(status, _headers(error), text.encode(), "resend", now)


def _headers(error: Exception) -> Mapping[str, str]:
    """The headers of the answer, wherever litellm put them."""
    places: tuple[Any, ...] = (
        getattr(error, "litellm_response_headers", None),
        getattr(getattr(error, "response", None), "headers", None),
    )
    return next((one for one in places if one is not None and hasattr(one, "get")), {})
