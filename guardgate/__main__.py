"""`guardgate` and `python -m guardgate`: from the first moment on, no signal can end it with another code."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:
    # `python -m` looks for modules in the working folder first: a project under review could bring its own click.py.
    del sys.path[0]

import contextlib
import gc
import signal
from types import FrameType
from typing import TextIO


def ending_signals() -> tuple[signal.Signals, ...]:
    """What asks a program to end, where the system has it. Under `nohup` a lost terminal asks for nothing."""
    found = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    return tuple(one for one in found if one.name != "SIGHUP" or signal.getsignal(one) != signal.SIG_IGN)


class Ended(BaseException):
    """One of these signals came. Not an Exception, so that no handler for errors swallows it."""


def _ended(number: int, _frame: FrameType | None) -> None:
    _heed_no_more()  # a second one must not break out of what the first one began
    raise Ended(signal.Signals(number).name)


def _heed_no_more() -> None:
    for number in ending_signals():
        signal.signal(number, signal.SIG_IGN)


def main() -> None:
    """Run the command line and exit with 0, 1, 2 or 3, whatever happens."""
    code = 3
    try:
        code = _guarded()
    except Ended as end:
        code = 3
        _say(f"guardgate: interrupted by {end}; exit 3")
    finally:
        code = _flushed(code)
        gc.freeze()  # the memory goes with the process: nothing has to be looked through for it
        sys.exit(code)


def _guarded() -> int:
    for number in ending_signals():
        signal.signal(number, _ended)
    # What is loaded stays: to look for rings in it again and again, as by default, takes a tenth of a short run.
    gc.set_threshold(300_000, 20, 50)
    # Plugins of pydantic would be code of others in our models, and to look for them takes time. Children never see it.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    try:
        _take_streams()
        from guardgate.cli import run_command_line  # noqa: PLC0415 - after the handlers are in place

        return run_command_line(sys.argv[1:])
    finally:
        _heed_no_more()


def _take_streams() -> None:
    """Where a standard stream is closed, its number goes to nothing: else a results file would get it."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _say(text: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(text, file=sys.stderr)  # noqa: T201 - the door, when the other door was left by a signal


def _flushed(code: int) -> int:
    """The code, or 3 where the output could not be delivered. The interpreter's own flush would exit with 120."""
    if not _flush(sys.stdout, 1):
        if code != 3:
            _say("guardgate: standard output took nothing; exit 3")
        code = 3
    return code if _flush(sys.stderr, 2) or sys.stderr is None else 3


def _flush(stream: TextIO | None, number: int) -> bool:
    try:
        if stream is None:  # it was closed before we began
            return False
        stream.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
        return False
    return True


if __name__ == "__main__":
    main()
