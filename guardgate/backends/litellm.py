"""The `litellm` backend: any provider, through litellm, which is imported once it is asked for and not before."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module, metadata
from logging import getLogger
from typing import Any

from guardgate.backends.base import MAX_REPLY_BYTES, Available, Surroundings
from guardgate.backends.client import Client
from guardgate.backends.completion import Completion
from guardgate.backends.litellm_errors import raised
from guardgate.backends.reading import Whole
from guardgate.backends.template import conversation
from guardgate.model.project import LiteLLMTarget
from guardgate.record import Failure, Reply, Talk, Usage

INSTALL = 'pip install "guardgate-ci[litellm]"'
OLDEST = (1, 110)
#: Versions that carried malicious code (MAL-2026-2144).
MALICIOUS = frozenset({"1.82.7", "1.82.8"})
#: Set before the import: otherwise it loads ./.env into the environment and fetches a price list.
BEFORE: Mapping[str, str] = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_LOG": "ERROR",
}
#: What guardgate itself says to litellm, and what would make a target answer without being asked.
RESERVED = frozenset(
    {"messages", "stream", "timeout", "max_retries", "num_retries", "api_key", "api_base", "base_url"}
    | {"mock_response", "mock_tool_calls", "mock_timeout", "fallbacks", "context_window_fallback_dict", "caching"}
)
#: Sent where no key is named. litellm would look for one in the environment, and send it to any address.
NO_KEY = "not-needed"


class LiteLLM:
    """A model of any provider. Each call carries the whole conversation, so it can be resent."""

    _open: int = 0

    def __init__(self, name: str, settings: LiteLLMTarget, around: Surroundings) -> None:
        self.name = name
        self._settings, self._around = settings, around
        self._litellm: Any = None

    async def available(self) -> Available | Failure:
        """Whether litellm is there, in a version that can be used, and something listens at base_url."""
        problem = unusable() or self._odd(self._settings.params) or _put(self._settings.env)
        if problem:
            return problem
        if self._settings.base_url:
            listening = await self._probe(self._settings.base_url)
            if isinstance(listening, Failure):
                return listening
        if self._litellm is None:
            self._litellm = await asyncio.to_thread(_load)
            LiteLLM._open += 1
        return self._without_provider() or Available(f"litellm {metadata.version('litellm')}", self._price_note())

    async def reply(self, talk: Talk) -> Reply | Failure:
        """The reply to the last turn."""
        params = {"temperature": 0, **self._settings.params, **talk.params}
        problem = self._odd(params)
        if problem:
            return problem
        if self._litellm is None:
            return Failure("unavailable", f"{self.name} was not opened", fatal=True)
        started = time.monotonic()
        seconds = min(self._around.call_seconds, talk.deadline - started)
        if seconds <= 0:
            return Failure("timeout", "no time was left to send the turn")
        outcome = await self._ask(self._call(talk, params), seconds)
        if isinstance(outcome, Reply):
            return replace(outcome, ms=round((time.monotonic() - started) * 1000))
        return outcome

    async def forget(self, talk_id: str) -> None:
        """Nothing is kept between calls."""

    async def close(self) -> None:
        """Close the connections of litellm, which all backends of this kind share, after the last of them."""
        if self._litellm is None:
            return
        litellm, self._litellm = self._litellm, None
        LiteLLM._open -= 1
        if LiteLLM._open == 0:
            await litellm.close_litellm_async_clients()

    async def _probe(self, address: str) -> Available | Failure:
        return await Client(address, "POST", {}, self._around).probe()

    async def _ask(self, call: dict[str, Any], seconds: float) -> Reply | Failure:
        try:
            async with asyncio.timeout(seconds):
                response = await self._litellm.acompletion(**call, timeout=seconds)
        except TimeoutError:
            return Failure("timeout", f"no complete reply within {round(seconds, 1):g} s", "resend")
        except Exception as error:  # noqa: BLE001 - litellm raises for whatever the other side does; none is lost
            return raised(error)
        return self._read(response, call["model"])

    def _call(self, talk: Talk, params: Mapping[str, Any]) -> dict[str, Any]:
        # a param of null takes a default away: some models refuse any temperature
        given = {key: value for key, value in params.items() if value is not None and key != "system"}
        system = [{"role": "system", "content": talk.system}] if talk.system else []
        key = self._settings.api_key or (None if self._settings.env else NO_KEY)
        return {
            "model": self._settings.model,
            **given,
            "messages": system + conversation(talk),
            "api_key": key,
            "base_url": self._settings.base_url,
            "max_retries": 0,
            "num_retries": 0,
        }

    def _read(self, response: Any, model: str) -> Reply | Failure:
        body = response.model_dump_json(warnings=False).encode()
        if len(body) > MAX_REPLY_BYTES:
            return Failure("too_large", f"the reply is larger than {MAX_REPLY_BYTES} bytes")
        into = Whole(Completion(self._settings.price), "resend")
        into.feed(body)
        outcome = into.finish()
        if isinstance(outcome, Reply) and outcome.usage is not None:
            return replace(outcome, usage=self._priced(outcome.usage, response, model))
        return outcome

    def _priced(self, usage: Usage, response: Any, model: str) -> Usage | None:
        """The usage with its price, where litellm knows one. It reports zeros where the server reported nothing."""
        if not usage.input and not usage.output:
            return None
        if usage.usd is not None or not self._knows_price(model):
            return usage
        return replace(usage, usd=self._litellm.completion_cost(completion_response=response, model=model))

    def _knows_price(self, model: str) -> bool:
        try:
            info = self._litellm.get_model_info(model)
        except Exception:  # noqa: BLE001 - it raises a bare Exception for a model that its tables do not have
            return False
        return info.get("input_cost_per_token") is not None and info.get("output_cost_per_token") is not None

    def _price_note(self) -> str:
        model = self._settings.model
        if self._settings.price is not None or self._knows_price(model):
            return ""
        return f"litellm's tables have no price for {model}: costs are not counted unless the target sets price"

    def _without_provider(self) -> Failure | None:
        try:
            self._litellm.get_llm_provider(self._settings.model, api_base=self._settings.base_url)
        except Exception as error:  # noqa: BLE001 - becomes the reason
            return replace(raised(error), kind="unavailable", fatal=True)
        return None

    def _odd(self, params: Mapping[str, Any]) -> Failure | None:
        """Params that guardgate sets itself, or that would make a reply up."""
        odd = sorted(RESERVED & params.keys())
        if not odd:
            return None
        return Failure("unavailable", f"params of {self.name} hold {', '.join(odd)}; remove them", fatal=True)


def unusable() -> Failure | None:
    """Why litellm cannot be used, from what is installed and without importing it."""
    try:
        version = metadata.version("litellm")
    except metadata.PackageNotFoundError:
        return Failure("unavailable", f"litellm is not installed; {INSTALL}", fatal=True)
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if version in MALICIOUS or numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        what = f"litellm {version}, which carried malicious code" if version in MALICIOUS else f"litellm {version}"
        return Failure("unavailable", f"found {what}; expected {oldest} or newer; {INSTALL}", fatal=True)
    return None


def _put(env: tuple[str, ...]) -> Failure | None:
    """`NAME=value` of the target: litellm reads the environment of the process that it runs in, which is ours."""
    for name, sign, value in (entry.partition("=") for entry in env):
        if sign and os.environ.setdefault(name, value) != value:
            detail = f"env sets {name}, which has another value here; litellm shares the environment of guardgate"
            return Failure("unavailable", f"{detail}; set it outside, or use the openai backend", fatal=True)
    return None


def _load() -> Any:
    """The one place that imports litellm: silent, without a call, and without the `.env` of the working folder."""
    os.environ.update(BEFORE)
    litellm: Any = import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        getLogger(name).disabled = True  # it prints what providers and models said
    return litellm
