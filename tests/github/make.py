"""A clock that nobody waits for, and a client of the stand-in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from guardgate.github.api import Api, connect
from guardgate.github.exchange import Clock
from guardgate.github.failure import ApiFailure
from guardgate.github.settings import Settings
from tests.support.github import GitHub

T = TypeVar("T")
#: Where the clock begins, in seconds since 1970.
START = 1_000_000.0


@dataclass
class Watch:
    """Time that passes only while somebody sleeps. `slept`: every wait, in seconds."""

    passed: float = 0.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed += seconds

    def seconds(self) -> float:
        return START + self.passed

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.passed, lambda: datetime.fromtimestamp(START, UTC) + self.elapsed, self.sleep)

    @property
    def elapsed(self) -> timedelta:
        return timedelta(seconds=self.passed)


@contextmanager
def client(given: Settings, watch: Watch | None = None, call_seconds: float = 20.0) -> Iterator[Api]:
    """A client, closed at the end. Without a watch, time is real."""
    api = good(connect(given, watch.clock if watch else None, call_seconds))
    with api:
        yield api


@contextmanager
def standing_in(**given: object) -> Iterator[tuple[GitHub, Api, Watch]]:
    """The stand-in, a client of it, and the watch that both go by."""
    watch = Watch()
    with GitHub(now=watch.seconds, **given) as github, client(github.settings, watch) as api:  # type: ignore[arg-type]
        yield github, api, watch


def good(found: T | ApiFailure) -> T:
    """What was answered; a failure fails the test."""
    assert not isinstance(found, ApiFailure), found
    return found


def bad(found: object) -> ApiFailure:
    """The failure; an answer fails the test."""
    assert isinstance(found, ApiFailure), found
    return found
