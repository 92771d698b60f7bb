"""The only place that writes to the terminal. The second net for secrets is here too."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from guardgate.errors import Refused


def _as_is(text: str) -> str:
    return text


class Printer:
    """Writes pieces of text that renderers have already escaped. Raises Refused where it cannot arrive."""

    def __init__(self, *, debug: bool) -> None:
        self.debug = debug
        self.clean: Callable[[str], str] = _as_is

    def out(self, pieces: Iterable[str] | str) -> None:
        """To standard output."""
        self._write("standard output", sys.stdout, pieces)

    def error(self, text: str) -> None:
        """One escaped line or more, to standard error."""
        from guardgate.report.escape import terminal  # noqa: PLC0415 - `--version` needs none of it

        self._write("standard error", sys.stderr, "".join(f"{terminal(line)}\n" for line in text.splitlines()))

    def status(self, text: str) -> None:
        """Progress, to standard error, as it is."""
        self._write("standard error", sys.stderr, text)

    def _write(self, name: str, stream: TextIO | None, pieces: Iterable[str] | str) -> None:
        if stream is None:  # it was closed before we began
            if name == "standard error":
                return
            raise undelivered(name, "it is closed")
        for piece in (pieces,) if isinstance(pieces, str) else pieces:
            text = self.clean(piece)
            with _arriving(name):
                stream.write(text)
        with _arriving(name):
            stream.flush()

    @property
    def colour(self) -> bool:
        """Only on a terminal, and not when NO_COLOR is set."""
        return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    @property
    def live(self) -> bool:
        """Whether progress can be drawn over itself."""
        return sys.stderr is not None and sys.stderr.isatty()


def printer(context: click.Context) -> Printer:
    """The printer of this command line."""
    found = context.find_object(Printer)
    assert found is not None  # noqa: S101 - the group makes it
    return found


@contextmanager
def _arriving(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise undelivered(name, str(error)) from error


def undelivered(name: str, reason: str) -> Refused:
    """What was printed did not arrive, so nobody can have read it."""
    from guardgate.errors import Refused  # noqa: PLC0415 - `--version` needs none of it

    return Refused(name, f"no way to write there ({reason})", "a reader, or room", "see what closed or filled it")
