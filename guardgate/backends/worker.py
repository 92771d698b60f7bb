"""The process in which an app runs; started by `backends/python.py` as a script of the app's own interpreter.

Standard library only, Python 3.9 or later, like everything in `inside/`.
"""

from __future__ import annotations

import os
import sys

_HERE = os.path.dirname(os.path.realpath(__file__))


def _private_pipes() -> tuple[int, int]:
    """Keep input and output for the protocol: what the app prints goes to the error output instead."""
    inlet, outlet = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return inlet, outlet


def _leave_this_folder() -> None:
    """Take this folder off the path: it holds files with the names of packages (http, openai)."""
    sys.path[:] = [place for place in sys.path if os.path.realpath(place) != _HERE]


def main() -> None:
    """Serve until the other end closes."""
    inlet, outlet = _private_pipes()
    _leave_this_folder()
    from importlib import import_module  # noqa: PLC0415  (not before the folder is off the path)
    from types import ModuleType  # noqa: PLC0415

    # The app's interpreter has no guardgate: `inside/` becomes a package of its own, without a place on the path.
    package = ModuleType("guardgate_inside")
    package.__path__ = [os.path.join(_HERE, "inside")]
    sys.modules[package.__name__] = package
    import_module(".serve", package.__name__).serve(inlet, outlet)


if __name__ == "__main__":
    main()
