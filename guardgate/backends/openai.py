"""The `openai` backend: any server that speaks OpenAI's chat completions, whole or streamed."""

from __future__ import annotations

import json
from typing import Any

from yarl import URL

from guardgate.backends.base import Available, Surroundings
from guardgate.backends.client import Client
from guardgate.backends.completion import Completion
from guardgate.backends.reading import Reading, Streamed, Whole
from guardgate.backends.streams import Sse
from guardgate.backends.template import conversation
from guardgate.model.project import OpenAITarget
from guardgate.record import Failure, Reply, Talk

END = "[DONE]"


class OpenAI:
    """A model behind chat completions. Each call carries the whole conversation, so it can be resent."""

    def __init__(self, name: str, settings: OpenAITarget, around: Surroundings) -> None:
        self.name = name
        self._settings = settings
        headers = {"Authorization": f"Bearer {settings.api_key}"} if settings.api_key else {}
        self._client = Client(_endpoint(settings.base_url), "POST", headers, around)

    @property
    def not_before(self) -> float:
        """When the server last said that there are calls left again (monotonic)."""
        return self._client.not_before

    async def available(self) -> Available | Failure:
        """Whether something listens at base_url; no call is made."""
        return self._without_address() or await self._client.probe()

    async def reply(self, talk: Talk) -> Reply | Failure:
        """The reply to the last turn."""
        missing = self._without_address()
        if missing:
            return missing
        answer = Completion(self._settings.price)
        into: Reading = Streamed(Sse(), END, answer, "resend") if self._settings.stream else Whole(answer, "resend")
        body = json.dumps(self._body(talk), separators=(",", ":")).encode()
        return await self._client.call(body, into, "resend", talk.deadline)

    async def forget(self, talk_id: str) -> None:
        """Nothing is kept between calls."""

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    def _without_address(self) -> Failure | None:
        if self._settings.base_url:
            return None
        todo = "set base_url of the target, or GUARDGATE_BASE_URL, to the address before /chat/completions"
        return Failure("unavailable", f"no base_url is set for {self.name}; {todo}", fatal=True)

    def _body(self, talk: Talk) -> dict[str, Any]:
        system = [{"role": "system", "content": talk.system}] if talk.system else []
        params = {"model": self._settings.model, "temperature": 0, **self._settings.params, **talk.params}
        # a param of null takes a default away: some models refuse any temperature
        body = {key: value for key, value in params.items() if value is not None and key not in ("system", "stream")}
        body["messages"] = system + conversation(talk)
        if self._settings.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return body


def _endpoint(base_url: str | None) -> str:
    try:
        base = URL(base_url or "")
        return str((base / "chat" / "completions").with_query(base.query))
    except ValueError:
        return base_url or ""
