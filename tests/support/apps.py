"""The module `app.graph` of an example, loaded into this process; every example calls its package `app`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType


def _take() -> dict[str, ModuleType]:
    """Every module of a package `app`, out of the process."""
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "app"}


@contextmanager
def graph_of(example: Path) -> Iterator[ModuleType]:
    """Another example's app may be loaded, and is there again afterwards."""
    before = _take()
    sys.path.insert(0, str(example))
    try:
        yield importlib.import_module("app.graph")
    finally:
        sys.path.remove(str(example))
        _take()
        sys.modules.update(before)
