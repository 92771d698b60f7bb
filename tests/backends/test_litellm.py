"""The `litellm` backend, with the real package, through its OpenAI-compatible route to a real socket."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from inspect import isclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from guardgate.backends import litellm as module
from guardgate.backends.base import Available
from guardgate.backends.litellm import BEFORE, INSTALL, NO_KEY, RESERVED, LiteLLM
from guardgate.backends.litellm_errors import raised
from guardgate.model.project import LiteLLMTarget
from guardgate.record import Failure, Reply, Talk, ToolCall, Usage
from tests.support.calls import around, talk
from tests.support.project import bot, case, environment, put, run, write
from tests.support.server import Answer, Server, free_port

KEY = "key-of-the-project"


@pytest.fixture(autouse=True)
def _as_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or proxy from outside; what a backend sets in the environment goes away again."""
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "LITELLM_")) or "PROXY" in name.upper()]:
        monkeypatch.delenv(name)
    for name in BEFORE:
        monkeypatch.setenv(name, "something else")


@pytest.fixture(scope="module")
def litellm() -> ModuleType:
    """The package, with the settings that the backend gives it."""
    loaded: ModuleType = module._load()
    return loaded


def backend(url: str | None, seconds: float = 30.0, **settings: Any) -> LiteLLM:
    fields = {"backend": "litellm", "model": "openai/small", "api_key": KEY, "base_url": url, **settings}
    return LiteLLM("big", LiteLLMTarget(**fields), around(call_seconds=seconds))


def asked(one: LiteLLM, *talks: Talk) -> list[Reply | Failure]:
    """What it says to these talks, after it was asked whether it is there."""

    async def play() -> list[Reply | Failure]:
        able = await one.available()
        assert isinstance(able, Available), able
        try:
            return [await one.reply(each) for each in talks or (talk(),)]
        finally:
            await one.close()

    return asyncio.run(play())


def able(one: LiteLLM) -> Available | Failure:
    async def play() -> Available | Failure:
        try:
            return await one.available()
        finally:
            await one.close()

    return asyncio.run(play())


def said(content: Any = "No.", finish: str = "stop", message: dict[str, Any] | None = None, **more: Any) -> Answer:
    body = {"id": "x", "object": "chat.completion", "model": "small-1", **more}
    inner = {"role": "assistant", "content": content, **(message or {})}
    return Answer({**body, "choices": [{"index": 0, "message": inner, "finish_reason": finish}]})


