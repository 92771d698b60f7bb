"""`guardgate` and `python -m guardgate`: from the first moment on, no signal can end it with another code."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType


class Ended(BaseException):
    """SIGINT or SIGTERM came. Not an Exception, so that no handler for errors swallows it."""


def _ended(number: int, _frame: FrameType | None) -> None:
    raise Ended(signal.Signals(number).name)


def main() -> None:
    """Run the command line and exit with 0, 1, 2 or 3, whatever happens."""
    code = 3
    try:
        signal.signal(signal.SIGINT, _ended)
        signal.signal(signal.SIGTERM, _ended)
        from guardgate.cli import run_command_line  # noqa: PLC0415 - after the handlers are in place

        code = run_command_line(sys.argv[1:])
    except Ended as end:
        _say(f"guardgate: interrupted by {end}; exit 3")
    finally:
        sys.exit(_flushed(code))


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr)  # noqa: T201 - the door, when the other door was left by a signal


def _flushed(code: int) -> int:
    """The code, or 3 where the output could not be delivered. The interpreter's own flush would exit with 120."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            code = 3
            sink = os.open(os.devnull, os.O_WRONLY)
            for number in (1, 2) if stream is sys.stdout else (2,):
                os.dup2(sink, number)
    return code


if __name__ == "__main__":
    main()
