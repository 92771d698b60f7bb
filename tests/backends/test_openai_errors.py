"""Error bodies as the providers send them, with an error status and inside a 200, over a real socket."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guardgate.backends.complaints import complaint_of
from tests.support.calls import failed, got, openai, talk
from tests.support.server import Answer, Server


def error(**fields: Any) -> dict[str, Any]:
    return {"error": fields}


def gemini(message: str, *details: dict[str, Any]) -> list[dict[str, Any]]:
    return [error(code=429, message=message, status="RESOURCE_EXHAUSTED", details=list(details))]


def anthropic(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def violation(quota: str) -> dict[str, Any]:
    return {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": quota, "quotaValue": "20"}],
    }


RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17.5s"}
CURRENT_QUOTA = "You exceeded your current quota, please check your plan and billing details."
INNER = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {"jailbreak": {"filtered": True}}}

#: kind, retry, fatal, seconds to wait
Outcome = tuple[str, str, bool, float | None]
AUTH: Outcome = ("auth", "no", True, None)
NOT_FOUND: Outcome = ("not_found", "no", True, None)
QUOTA: Outcome = ("quota", "no", True, None)
RATE: Outcome = ("rate_limited", "resend", False, None)
RATE_17: Outcome = ("rate_limited", "resend", False, 17.5)
BAD: Outcome = ("bad_request", "no", False, None)
BLOCKED: Outcome = ("blocked", "no", False, None)
BUSY: Outcome = ("http_error", "resend", False, None)

SHAPES: list[tuple[str, int, Any, Outcome]] = [
    (
        "openai key",
        401,
        error(message="Incorrect API key provided", type="invalid_request_error", code="invalid_api_key"),
        AUTH,
    ),
    (
        "openai model",
        404,
        error(message="The model `x` does not exist", type="invalid_request_error", code="model_not_found"),
        NOT_FOUND,
    ),
    ("openai quota", 429, error(message=CURRENT_QUOTA, type="insufficient_quota", code="insufficient_quota"), QUOTA),
    (
        "openai rate",
        429,
        error(message="Rate limit reached for gpt in organization", type="requests", code="rate_limit_exceeded"),
        RATE,
    ),
    (
        "openai length",
        400,
        error(
            message="This model's maximum context length is 8192 tokens",
            type="invalid_request_error",
            code="context_length_exceeded",
        ),
        BAD,
    ),
    (
        "openai policy",
        400,
        error(message="Your prompt was flagged", type="invalid_request_error", code="invalid_prompt"),
        BLOCKED,
    ),
    (
        "openai billing",
        400,
        error(message="Billing hard limit has been reached", type="x", code="billing_hard_limit_reached"),
        QUOTA,
    ),
    ("openai server", 500, error(message="The server had an error", type="server_error", code=None), BUSY),
    (
        "azure filter",
        400,
        error(message="The response was filtered", type=None, code="content_filter", status=400, innererror=INNER),
        BLOCKED,
    ),
    ("azure inner", 400, error(message="Bad", code="400", innererror=INNER), BLOCKED),
    ("azure words", 400, error(message="... triggering Azure OpenAI's content management policy.", code="x"), BLOCKED),
    ("azure deployment", 404, error(code="DeploymentNotFound", message="The API deployment does not exist"), NOT_FOUND),
    ("azure key", 401, {"statusCode": 401, "message": "Unauthorized. Access token is missing"}, AUTH),
    (
        "azure rate",
        429,
        error(code="429", message="Requests have exceeded call rate limit. Please retry after 6 seconds."),
        RATE,
    ),
    (
        "azure volume",
        403,
        {"statusCode": 403, "message": "Out of call volume quota. Quota will be replenished in 2.10:00:00."},
        QUOTA,
    ),
    ("anthropic overload", 529, anthropic("overloaded_error", "Overloaded"), BUSY),
    ("anthropic rate", 429, anthropic("rate_limit_error", "would exceed the rate limit"), RATE),
    (
        "anthropic credit",
        400,
        anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
        QUOTA,
    ),
    ("anthropic billing", 403, anthropic("billing_error", "billing"), QUOTA),
    ("anthropic key", 401, anthropic("authentication_error", "invalid x-api-key"), AUTH),
    (
        "anthropic filter",
        400,
        anthropic("invalid_request_error", "Output blocked by content filtering policy"),
        BLOCKED,
    ),
    (
        "llama.cpp length",
        400,
        error(
            code=400,
            message="the request exceeds the available context size",
            type="exceed_context_size_error",
            n_ctx=512,
        ),
        BAD,
    ),
    ("llama.cpp loading", 503, error(code=503, message="Loading model", type="unavailable_error"), BUSY),
    (
        "gemini day",
        429,
        gemini(CURRENT_QUOTA, violation("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), RETRY_INFO),
        QUOTA,
    ),
    (
        "gemini minute",
        429,
        gemini(CURRENT_QUOTA, violation("GenerateRequestsPerMinutePerProjectPerModel"), RETRY_INFO),
        RATE_17,
    ),
    ("gemini plain", 429, gemini(CURRENT_QUOTA), QUOTA),
    ("gemini busy", 429, gemini("Resource exhausted. Please try again later."), RATE),
    ("gemini unwrapped", 429, gemini(CURRENT_QUOTA, RETRY_INFO)[0], RATE_17),
    ("openrouter credits", 402, error(code=402, message="Insufficient credits"), QUOTA),
    (
        "openrouter moderation",
        403,
        error(code=403, message="flagged", metadata={"reasons": ["x"], "flagged_input": "..."}),
        BLOCKED,
    ),
    ("deepseek", 402, error(message="Insufficient Balance", type="unknown_error", code="invalid_request_error"), QUOTA),
    ("vllm", 400, {"object": "error", "message": "max context length", "type": "BadRequestError", "code": 400}, BAD),
    ("mistral", 422, {"detail": [{"loc": ["body"], "msg": "field required"}]}, BAD),
    ("ollama", 404, {"error": "model 'x' not found, try pulling it first"}, NOT_FOUND),
    ("fastapi", 403, {"detail": "Not authenticated"}, ("auth", "no", False, None)),
    ("firewall", 403, "<html><h1>403 Forbidden</h1></html>", ("auth", "no", False, None)),
    ("openai permission", 403, error(message="no", type="permission_error"), AUTH),
    ("nginx", 502, "<html><h1>502 Bad Gateway</h1></html>", BUSY),
]


@pytest.mark.parametrize(("status", "body", "wanted"), [row[1:] for row in SHAPES], ids=[row[0] for row in SHAPES])
def test_each_shape(status: int, body: Any, wanted: Outcome) -> None:
    with Server(Answer(body, status=status)) as server:
        failure = failed(openai(server.url))
    assert (failure.kind, failure.retry, failure.fatal, failure.after) == wanted
    message = complaint_of(body).message or (body if isinstance(body, str) else json.dumps(body))
    assert f'HTTP {status}: "{message}"' in failure.detail


def test_a_header_that_says_how_long_wins_over_the_body() -> None:
    with Server(Answer(gemini("busy", RETRY_INFO), status=429, headers={"Retry-After": "3"})) as server:
        assert failed(openai(server.url)).after == 3.0


@pytest.mark.parametrize(
    ("body", "kind", "retry", "fatal"),
    [
        (error(message="Rate limit exceeded", code=429), "rate_limited", "resend", False),
        (error(message="Rate limit exceeded", code="429"), "rate_limited", "resend", False),
        (error(message="no key", type="authentication_error"), "auth", "no", True),
        (error(message="gone", code="model_not_found"), "not_found", "no", True),
        (error(message="no money", code="insufficient_quota"), "quota", "no", True),
        (error(message=CURRENT_QUOTA), "quota", "no", True),
        (error(message="filtered", code="content_filter"), "blocked", "no", False),
        (error(message="upstream", code=502), "http_error", "resend", False),
        (error(message="odd"), "http_error", "no", False),
        ({"error": "CUDA out of memory"}, "http_error", "no", False),
        ({"object": "error", "message": "bad", "code": 400}, "bad_request", "no", False),
        (anthropic("overloaded_error", "Overloaded"), "http_error", "resend", False),
        ([error(message="bad", code=400)], "bad_request", "no", False),
        ({"choices": [], **error(message="bad", code=400)}, "bad_request", "no", False),
    ],
)
def test_an_error_inside_a_200_is_no_reply(body: Any, kind: str, retry: str, fatal: bool) -> None:
    with Server(Answer(body)) as server:
        failure = failed(openai(server.url))
    assert (failure.kind, failure.retry, failure.fatal) == (kind, retry, fatal)
    assert complaint_of(body).message in failure.detail


@pytest.mark.parametrize("nothing", [None, {}, "", 0, False, []])
def test_an_empty_error_field_is_no_error(nothing: Any) -> None:
    with Server(Answer({"error": nothing, "choices": [{"message": {"content": "hi"}}]})) as server:
        assert got(openai(server.url), talk()).text == "hi"


@pytest.mark.parametrize(
    "body",
    [
        error(message=3, code=[], type={}, innererror=[], details={}, metadata=7),
        error(details=[{"violations": [3]}, {"violations": "x"}, {"retryDelay": "soon"}, 3]),
        {"error": [1, 2]},
        {"error": {"code": 99999, "status": "4²9"}},
        [],
        [[]],
        "text",
        None,
    ],
)
def test_bodies_of_any_shape_do_not_confuse_the_status(body: Any) -> None:
    with Server(Answer(json.dumps(body), status=503)) as server:
        failure = failed(openai(server.url))
    assert (failure.kind, failure.retry, failure.after) == ("http_error", "resend", None)