def test_a_reply_has_text_model_usage_and_time() -> None:
    with Server(said(usage={"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15})) as server:
        (reply,) = asked(backend(f"{server.url}/v1"))
    assert isinstance(reply, Reply)
    assert (reply.text, reply.model, reply.usage) == ("No.", "small-1", Usage(12, 3, None))
    assert reply.ms >= 0
    (seen,) = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["Authorization"] == f"Bearer {KEY}"
    assert seen.json == {"model": "small", "messages": [{"role": "user", "content": "hello"}], "temperature": 0}


def test_the_whole_conversation_goes_with_each_call() -> None:
    talks = talk("one", "two", replies=["yes?"], system="Be brief.")
    with Server(said()) as server:
        asked(backend(f"{server.url}/v1"), talks)
    assert server.seen[0].json["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "yes?"},
        {"role": "user", "content": "two"},
    ]


def test_params_of_the_target_and_of_the_cell_and_null_takes_one_away() -> None:
    with Server(said()) as server:
        one = backend(f"{server.url}/v1", params={"temperature": None, "max_tokens": 9})
        asked(one, talk(params={"model": "openai/other", "max_tokens": 5}))
    body = server.seen[0].json
    assert (body["model"], body["max_tokens"]) == ("other", 5)
    assert "temperature" not in body


def test_tool_calls_are_kept() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "search", "arguments": '{"q": 1}'}}
    with Server(said(None, "tool_calls", {"tool_calls": [call]})) as server:
        (reply,) = asked(backend(f"{server.url}/v1"))
    assert isinstance(reply, Reply)
    assert (reply.text, reply.tools) == ("", (ToolCall("search", {"q": 1}),))


def test_without_a_key_none_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a key that nobody named")
    with Server(said()) as server:
        asked(backend(f"{server.url}/v1", api_key=None))
        asked(backend(f"{server.url}/v1", api_key=None, env=("OPENAI_API_KEY",)))
    sent = [seen.headers["Authorization"] for seen in server.seen]
    assert sent == [f"Bearer {NO_KEY}", "Bearer a key that nobody named"]


@pytest.mark.parametrize(
    ("model", "price", "dollars", "noted"),
    [
        ("openai/gpt-4o", None, 1000 * 2.5e-6 + 100 * 10e-6, False),
        ("openai/small", None, None, True),
        ("openai/small", {"input": 1.0, "output": 2.0}, 0.0012, False),
    ],
)
def test_the_price_is_known_or_it_is_said_that_it_is_not(
    model: str, price: Any, dollars: float | None, noted: bool
) -> None:
    with Server(said(usage={"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100})) as server:
        one = backend(f"{server.url}/v1", model=model, price=price)
        (reply,) = asked(one)
        about = able(one)
    assert isinstance(reply, Reply)
    assert reply.usage
    assert reply.usage.usd == (None if dollars is None else pytest.approx(dollars))
    assert isinstance(about, Available)
    assert about.version == f"litellm {metadata.version('litellm')}"
    assert (f"no price for {model}" in about.note) == noted


def test_zeros_that_litellm_makes_up_are_no_usage() -> None:
    with Server(said()) as server:
        (reply,) = asked(backend(f"{server.url}/v1"))
    assert isinstance(reply, Reply)
    assert reply.usage is None


def error(message: str, status: int, **more: Any) -> Answer:
    headers = more.pop("headers", {})
    return Answer({"error": {"message": message, **more}}, status, headers)


@pytest.mark.parametrize(
    ("answer", "kind", "retry", "fatal"),
    [
        (error("bad key", 401), "auth", "no", True),
        (error("not yours", 403), "auth", "no", False),
        (error("no such model", 404), "not_found", "no", True),
        (error("too long", 400, type="exceed_context_size_error"), "bad_request", "no", False),
        (error("odd", 422), "bad_request", "no", False),
        (error("filtered by our content management policy", 400), "blocked", "no", False),
        (error("pay first", 402), "quota", "no", True),
        (error("You exceeded your current quota", 429, code="insufficient_quota"), "quota", "no", True),
        (error("slow down", 429), "rate_limited", "resend", False),
        (error("boom", 500), "http_error", "resend", False),
        (error("away", 503), "http_error", "resend", False),
        (error("tea", 418), "http_error", "no", False),
        (Answer({"error": {"message": "overloaded", "code": 500}}), "http_error", "resend", False),
        (Answer("<html>"), "http_error", "resend", False),
        (Answer({}), "http_error", "resend", False),
        (Answer({"id": "x", "choices": []}), "malformed", "no", False),
        (said("", "content_filter"), "blocked", "no", False),
        (Answer(drop=True), "http_error", "resend", False),
    ],
    ids=lambda value: None,
)
def test_what_is_no_reply_is_a_failure_and_is_asked_once(answer: Answer, kind: str, retry: str, fatal: bool) -> None:
    with Server(answer) as server:
        (failure,) = asked(backend(f"{server.url}/v1"))
    assert isinstance(failure, Failure), failure
    assert (failure.kind, failure.retry, failure.fatal) == (kind, retry, fatal)
    assert len(server.seen) == 1, "litellm tried again by itself"


def test_what_the_server_asks_to_wait_is_kept() -> None:
    with Server(error("slow down", 429, headers={"Retry-After": "7"})) as server:
        (failure,) = asked(backend(f"{server.url}/v1"))
    assert isinstance(failure, Failure)
    assert failure.after == 7
    assert failure.detail == 'HTTP 429: "litellm.RateLimitError: RateLimitError: OpenAIException - slow down"'


def test_silence_ends_with_the_time_of_a_call() -> None:
    with Server(Answer(hang=True)) as server:
        (failure,) = asked(backend(f"{server.url}/v1", seconds=0.5))
        assert server.gone.wait(20)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.retry) == ("timeout", "resend")
    assert len(server.seen) == 1


def test_no_time_left_is_no_call() -> None:
    with Server(said()) as server:
        (failure,) = asked(backend(f"{server.url}/v1"), talk(seconds=-1))
    assert isinstance(failure, Failure)
    assert (failure.kind, server.seen) == ("timeout", [])


@pytest.mark.parametrize("size", [5_000_000, 20_000_000])
def test_a_reply_of_many_megabytes_is_too_large(size: int) -> None:
    with Server(said("x" * size)) as server:
        (failure,) = asked(backend(f"{server.url}/v1"))
    assert isinstance(failure, Failure)
    assert failure.kind == "too_large"


def test_an_address_where_nothing_listens_is_unavailable() -> None:
    failure = able(backend(f"http://127.0.0.1:{free_port()}/v1"))
    assert isinstance(failure, Failure)
    assert (failure.kind, "nothing listens" in failure.detail) == ("unavailable", True)


def test_a_model_of_no_provider_is_said_to_be_one() -> None:
    failure = able(backend(None, model="no-such-model-anywhere"))
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.fatal) == ("unavailable", True)
    assert "provider" in failure.detail


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_params_that_would_make_a_reply_up_are_refused(name: str) -> None:
    with Server(said()) as server:
        failure = able(backend(f"{server.url}/v1", params={name: "x"}))
        (again,) = asked(backend(f"{server.url}/v1"), talk(params={name: "x"}))
    assert isinstance(failure, Failure)
    assert isinstance(again, Failure)
    assert name in failure.detail
    assert server.seen == []


def gone(_name: str) -> str:
    raise metadata.PackageNotFoundError


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (gone, ("litellm is not installed", INSTALL)),
        (lambda _name: "1.82.7", ("malicious code", "1.110 or newer", INSTALL)),
        (lambda _name: "1.82.8", ("malicious code", "1.110 or newer", INSTALL)),
        (lambda _name: "1.109.3", ("found litellm 1.109.3", "1.110 or newer", INSTALL)),
        (lambda _name: "0.9", ("found litellm 0.9", "1.110 or newer", INSTALL)),
    ],
)
def test_a_missing_old_or_malicious_package_is_unavailable(
    version: Callable[[str], str], words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.version", version)
    monkeypatch.setattr(module, "import_module", None)
    failure = able(backend("http://127.0.0.1:1/v1"))
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.fatal) == ("unavailable", True)
    assert [word for word in words if word not in failure.detail] == []


