"""An event loop on which waiting takes no time: hours of pauses and limits in a moment, and always the same."""

from __future__ import annotations

import asyncio
import random
import selectors
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


class _Jump(selectors.DefaultSelector):
    """Where nothing is ready, the clock jumps to the next thing that will be."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready and timeout is None:
            raise AssertionError("everything waits for something that never comes")
        if not ready and timeout:
            self.now += timeout
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, clock: _Jump) -> None:
        super().__init__(clock)
        self._clock = clock

    def time(self) -> float:
        return self._clock.now


def travel(monkeypatch: pytest.MonkeyPatch, main: Coroutine[Any, Any, T], seed: int = 1) -> T:
    """What `main` returns. `time.monotonic` is the loop's time meanwhile, and jitter comes from `seed`."""
    clock = _Jump()
    random.seed(seed)
    with monkeypatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: clock.now)
        with asyncio.Runner(loop_factory=lambda: _Loop(clock)) as runner:
            return runner.run(main)
