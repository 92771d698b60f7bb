"""The only place that writes to the terminal. The second net for secrets is here too."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import TextIO


def _as_is(text: str) -> str:
    return text


class Printer:
    """Writes pieces of text that renderers have already escaped. Raises OSError where nobody reads any more."""

    def __init__(self, *, debug: bool) -> None:
        self.debug = debug
        self.clean: Callable[[str], str] = _as_is

    def out(self, pieces: Iterable[str] | str) -> None:
        """To standard output."""
        self._write(sys.stdout, pieces)

    def error(self, text: str) -> None:
        """One escaped line or more, to standard error."""
        from guardgate.report.escape import terminal  # noqa: PLC0415 - `--version` needs none of it

        self._write(sys.stderr, "".join(f"{terminal(line)}\n" for line in text.splitlines()))

    def status(self, text: str) -> None:
        """Progress, to standard error, as it is."""
        self._write(sys.stderr, text)

    def _write(self, stream: TextIO, pieces: Iterable[str] | str) -> None:
        for piece in (pieces,) if isinstance(pieces, str) else pieces:
            stream.write(self.clean(piece))
        stream.flush()

    @property
    def colour(self) -> bool:
        """Only on a terminal, and not when NO_COLOR is set."""
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    @property
    def live(self) -> bool:
        """Whether progress can be drawn over itself."""
        return sys.stderr.isatty()