def test_values_of_the_target_s_env_reach_litellm_and_never_another_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_REGION", raising=False)
    with Server(said()) as server:
        assert isinstance(able(backend(f"{server.url}/v1", env=("SOME_REGION=north",))), Available)
        failure = able(backend(f"{server.url}/v1", env=("SOME_REGION=south",)))
    assert os.environ.pop("SOME_REGION") == "north"
    assert isinstance(failure, Failure)
    assert "SOME_REGION" in failure.detail


def classes(litellm: ModuleType) -> Iterator[type[Exception]]:
    names = vars(litellm.exceptions).values()
    yield from {one: None for one in names if isclass(one) and issubclass(one, Exception)}


#: Every class of `litellm.exceptions`: kind, retry, fatal.
EXPECTED: dict[str, tuple[str, str, bool]] = {
    "AuthenticationError": ("auth", "no", True),
    "CallerCredentialAuthenticationError": ("auth", "no", True),
    "PermissionDeniedError": ("auth", "no", False),
    "NotFoundError": ("not_found", "no", True),
    "BadRequestError": ("bad_request", "no", False),
    "ImageFetchError": ("bad_request", "no", False),
    "VectorStoreSearchError": ("bad_request", "no", False),
    "MalformedRequestFieldError": ("bad_request", "no", False),
    "UnsupportedEndpointError": ("bad_request", "no", False),
    "EndpointNotSupportedByModelError": ("bad_request", "no", False),
    "UnprocessableEntityError": ("bad_request", "no", False),
    "UnsupportedParamsError": ("bad_request", "no", False),
    "InvalidRequestError": ("bad_request", "no", False),
    "ContextWindowExceededError": ("bad_request", "no", False),
    "LiteLLMUnknownProvider": ("bad_request", "no", True),
    "ModelNotMappedError": ("bad_request", "no", True),
    "Timeout": ("timeout", "resend", False),
    "RateLimitError": ("rate_limited", "resend", False),
    "CallerCredentialRateLimitError": ("rate_limited", "resend", False),
    "PaymentRequiredError": ("quota", "no", True),
    "BudgetExceededError": ("quota", "no", True),
    "RejectedRequestError": ("blocked", "no", False),
    "ContentPolicyViolationError": ("blocked", "no", False),
    "GuardrailRaisedException": ("blocked", "no", False),
    "BlockedPiiEntityError": ("blocked", "no", False),
    "ModifyResponseException": ("blocked", "no", False),
    "SensitiveDataRouteException": ("blocked", "no", False),
    "ServiceUnavailableError": ("http_error", "resend", False),
    "BadGatewayError": ("http_error", "resend", False),
    "InternalServerError": ("http_error", "resend", False),
    "APIError": ("http_error", "resend", False),
    "OpenAIError": ("http_error", "resend", False),
    "APIConnectionError": ("connection", "resend", False),
    "APIResponseValidationError": ("malformed", "no", False),
    "JSONSchemaValidationError": ("malformed", "no", False),
    "MidStreamFallbackError": ("cut_stream", "resend", False),
    "MockException": ("app_error", "no", True),
}


