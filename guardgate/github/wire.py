"""Requests to GitHub, sent again while that makes sense and patience lasts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import httpx

from guardgate.github.exchange import CALL_SECONDS, LEAST_SECONDS, Answer, Clock, Lost, Request, exchange
from guardgate.github.failure import ApiFailure
from guardgate.github.setback import SERVER_TRIES, Setback, setback
from guardgate.github.settings import Settings
from guardgate.intake import Intake
from guardgate.report.escape import terminal

#: Seconds that one job waits for GitHub, all waits and lost calls together. Then it does without.
PATIENCE = 90.0
#: A file may take so many times as long as an answer.
FILES = 3
TEXT_CHARS = 600


@dataclass
class Wire:
    """A way to GitHub. `left`: what is left of the patience, in seconds; it only falls."""

    client: httpx.Client
    settings: Settings
    clock: Clock
    left: float = PATIENCE
    call_seconds: float = CALL_SECONDS

    def send(self, request: Request, *, twice: bool = True) -> Answer | ApiFailure:
        """A successful answer, or why there is none. `twice`: being carried out twice does no harm."""
        tries = 0
        while True:
            tries += 1
            began = self.clock.monotonic()
            longest = self.call_seconds * (FILES if request.abroad else 1)
            seconds = min(longest, max(self.left, LEAST_SECONDS))
            outcome = exchange(self.client, request, self.settings, self.clock, seconds)
            if isinstance(outcome, Answer) and 200 <= outcome.status < 300:
                return outcome
            found = self._setback(request, outcome, tries)
            failure = found.failure
            if failure.maybe_done and not twice:
                return self.safe(failure)
            if found.wait is None or not self._waited(found.wait, began):
                return self.safe(failure)

    def _setback(self, request: Request, outcome: Answer | Lost | ApiFailure, tries: int) -> Setback:
        if isinstance(outcome, ApiFailure):
            return Setback(outcome)
        if isinstance(outcome, Lost):
            text = f"{request.name}: {outcome.why}; run again later"
            failure = ApiFailure("unavailable", text, maybe_done=outcome.sent and request.method != "GET")
            again = outcome.again and tries < SERVER_TRIES
            return Setback(failure, 2.0 ** (tries - 1) if again else None)
        found = setback(request.name, outcome.status, outcome.headers, outcome.body, tries, self.clock.now())
        unclear = found.failure.kind == "unavailable" and request.method != "GET"
        return replace(found, failure=replace(found.failure, maybe_done=unclear))

    def _waited(self, wait: float, began: float) -> bool:
        """Wait, unless that and the call that was lost are more than is left."""
        cost = wait + max(0.0, self.clock.monotonic() - began)
        if cost > self.left:
            return False
        self.left -= cost
        self.clock.sleep(wait)
        return True

    def safe(self, failure: ApiFailure) -> ApiFailure:
        """The failure with a text that can be printed: one line, cut, without the token."""
        clean = terminal(Intake(secrets=(self.settings.token,)).text(failure.text))
        return replace(failure, text=clean if len(clean) <= TEXT_CHARS else clean[: TEXT_CHARS - 5] + "[...]")