def test_every_exception_class_is_mapped(litellm: ModuleType) -> None:
    found = {}
    for one in classes(litellm):
        failure = raised(one.__new__(one, "because"))
        assert "because" in failure.detail
        found[one.__name__] = (failure.kind, failure.retry, failure.fatal)
    assert found == EXPECTED


def test_an_exception_that_nobody_knows_is_no_reply() -> None:
    failure = raised(RuntimeError("odd"))
    assert (failure.kind, failure.retry) == ("app_error", "no")
    assert 'RuntimeError: "odd"' in failure.detail


def _target(url: str, model: str = "openai/small") -> dict[str, Any]:
    return {"backend": "litellm", "model": model, "base_url": f"{url}/v1"}


RULE = {
    "id": "R1",
    "severity": "hard",
    "rule": "Says no.",
    "checks": {"not_contains": {"any": ["ZEBRA"]}},
    "judge": {"required_scores": {"helpful_answer": 0.5}},
    "samples": {"held": ["No."], "broke": ["ZEBRA"]},
}


def test_a_target_and_a_judge_of_a_run_and_litellm_prints_nothing_of_its_own(tmp_path: Path) -> None:
    says: dict[str, Any] = {"c2": Answer("x", 500), "c3": "ZEBRA"}
    with Server(bot(lambda turn: says.get(turn, "No."))) as server, Server(bot(lambda _: "no scores")) as judge:
        root = write(
            tmp_path,
            _target(server.url),
            rules=[RULE],
            cases=[case("c1", "one", "two"), case("c2"), case("c3")],
            judges={"strict": _target(judge.url, "openai/judge")},
            run={"judges": ["strict"], "limits": {"attempt_seconds": 1}},
            anchors={"floor": 0},
        )
        ran = run(root, env={"PYTHONWARNINGS": "default"})
    assert ran.verdicts == {"c1": "undecided", "c2": "undecided", "c3": "broke"}
    assert ran.kinds == {"c1": None, "c2": "http_error", "c3": None}
    assert {finding["kind"] for finding in ran.attempts[0]["findings"]} == {None, "unparseable"}
    assert ran.code == 3
    noise = ("LiteLLM", "Give Feedback", "Unclosed", "never awaited", "was destroyed", "Warning")
    assert [word for word in noise if word in ran.err + ran.out] == []


#: What somebody else's workspace may hold.
HOSTILE = "OPENAI_API_KEY=key-of-the-workspace\nLITELLM_MODE=DEV\nHOSTILE_MARK=loaded\n"
BARE = "import litellm"
OURS = "from guardgate.backends.litellm import _load; _load()"


@pytest.mark.parametrize(("how", "mark"), [(BARE, "loaded"), (OURS, "None")], ids=["the plant works", "ours"])
def test_a_hostile_env_file_in_the_workspace_is_not_loaded(tmp_path: Path, how: str, mark: str) -> None:
    put(tmp_path, ".env", HOSTILE)
    clean = {name: value for name, value in environment().items() if not name.startswith("LITELLM_")}
    env = {**clean, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    command = [sys.executable, "-c", f"{how}; import os, sys; print(os.environ.get('HOSTILE_MARK'), *sys.modules)"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    found, *modules = done.stdout.split()
    assert found == mark
    assert "litellm" in modules


def test_check_never_imports_it(tmp_path: Path) -> None:
    with Server(bot(lambda _: "No.")) as server:
        root = write(tmp_path, _target(server.url))
        command = [sys.executable, "-X", "importtime", "-m", "guardgate", "check"]
        done = subprocess.run(command, cwd=root, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "guardgate.lint" in done.stderr
    assert "litellm" not in done.stderr
    assert server.seen == []
